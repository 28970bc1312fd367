#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/README.md has a row for every hook and every thunk, and each row names a test.
. "$(dirname "$0")/common.sh"
readme=$DL_SOURCE/tests/README.md
hooks=$(grep -oE 'X\([a-z_ *]+, cl[A-Za-z]+' "$DL_SOURCE/libdl_intercept/hooks/hook_list.h" | sed 's/.*[ *]//')
thunks=$(grep -oE '^    \{"cl[A-Za-z0-9]+", [A-Z]+_?[A-Z]+' "$DL_SOURCE/libdl_intercept/entry/extensions.c" | grep -oE 'cl[A-Za-z0-9]+')
[ "$(wc -w <<<"$hooks")" -gt 50 ] && [ "$(wc -w <<<"$thunks")" -gt 10 ] || fail "the lists were not read"
for name in $hooks $thunks; do
    grep -qE "^\| $name \|.*(\`[a-z_]+\`|every case in tiles)" "$readme" || fail "$name: no row with a test"
done
finish
