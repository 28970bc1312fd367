#!/bin/bash
# SPDX-License-Identifier: MIT
# Whatever call the driver fails, and however it runs its commands, an unannotated program sees
# and does the same with and without DL.
. "$(dirname "$0")/common.sh"

run() { # NAME HOW SETTING
    FAKE_LOG=$work/$1.log FAKE_LOG_RUNS=1 guard=$watched under ocl-icd "$2" "$3" \
        "$tests/host_linked" >"$work/$1.out" 2>"$work/$1.err"
    echo "status $?" >>"$work/$1.out"
}

compare() { # SETTING
    rm -f "$work"/*
    run native native "$1"
    run dl preload "$1"
    # Where the program sets a user event in vain, it waits for ever; that, too, it does as without.
    [ "$1" = FAKE_FAIL=clSetUserEventStatus:1=-6 ] || grep -q '^status 0$' "$work/native.out" || fail "$1: native $(tail -n 1 "$work/native.out")"
    cmp -s "$work/native.log" "$work/dl.log" || {
        fail "$1: driver calls differ"
        diff "$work/native.log" "$work/dl.log" | head -n 6
    }
    cmp -s "$work/native.out" "$work/dl.out" || {
        fail "$1: output differs"
        diff "$work/native.out" "$work/dl.out" | head -n 6
    }
}

names=$(grep -oE 'X\([a-z_ *]+, cl[A-Za-z]+' "$DL_SOURCE/libdl_intercept/hooks/hook_list.h" |
    sed 's/.* //')
[ "$(wc -w <<<"$names")" -gt 50 ] || fail "the list was not read"
for name in $names; do
    compare "FAKE_FAIL=$name:1=-6"
    compare "FAKE_FAIL=$name:2=-5"
done
compare FAKE_DEFERRED=1
compare FAKE_DEVICES=2
compare FAKE_DEVICE_TYPE=cpu
finish
