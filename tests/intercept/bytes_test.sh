#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: a kernel that goes from row to row by bytes runs in tiles where the bytes that its arguments give are whole structs, and as
# written where they are not, launch by launch; every result is as natively.
. "$(dirname "$0")/common.sh"
program=$DL_BUILD/tests/host_bytes
dl_run=$DL_BUILD/bin/dl-run
[ -z "$machine_vendors" ] || export OCL_ICD_VENDORS=$machine_vendors

# moved TILED WRITTEN ARGUMENTS OPTION...: so many launches of either kind, with the same lines as natively.
moved() {
    local tiled=$1 written=$2 arguments=$3 got
    shift 3
    # Word by word.
    # shellcheck disable=SC2086
    "$program" $arguments >"$work/want" || fail "natively: $arguments"
    # shellcheck disable=SC2086
    "$dl_run" --detect on --log remark --stats="$work/stats.json" "$@" -- "$program" $arguments >"$work/got" 2>"$work/err" ||
        fail "$*: $arguments"
    cmp -s "$work/want" "$work/got" || fail "$* $arguments: $(diff "$work/want" "$work/got" | head -n 3)"
    [ "$tiled" = any ] && return
    got=$(python3 - "$work/stats.json" <<'EOF'
import json, sys
kernel = json.load(open(sys.argv[1]))["kernels"]
print(*[sum(k[kind]["launches"] for k in kernel if kind in k) for kind in ("rewritten", "as_written")])
EOF
    )
    [ "$got" = "$tiled $written" ] || fail "$* $arguments: launches in tiles and as written: $got, not $tiled $written"
}
moved 1 0 "34:170" --layout asta
moved 0 1 "36:170" --layout asta
grep -q "'w': the bytes by which a pointer into it is moved are not whole structs; the kernel runs as written" "$work/err" ||
    fail "not said: $(cat "$work/err")"
moved 4 2 "0:170 34:170 36:170 34:170 34:172:290 0:0" --layout asta
moved 4 2 "0:170 34:170 36:170 34:170 34:172:290 0:0" --layout da
# A stride that is negative, in a number without a sign.
moved 0 1 "50830:18446744073709551446" --layout asta
moved any any "0:170 34:170 36:170 34:170 34:172:290 0:0" --layout auto --policy-test 3
finish
