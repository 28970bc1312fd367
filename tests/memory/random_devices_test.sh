#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random host programs (random_program.c) whose commands go to two devices of one context see the same bytes
# natively and under DL, on several layouts and where layout auto changes them at random moments.
# DL_SEQUENCES sets how many from DL_SEED on; 60 from 0 if not set, 2000 with DL_TEST_FULL.
set -u
# The claims are about annotated kernels beside others that run as written.
export DL_DETECT=off
program=$DL_BUILD/tests/random_program
first=${DL_SEED:-0}
count=${DL_SEQUENCES:-60}
[ -z "${DL_TEST_FULL:-}" ] || count=${DL_SEQUENCES:-2000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
echo "sequences $first to $((first + count - 1))"

run() { # NAME COMMAND...
    "$DL_BUILD/tests/watched" -q -c 600 "${@:2}" "$first" "$count" 2 >"$work/out" 2>&1
    case $? in
    0) return ;;
    77) tail -n 1 "$work/out"; exit 77 ;;
    esac
    echo "FAILED $1"
    tail -n 20 "$work/out"
    failed=1
}

run natively "$program"
for layout in "asta --tile 8" "asta --tile 32 --staging 0" "da --tile 8" "auto --policy-test 9"; do
    # shellcheck disable=SC2086 # an option and its value
    run "$layout" "$DL_BUILD/bin/dl-run" --log quiet --layout $layout --stats="$work/stats" -- "$program"
    tiled=$(sed -n 's/.*"marshal_count":\([0-9]*\).*/\1/p' "$work/stats")
    [ "${tiled:-0}" -ge "$count" ] || { echo "FAILED $layout: only ${tiled:-0} conversions"; failed=1; }
done
exit $failed
