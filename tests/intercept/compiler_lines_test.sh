#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: what the driver's compiler prints on standard error ("1 warning generated.", of PoCL) is of the
# program's own builds alone: a program whose text warns has the same lines under DL.
. "$DL_SOURCE/tests/intercept/common.sh"
host=$tests/host_doctor
[ -z "$runtime" ] || exit 77 # the sanitizer has lines of its own

cat >"$work/warns.cl" <<'END'
typedef struct { float at, by; int n; } body;
#warning a line of the compiler's
//DL: AoS: p[n]
__kernel void move(__global body *p, int n)
{
    int i = get_global_id(0);
    if (i < n)
        p[i].at += p[i].by;
}
END
export POCL_CACHE_DIR=$work/pocl DL_CACHE=off
run() { # WHERE COMMAND...
    local where=$1
    shift
    rm -rf "$POCL_CACHE_DIR" && mkdir "$POCL_CACHE_DIR"
    "$@" source "$work/warns.cl" move >"$work/out" 2>"$where" || fail "$*: $(cat "$work/out" "$where")"
}
run "$work/native" "$host"
layouts=asta # by turns (tests/common/turn.h)
[ "${DL_TURN:-0}" = 0 ] || layouts=da
[ -z "${DL_TEST_FULL:-}" ] || layouts='asta da'
for layout in $layouts; do
    run "$work/seen" "$DL_BUILD/bin/dl-run" --layout $layout --stats="$work/stats.json" -- "$host"
    cmp -s "$work/native" "$work/seen" || fail "--layout $layout: $(diff "$work/native" "$work/seen")"
    grep -q '"kernel":"move","launches":1,' "$work/stats.json" || fail "--layout $layout rewrote nothing: $(cat "$work/stats.json")"
done
finish
