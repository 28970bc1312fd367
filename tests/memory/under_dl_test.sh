#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a program of memory tests natively, then under DL with several layouts: every test must
# pass each time. Then once more test by test, to see that each has had its buffer in tiles: a
# test that never leaves AoS proves nothing. Tests whose point is that DL steps aside from the
# start are named here. `few` as the second argument takes two layouts, a turn each, with DL_TEST_FEW set both, and that is all.
set -u
# The claims are about annotated kernels beside others that run as written.
export DL_DETECT=off
. "$(dirname "$0")/pocl_race.sh"
program=$DL_BUILD/tests/$1
never_tiled=" programs_left_alone host_pointer_buffer sub_buffer_outlives_the_name_of_its_buffer a_buffer_smaller_than_a_row_is_not_converted a_pointer_outlives_its_map "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

run() { # NAME COMMAND...
    "$DL_BUILD/tests/watched" -c 600 "${@:2}" >"$work/out" 2>&1 && return
    if ! is_pocl_race "$work/out" || ! "$DL_BUILD/tests/watched" -c 600 "${@:2}" >"$work/out" 2>&1; then
        echo "FAILED $1"
        sed 's/^/    /' "$work/out"
        failed=1
    fi
}

run "natively" "$program"
# A driver that does not live through the program without DL shows nothing under DL.
if [ $failed -ne 0 ] && grep -q '^watched: nothing done in' "$work/out"; then
    echo "the driver hangs in $1 without DL: skipped"
    exit 77
fi
# What programs are built from does not hang on more than two layouts. Half of the rest a turn (common/turn.h).
takes() { [ "$1" = "${DL_TURN:-0}" ] || [ -n "${DL_TEST_FULL:-}" ]; }
# With tiles of 32 each test runs alone below, unless few are wanted.
if takes 1 || [ -n "${DL_TEST_FEW:-}" ]; then
run "asta, tile 32" "$DL_BUILD/bin/dl-run" --layout asta --tile 32 -- "$program"
fi
if takes 1 || [ -n "${DL_TEST_FEW:-}" ]; then
run "da" "$DL_BUILD/bin/dl-run" --layout da --tile 8 -- "$program"
fi
[ -z "${DL_TEST_FEW:-}" ] || exit $failed
# What statistics say of a launch must not need what only a conversion has looked at, such as a row's width.
if [ "${2:-}" = few ] && takes 0; then
run "coalesced, with statistics" "$DL_BUILD/bin/dl-run" --layout coalesced --stats="$work/stats.json" -- "$program"
run "grid, with statistics" "$DL_BUILD/bin/dl-run" --layout grid --stats="$work/stats.json" -- "$program"
fi
if [ "${2:-}" != few ] && takes 0; then
run "asta, tile 8" "$DL_BUILD/bin/dl-run" --layout asta --tile 8 -- "$program"
run "asta, no staging" "$DL_BUILD/bin/dl-run" --layout asta --tile 8 --staging 0 -- "$program"
run "aos" "$DL_BUILD/bin/dl-run" --layout aos -- "$program"
fi
if [ "${2:-}" != few ] && takes 1; then
run "asta, tile 77" "$DL_BUILD/bin/dl-run" --layout asta --tile 77 -- "$program"
run "rewritten, on AoS" "$DL_BUILD/bin/dl-run" --layout asta --tile 1 -- "$program"
run "asta, no copies" "$DL_BUILD/bin/dl-run" --layout asta --memory-cap 0 -- "$program"
run "asta, small staging" "$DL_BUILD/bin/dl-run" --layout asta --tile 8 --staging 200 -- "$program"
fi

# PoCL may end a program at its races, natively too.
for _ in 1 2 3; do
    CK_VERBOSITY=verbose "$program" >"$work/list" 2>/dev/null && break
done
sed -n 's/^[^:]*:[0-9]*:P:\([^:]*\):.*/\1/p' "$work/list" | sort -u >"$work/cases"
[ -s "$work/cases" ] || { echo "FAILED: no list of tests"; failed=1; }
while read -r case; do
    run "$case alone" env CK_RUN_CASE="$case" "$DL_BUILD/bin/dl-run" --layout asta --tile 32 \
        --stats="$work/stats.json" -- "$program"
    case $never_tiled in *" $case "*) continue ;; esac
    if ! grep -q '"marshal_count":[1-9]' "$work/stats.json"; then
        echo "FAILED $case: its buffer was never in tiles"
        failed=1
    fi
    rm -f "$work/stats.json"
done <"$work/cases"
exit $failed
