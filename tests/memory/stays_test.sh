#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stays_test.sh PROGRAM STAGING [AREAS]: runs a program whose commands touch parts of tiled buffers natively,
# then under DL with several layouts: every test must pass each time, each with a buffer that was
# tiled, and no buffer may have been brought back, with STAGING bytes to look through either.
# Without any the bytes are the same. With AREAS, each of the cases each_command_waited_for_... takes that many.
set -u
program=$DL_BUILD/tests/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

run() { # NAME COMMAND...
    if ! "$DL_BUILD/tests/watched" -c 600 "${@:2}" >"$work/out" 2>&1; then
        echo "FAILED $1"
        sed 's/^/    /' "$work/out"
        failed=1
    fi
}

stays() { # OPTION...
    local tiled
    run "$*" "$DL_BUILD/bin/dl-run" "$@" --stats="$work/stats.json" -- "$program"
    tiled=$(sed -n 's/.*"marshal_count":\([0-9]*\).*/\1/p' "$work/stats.json")
    [ "${tiled:-0}" -ge "$checks" ] || { echo "FAILED $*: $tiled tiled, want $checks"; failed=1; }
    grep -q '"bring_back_count":0' "$work/stats.json" || { echo "FAILED $*: brought back"; failed=1; }
}

run "natively" "$program"
checks=$(sed -n 's/.*Checks: \([0-9]*\),.*/\1/p' "$work/out")
[ "${checks:-0}" -gt 0 ] || { echo "FAILED: no tests"; failed=1; }
stays --layout asta --tile 8
stays --layout asta --tile 77
stays --layout da --tile 8
stays --layout asta --tile 32 --staging "$2"

# What the program has waited for leaves its area at once: no more are made than one at a time takes.
for order in ${3:+in_order out_of_order}; do
    run "areas, $order" env CK_RUN_CASE=each_command_waited_for_$order "$DL_BUILD/bin/dl-run" --layout asta \
        --tile 8 --stats="$work/stats.json" -- "$program"
    areas=$(sed -n 's/.*"area_count":\([0-9]*\).*/\1/p' "$work/stats.json")
    [ "${areas:-0}" = "$3" ] || { echo "FAILED $order: $areas areas, not $3"; failed=1; }
done
run "no staging" "$DL_BUILD/bin/dl-run" --layout asta --tile 8 --staging 0 -- "$program"
exit $failed
