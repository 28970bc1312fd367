#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Kernels on sub-buffers (test_sub_buffers.c) give the right bytes natively and under DL; where a
# sub-buffer begins at a tile they are rewritten ones, and the buffer is converted once.
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

dl() { # OPTION...
    run "$*" "$DL_BUILD/bin/dl-run" "$@" -- "$program"
}

# counts CASE NATIVE MARSHALS BACK OPTION...: of one case under DL.
counts() {
    local native marshals back
    run "$1" env CK_RUN_CASE="$1" "$DL_BUILD/bin/dl-run" "${@:5}" --stats="$work/stats.json" -- \
        "$program"
    native=$(grep -o '"native_launches":[0-9]*' "$work/stats.json" | awk -F: '{ n += $2 } END { print n }')
    marshals=$(sed -n 's/.*"marshal_count":\([0-9]*\).*/\1/p' "$work/stats.json")
    back=$(sed -n 's/.*"bring_back_count":\([0-9]*\).*/\1/p' "$work/stats.json")
    [ "$native $marshals $back" = "$2 $3 $4" ] ||
        { echo "FAILED $*: $native as written, $marshals there, $back back"; failed=1; }
    rm -f "$work/stats.json"
}

says() { # TEXT
    [ "$(grep -c "$1" "$work/out")" -eq 1 ] || { echo "FAILED: not said once: $1"; failed=1; }
}

# Tiles by turns (common/turn.h), all with DL_TEST_FULL.
tiles="8 32"
[ "${DL_TURN:-0}" = 0 ] || tiles="32 77"
[ -z "${DL_TEST_FULL:-}" ] || tiles="8 32 77"
run natively "$program"
for tile in $tiles; do
    [ "$tile" = 32 ] || dl --layout asta --tile "$tile" # those of 32 are verified below
done
dl --layout da --tile 8
dl --layout asta --tile 1 --memory-cap 0 --staging 0
dl --layout asta --tile 32 --verify
grep 'verif' "$work/out" | grep -vE '^dl: verify: ([0-9]+) launches compared: \1 equal$' && { echo "FAILED: a launch differs or is not verified"; failed=1; }

for tile in $tiles; do
    counts stays_in_tiles 0 1 0 --layout asta --tile "$tile"
done
counts from_the_first_struct 0 1 0 --layout da --tile 8
counts from_the_first_struct 0 1 0 --layout asta --tile 4096
counts begins_elsewhere 3 0 0 --layout asta --tile 32
says "kernel 'advance', buffer 'f': the sub-buffer begins inside a struct: at byte 1024 of structs of 24; the kernel runs as written"
says "kernel 'total', buffer 'f': the sub-buffer begins inside a tile: at struct 16 of tiles of 32; the kernel runs as written"
counts begins_elsewhere 2 1 0 --layout asta --tile 8
counts begins_elsewhere 3 0 0 --layout da --tile 8
says "the sub-buffer begins inside the buffer's discrete arrays: at struct 48"

# Of several devices, none is shown bytes behind a sub-buffer's end.
export TWO_DEVICES=1 POCL_DEVICES="basic pthread"
counts stays_in_tiles 5 3 3 --layout asta --tile 8
says "kernel 'advance', buffer 'f': the sub-buffer ends inside a tile, and the context has several devices"
exit $failed
