#!/bin/bash
# SPDX-License-Identifier: MIT
# Random host programs (memory/random_program.c) see the same bytes where layout auto changes layouts at
# random moments as natively, and what is explored on copies between them gives the same bytes, too. DL_SEQUENCES sets how many; 40 if not set, 5000 with DL_TEST_FULL. With
# DL_PROGRESS=FILE it goes on where a run with that file has been ended: a line there is a part of 8 that
# passed, with the conversions made in it.
set -u
program=$DL_BUILD/tests/random_program
count=${DL_SEQUENCES:-40}
[ -z "${DL_TEST_FULL:-}" ] || count=${DL_SEQUENCES:-5000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

tiled=0 progress=${DL_PROGRESS:-$work/progress}
touch "$progress"
for at in $(seq 0 8 $((count - 1))); do
    ! grep -q "^$at " "$progress" || continue
    "$DL_BUILD/tests/watched" -c 3600 "$DL_BUILD/bin/dl-run" --log warning --policy-test $((at + 1)) \
        --stats="$work/stats.json" -- "$program" "$at" 8 >"$work/out" 2>&1 || {
        echo "FAILED: dl-run --policy-test $((at + 1)) -- tests/random_program $at 8"
        tail -n 20 "$work/out"
        failed=1
        continue
    }
    ! grep -q "gives other bytes" "$work/out" || {
        echo "FAILED: dl-run --policy-test $((at + 1)) -- tests/random_program $at 8, on copies"
        grep "gives other bytes" "$work/out"
        failed=1
        continue
    }
    echo "$at $(sed -n 's/.*"marshal_count":\([0-9]*\).*/\1/p' "$work/stats.json")" >>"$progress"
done
tiled=$(awk '{ n += $2 } END { print n + 0 }' "$progress")
[ "$tiled" -ge "$count" ] || {
    echo "only $tiled conversions in $count programs"
    failed=1
}
exit $failed
