#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: a grid that DL can't give its layout is one line that says what is wrong with it, and the kernel runs
# as written: layouts that miss or double bits, extents of 0, more than 8 dimensions, grids larger than
# their buffer, none that is given a layout. One that is sound runs in it.
set -u
heat=$DL_BUILD/samples/heat
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
size="--size 9x8x7 --steps 3 --check"
# shellcheck disable=SC2086
"$heat" $size >"$work/native" 2>&1
status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || { echo "FAILED: natively"; cat "$work/native"; exit 1; }
while IFS='|' read -r annotation wanted; do
    echo "heat_step: $annotation" >"$work/side"
    # shellcheck disable=SC2086
    "$DL_BUILD/bin/dl-run" --annotations "$work/side" --layout grid --log remark --stats="$work/stats" -- \
        "$heat" $size >"$work/out" 2>"$work/log" || { echo "FAILED: $annotation"; tail -n 3 "$work/log"; failed=1; }
    launches=$(grep -oE '"launches":[0-9]+' "$work/stats" | cut -d: -f2 | head -n 1)
    lines=$(grep -c ' warning: ' "$work/log")
    if [ "$wanted" = runs ]; then
        [ "$lines" = 0 ] && [ "${launches:-0}" -ge 3 ] ||
            { echo "FAILED: $annotation: ${launches:-no} launches in it"; cat "$work/log"; failed=1; }
    elif [ "$lines" != 1 ] || ! grep -q "$wanted" "$work/log" || [ "${launches:-0}" != 0 ]; then
        echo "FAILED: $annotation: $lines lines, not one with: $wanted"
        cat "$work/log"
        failed=1
    fi
done <<'END'
grid: now[nz][ny][nx], next[nz][ny][nx] as z y[*] x[*] y[1:0] x[2:0]|runs
grid: now[nz][ny][nx], next[nz][ny][nx] as ASTA/4|runs
grid: now[nz][ny][nx] as z y[*] x[*] y[0:0] x[1:0], next[nz][ny][nx] as z y[*] x[*] y[0:0] x[1:0]|runs
grid: now[nz * ny * nx], next[nz * ny * nx] as k[*] k[2:0]|the layout of the grid is the program
grid: now[nz * ny * nx], next[nz * ny * nx]|the grid has no layout
grid: now[nz][ny][nx], next[nz][ny][nx]|the layout derived for the grid is the program
grid: now[nz][ny][nx], next[nz][ny][nx] as z y x|the layout of the grid is the program
grid: now[nz][ny][nx], next[nz][ny][nx] as AoS|the layout of the grid is the program
grid: now[nz][ny][nx], next[nz][ny][nx] as z y[*] x y[1:1]|lacks the lower bits
grid: now[nz][ny][nx], next[nz][ny][nx] as z y x x|twice
grid: now[nz][ny][nx], next[nz][ny][nx] as z y|lacks a dimension
grid: now[nz][ny][nx], next[nz][ny][nx] as z y w|names 'w'; the grid has z y x
grid: now[nz][ny][0], next[nz][ny][0] as DA|an extent of 'now' is 0
grid: now[nz][ny][nx - 9], next[nz][ny][nx] as DA|extent k of the grid evaluates to 0
grid: now[nz + 1][ny][nx], next[nz][ny][nx] as DA|the grid has 576 elements, its buffer 504
grid: now[1][1][1][1][1][1][nz][ny][nx], next[nz][ny][nx] as DA|at most 8 dimensions
END
exit $failed
