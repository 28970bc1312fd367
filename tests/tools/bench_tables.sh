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
# What figure 3.7 reads and stores is there, unchanged.
"$bench" marshal --cases access,update --words 3 --bytes 64K --reps 1 --csv "$dir/u.csv" >"$dir/log" 2>&1 || fail "access: $(cat "$dir/log")"
[ "$(grep -c '^update,.*,ok,0,' "$dir/u.csv") $(grep -c '^access,.*,ok,0,' "$dir/u.csv")" = "3 3" ] || fail "access: $(cat "$dir/u.csv")"
exit $failed
