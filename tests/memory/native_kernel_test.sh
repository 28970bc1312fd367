#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: no call of DL's waits for what is behind a command that the program holds back by code of its own: launches
# behind a native kernel return, have the program's bytes, and those that come later are transformed. Behind a kernel
# that looks at the host's memory they return as well, after some seconds (with DL_TEST_FULL). Nor does a launch wait for
# a command on other structs of its buffer that such a one holds back.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$DL_BUILD/tests/native_kernel
failed=0
holds="host beside"
[ -z "${DL_TEST_FULL:-}" ] || holds="host beside device"
for hold in $holds; do
    "$program" $hold >"$work/native"
    status=$?
    [ $status -ne 77 ] || { echo "the device runs no native kernels: skipped"; exit 77; }
    [ $status -eq 0 ] || { echo "FAILED natively: $hold"; exit 1; }
    for way in "--layout asta --detect on" "--layout auto --detect on" "--layout da --detect on --verify"; do
        # shellcheck disable=SC2086 # several words
        "$DL_BUILD/tests/watched" -c 300 "$DL_BUILD/bin/dl-run" $way --stats="$work/stats.json" -- "$program" $hold >"$work/out" 2>"$work/err" ||
            { echo "FAILED: $hold, $way: $(cat "$work/err")"; failed=1; }
        cmp -s "$work/native" "$work/out" ||
            { echo "FAILED: $hold, $way: $(cat "$work/out"), natively $(cat "$work/native")"; failed=1; }
        [[ $hold = device || $way = *auto* ]] ||
            grep -qE '"kernel":"push","launches":[1-9]' "$work/stats.json" ||
            { echo "FAILED: $hold, $way: no launch is transformed"; failed=1; }
    done
done
exit $failed
