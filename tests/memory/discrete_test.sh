#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Kernels that read discrete arrays as they are get them under every setting of DL, also where no
# layout but the program's own is asked for. See test_discrete.c.
set -u
program=$DL_BUILD/tests/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
export DISCRETE_CL=$DL_SOURCE/tests/memory/discrete.cl

run() { # OPTION...
    rm -f "$work/stats.json"
    if ! "$DL_BUILD/tests/watched" -c 600 "$DL_BUILD/bin/dl-run" --log quiet --stats="$work/stats.json" "$@" -- \
        "$program" >"$work/out" 2>&1; then
        echo "FAILED $*"
        sed 's/^/    /' "$work/out"
        failed=1
    fi
}

# has PATTERN: it is in the statistics of the last run.
has() {
    grep -q "$1" "$work/stats.json" || { echo "FAILED: no $1 in the statistics"; failed=1; }
}

takes() { [ "$1" = "${DL_TURN:-0}" ] || [ -n "${DL_TEST_FULL:-}" ]; } # half of the settings a turn

run --layout asta --tile 8
has '"name": *"f","layout": *"SoA"'
has '"name": *"f","layout": *"ASTA"'
if takes 0; then
    run --layout da --tile 8
    run --layout asta --tile 8 --staging 0
    run --layout asta --tile 8 --verify
fi
if takes 1; then
    run --layout asta --tile 77
    run --layout asta --tile 1
    run --layout asta --layer
fi
run --layout aos
has '"name": *"f","layout": *"SoA"'
run --layout auto
has '"name": *"f","layout": *"SoA"'

# Nothing is launched on the wrong layout, and each kernel says so in a line of its own.
export REFUSED=1
run --layout asta --libclang none
"$DL_BUILD/bin/dl-run" --layout aos --libclang none -- "$program" 2>&1 |
    grep -c 'reads discrete arrays (SoA) that it can.t be given: its launches fail' >"$work/said"
[ "$(cat "$work/said")" = 4 ] || { echo "FAILED: said $(cat "$work/said") times, not 4"; failed=1; }
unset REFUSED

# Shipped, the text needs no libclang.
"$DL_BUILD/bin/dl-annotate" "$DISCRETE_CL" -o "$work/shipped.cl" 2>"$work/err"
export DISCRETE_CL=$work/shipped.cl
run --layout asta --tile 8 --libclang none
run --layout aos --libclang none
exit $failed
