#!/bin/bash
# SPDX-License-Identifier: MIT
# Conversions with two builds of DL, by turns on one device, as shares of a copy of that size:
#     bash bench/conversions.sh BEFORE AFTER DEVICE
# BEFORE and AFTER are dl-bench programs that know the same cases, DEVICE is a part of the device's name.
# Medians, every result checked; a case that a program does not know or gets wrong is "-".
set -u
before=$1 after=$2 device=$3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# lines CSV: what was converted | share and microseconds
lines() {
    awk -F, '/^#|^group,/ { next }
        { label = $2; for (f = 3; f < NF - 12; f++) label = label "," $f
          gsub(/"/, "", label)
          key = sprintf("%-8s %-22s %4s%-3d -> %4s%-3d", $1, label, $(NF-10), $(NF-9), $(NF-8),
                        $(NF-7))
          printf "%s|", key
          if ($(NF-5) == "ok" && $(NF-3) > 0)
              printf "%6.1f %% %9.1f us\n", $(NF-2), 2e-3 * $(NF-12) * $(NF-11) / $(NF-3)
          else
              print "     -              -" }' "$1"
}

# compare ARGS...: of dl-bench marshal
compare() {
    echo "# dl-bench marshal $*"
    "$before" marshal --device "$device" "$@" --csv "$out/before" >/dev/null 2>&1
    "$after" marshal --device "$device" "$@" --csv "$out/after" >/dev/null 2>&1
    head -1 "$out/after"
    paste -d' ' <(lines "$out/after" | cut -d'|' -f1) <(lines "$out/before" | cut -d'|' -f2) \
        <(lines "$out/after" | cut -d'|' -f2)
}

echo "# $(date +%F): before, after"
words=2-6,8,12,16,19,20,24,31,32,48,64
compare --cases mixed
compare --cases wide
compare --cases asta --words $words
for bytes in 1M 16M; do
    compare --bytes $bytes --reps 15 --cases asta,mixed --words $words
    compare --bytes $bytes --reps 15 --cases dawords --tiles 128 --words 4,7,8,19,32
done
compare --cases da,soa --shapes 12 --reps 3
