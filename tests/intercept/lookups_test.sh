#!/bin/bash
# SPDX-License-Identifier: MIT
# No call looks a handle up twice in DL's table: the cases of tiles_test.sh, every third one a turn, all with
# DL_TEST_FULL, and every entry point (calls.c), with a library that counts (lookups.c).
. "$(dirname "$0")/common.sh"
dl=$tests/libdl_lookups.so
export DL_LAYOUT=asta DL_TILE=8 DL_LOG=quiet DL_LOOKUPS=$work/lookups

under ocl-icd preload "$tests/host_linked" >"$work/out" 2>&1 || fail "host_linked: $(tail -n 1 "$work/out")"
number=0
while read -r case _ _ _ _ setting _; do
    [ -n "$case" ] || continue
    number=$((number + 1))
    [[ $((number % 3)) = "${DL_TURN:-0}" || -n ${DL_TEST_FULL:-} || $case =~ image|^asked$ ]] || continue # no others make their calls
    IFS=';' read -ra settings <<<"$setting"
    guard=$watched under ocl-icd preload "${settings[@]}" "$tests/host_tiles" "$case" \
        >"$work/out" 2>&1 || fail "$case: $(tail -n 1 "$work/out")"
    for hook in $(sed -n 's/ AGAIN$//p' "$DL_LOOKUPS"); do
        fail "$case: $hook looks a handle up twice"
    done
    sed -i '/ AGAIN$/d' "$DL_LOOKUPS"
done < <(sed -n '/^done <<.END.$/,/^END$/p' "$DL_SOURCE/tests/intercept/tiles_test.sh" | sed '1d;$d')
for hook in $(grep -oE 'X\([a-z_ *]+, cl[A-Za-z0-9]+' "$DL_SOURCE/libdl_intercept/hooks/hook_list.h" | sed 's/.*[ *]//'); do
    grep -q "^$hook CALLS" "$DL_LOOKUPS" || fail "$hook was not called"
done
finish
