#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: a kernel is what its program's build made it. Where a file that it is made of has changed before DL builds it
# anew, or the working folder has, it runs as written, which is said; with caches that know either text, too.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
program=$DL_BUILD/tests/changed_include
export DL_CACHE=$work/cache
mkdir -m 700 "$DL_CACHE"

# go WAY HOW [OPTION...]: its sum is $sum, what DL says is in $work/err.
go() {
    rm -rf "$work/here"
    mkdir "$work/here"
    sum=$(cd "$work/here" && "$DL_BUILD/bin/dl-run" --stats="$work/stats" "${@:3}" -- "$program" "$1" "$2" 2>"$work/err") ||
        fail "$*: $(cat "$work/err")"
}
right=$(mkdir "$work/here" && cd "$work/here" && "$program" built stays) || fail "natively"

# Two of the ways a turn (common/turn.h), all with DL_TEST_FULL.
ways="built linked"
[ "${DL_TURN:-0}" = 0 ] || ways="macro plain"
[ -z "${DL_TEST_FULL:-}" ] || ways="built macro linked plain"

# What becomes of the file comes first with a cache that knows nothing, then with one that knows what was built.
for way in $ways; do
    for how in changed gone moved stays changed gone moved; do
        go "$way" "$how" --layout asta --detect on --tile 8
        [ "$sum" = "$right" ] || fail "$way, $how: $sum, not $right"
        grep -q 'generated' "$work/err" && fail "$way, $how: $(cat "$work/err")"
        [ "$how" = stays ] && known=yes || known=${known:-no}
        grep -q '^{"kernel":"count".*"ASTA"' "$work/stats" && tiles=yes || tiles=no
        if [ "$how" = stays ]; then
            [ $tiles = yes ] || fail "$way, $how: it does not run in tiles"
        elif [ $known = no ]; then
            [ $tiles = no ] || fail "$way, $how: it runs in tiles"
            [ "$way" = plain ] || grep -q 'as written' "$work/err" || fail "$way, $how: nothing is said"
        fi
    done
    known=
done
exit $failed
