#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: an annotated kernel of which not every access is shown to be the program's is said to be so, in one line, also
# where that is known from the cache, and its first rewritten launch is compared with its own text.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}
export DL_CACHE=$work/cache
mkdir -m 700 "$DL_CACHE"
program=$DL_BUILD/tests/programs/fountain
"$DL_BUILD/bin/dl-run" --advise="$work/side" -- "$program" >"$work/native" || fail "natively"
for turn in first second; do
    "$DL_BUILD/bin/dl-run" --annotations "$work/side" --layout asta --log debug -- "$program" >"$work/out" 2>"$work/err" ||
        fail "$turn: $(cat "$work/err")"
    cmp -s "$work/native" "$work/out" || fail "$turn: other bytes"
    [ "$(grep -c "kernel 'emit': 2 of its 7 accesses are not shown" "$work/err")" = 1 ] || fail "$turn: $(cat "$work/err")"
    grep -q "kernel 'emit': its first rewritten launch gives the same bytes" "$work/err" || fail "$turn: $(cat "$work/err")"
    [ "$(grep -c 'gives the same bytes' "$work/err")" = "$(grep -c 'not shown' "$work/err")" ] ||
        fail "$turn: others are tried: $(cat "$work/err")"
done
