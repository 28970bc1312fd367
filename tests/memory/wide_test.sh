#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Structs so large that a tile of them does not fit local memory get tiles of fewer; beyond that their
# kernel runs as written and one line says so; a tile set by hand stays.
set -u
program=$DL_BUILD/tests/wide_program
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# tile FLOATS TILE WARNINGS OPTIONS...: TILE - is none
tile() {
    local floats=$1 want=$2 warnings=$3 got
    shift 3
    rm -f "$work/stats.json"
    "$DL_BUILD/tests/watched" -c 600 "$DL_BUILD/bin/dl-run" --layout asta --stats="$work/stats.json" \
        "$@" -- "$program" "$floats" >"$work/log" 2>&1 || { echo "FAILED: $floats floats $*"; cat "$work/log"; failed=1; }
    got=$(grep -o '"layout":"ASTA","tile":[0-9]*' "$work/stats.json" | head -1 | grep -o '[0-9]*$')
    [ "${got:--}" = "$want" ] ||
        { echo "FAILED: $floats floats $*: a tile of ${got:-none}, not $want"; failed=1; }
    got=$(grep -c 'too large for tiles' "$work/log")
    [ "$got" = "$warnings" ] ||
        { echo "FAILED: $floats floats $*: $got warnings, not $warnings"; cat "$work/log"; failed=1; }
}

# Some devices prefer more; PoCL has at least the 48 KiB that DL counts on.
tile 10 32 0 --tile auto
tile 1000 8 0
tile 5000 - 1
tile 1000 32 0 --tile 32
exit $failed
