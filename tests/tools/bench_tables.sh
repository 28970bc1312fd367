#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: what dl-bench writes is what it says: a table with a line for each variant, and a
# tuning table that names the best.
bench=$DL_BUILD/bin/dl-bench
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

"$bench" tune --cases asta --words 3 --bytes 64K --reps 1 --knobs each_tiles=2/4 \
    --csv "$dir/a.csv" --table "$dir/a.tune" >"$dir/log" 2>&1 ||
    { grep -q "no OpenCL device" "$dir/log" && { echo "no OpenCL device: skipped"; exit 77; }
      cat "$dir/log"; fail "tune"; }
[ "$(grep -c "^asta," "$dir/a.csv")" = 4 ] || fail "lines of the table"
[ "$(grep -c '^asta,.*,ok,0,' "$dir/a.csv")" = 4 ] || fail "lines that are right"
grep -q "^device " "$dir/a.tune" || fail "the tuning table's device"
grep -Eq "^(each|chunk) 0 each_tiles=[24]$" "$dir/a.tune" || fail "the tuning table's line"
# What bounds how many groups run at once: 48 elements, a word of flags for each and one more.
"$bench" tune --cases cycle --part 0/2 --words 3 --tiles 16 --bytes 64K --reps 1 --knobs cycle_held=0,cycle_flags=1,cycle_pad=0 \
    --csv "$dir/o.csv" >"$dir/log" 2>&1 || fail "flags: $(cat "$dir/log")"
awk -F, '/^cycle,/ { found = $(NF - 1) >= 1 && $(NF - 1) <= 64 && $NF >= 196 } END { exit !found }' "$dir/o.csv" ||
    fail "the group and its local memory: $(cat "$dir/o.csv")"
# What figure 3.7 reads and stores is there, unchanged.
"$bench" marshal --cases access,update --words 3 --bytes 64K --reps 1 --csv "$dir/u.csv" >"$dir/log" 2>&1 || fail "access: $(cat "$dir/log")"
[ "$(grep -c '^update,.*,ok,0,' "$dir/u.csv") $(grep -c '^access,.*,ok,0,' "$dir/u.csv")" = "3 3" ] || fail "access: $(cat "$dir/u.csv")"
exit $failed
