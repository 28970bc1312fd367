#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# dl-bench scale has a line for each count of devices and layout, weak and strong, natively first;
# checksums that differ are an error.
set -u
. "$DL_SOURCE/tests/samples/common.sh"
bench=$DL_BUILD/bin/dl-bench
export POCL_DEVICES="pthread pthread"

run "$bench" scale --devices 1,2 --size 16x9x6 --steps 3 --reps 1 --layouts native,asta --csv "$work/s.csv"
[ $code -eq 0 ] || fail "exit code $code: $err"
got=$(grep -v "^#" "$work/s.csv" | cut -d, -f1-5 | tr '\n' ' ')
want="scaling,devices,layout,size,halo"
for scaling in weak strong; do
    for layout in native asta; do
        want+=" $scaling,1,$layout,16x9x6,overlap $scaling,2,$layout,16x9x6,overlap"
    done
done
[ "$got" = "$want " ] || fail "lines: $got"
# Numbers are numbers; with one device a layout's efficiency is 1, and native's gain is.
python3 - "$work/s.csv" <<'END' || fail "numbers: $(cat "$work/s.csv")"
import csv, sys
for row in csv.DictReader(line for line in open(sys.argv[1]) if line[0] != "#"):
    assert float(row["mlups"]) > 0 and 0 < float(row["halo_share"]) < 1, row
    assert row["devices"] != "1" or float(row["efficiency"]) == 1, row
    assert row["layout"] != "native" or float(row["gain"]) == 1, row
END
run "$bench" scale --devices 1 --size 16x9x6 --steps 3 --reps 1 --layouts native --scaling strong --halo overlap
[ $code -eq 0 ] && [ "$(awk '{ print $1 }' <<<"$out")" = strong ] || fail "--scaling strong: $out"
# What lbm says no to it passes on.
run "$bench" scale --devices 7 --size 16x9x6 --steps 1 --reps 1
[ $code -eq 1 ] && [ -n "$err" ] || fail "exit code $code, '$err' for more devices than planes"

# A dl-run and a sample that lie.
mkdir -p "$work/bin" "$work/samples"
cp "$bench" "$work/bin/"
printf '#!/bin/sh\nshift 3\nexec "$@" --lie\n' >"$work/bin/dl-run"
printf '#!/bin/sh\ncase "$*" in *--lie*) echo checksum: 2 ;; *) echo checksum: 1 ;; esac\necho time_s: 4\necho halo_s: 1\n' >"$work/samples/lbm"
chmod +x "$work/bin/dl-run" "$work/samples/lbm"
run "$work/bin/dl-bench" scale --devices 1 --layouts asta --reps 1
[ $code -eq 1 ] && grep -q WRONG "$work/err" || fail "exit code $code, '$err' where checksums differ"
grep -q 'halo  25.0 %' "$work/out" || fail "a share of a quarter: $out"
finish
