#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each case of the memory tests that passes natively passes under DL, on whatever driver there is; a
# case that fails natively is the driver's own affair and is named. For drivers beside the one that
# the tests are written on:
#
#   scripts/on-driver.sh intel scripts/with-opencl.sh build tests/memory/differential.sh build [SUITE...]
set -u
# The claims are about annotated kernels beside others that run as written.
export DL_DETECT=off
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- transfers maps views launches host_layout host_refusals devices order objects programs \
    staged mapped widths sub_buffers cancelled
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# cases OUT COMMAND...: into OUT, the cases that pass; 1 when it does not come to its end.
cases() {
    local out=$1
    shift
    CK_VERBOSITY=verbose "$build/tests/watched" -c 600 "$@" >"$work/log" 2>"$work/err"
    sed -n 's/^[^:]*:[0-9]*:P:[^:]*:\([^:]*:[0-9]*\):.*/\1/p' "$work/log" | sort >"$out"
    grep -q 'Checks:' "$work/log"
}

for suite in "$@"; do
    program=$build/tests/test_memory_$suite
    if ! cases "$work/native" "$program"; then
        echo "$suite: left out: it does not end natively: $(tail -n 1 "$work/err")"
        continue
    fi
    total=$(sed -n 's/.*Checks: \([0-9]*\),.*/\1/p' "$work/log")
    sed -n 's/^[^:]*:[0-9]*:[FE]:[^:]*:\([^:]*:[0-9]*\):\(.*\)/    the driver: \1:\2/p' "$work/log" >"$work/own"
    echo "$suite: $(wc -l <"$work/native") of $total cases pass natively"
    cat "$work/own"
    for layout in "asta --tile 8" "asta --tile 77 --staging 0" "da --tile 8"; do
        # shellcheck disable=SC2086 # an option and its value
        cases "$work/dl" "$build/bin/dl-run" --log error --layout $layout -- "$program" ||
            tail -n 2 "$work/err"
        comm -23 "$work/native" "$work/dl" >"$work/lost"
        [ -s "$work/lost" ] || continue
        failed=1
        echo "FAILED: $suite, $layout: $(wc -l <"$work/lost") cases"
        head -n 5 "$work/lost" | while read -r case; do
            echo "    $case: $(sed -n "s/^[^:]*:[0-9]*:[FE]:[^:]*:$case://p" "$work/log" | cut -c1-200)"
        done
    done
done
exit $failed
