#!/bin/bash
# SPDX-License-Identifier: MIT
# layouts_test.sh PROGRAM...: under DL, in each layout, each program gives the bytes that it gives
# natively. Tells how many of a program's kernels were launched transformed. Every third program a turn
# (common/turn.h), on one of the four layouts; all on all with DL_TEST_FULL: what takes long is that each is rewritten
# and compiled.
set -u
folder=$DL_BUILD/tests/programs
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

number=0
for program in "$@"; do
    number=$((number + 1))
    [ -n "${DL_TEST_FULL:-}" ] || [ $((number % 3)) = $((1 - ${DL_TURN:-0})) ] || continue
    case ${DL_TEST_FULL:+full}$((number / 3 % 3)) in
    full*) layouts='asta da auto' ;;
    0) layouts=asta ;;
    1) layouts=da ;;
    2) layouts=auto ;;
    esac
    "$folder/$program" >"$output/native" 2>"$output/errors" ||
        fail "$program: $(cat "$output/errors")"
    told="$program:"
    for layout in $layouts; do
        rm -f "$output/stats.json"
        "$DL_BUILD/bin/dl-run" --layout $layout --stats="$output/stats.json" -- "$folder/$program" \
            >"$output/seen" 2>"$output/errors" ||
            fail "$program in layout $layout: $(cat "$output/errors")"
        cmp -s "$output/native" "$output/seen" ||
            fail "layout $layout: $(cat "$output/seen"), natively $(cat "$output/native")"
        kernels=$(grep -oE '"kernel":"[^"]*","launches":[0-9]+,"native_launches":[0-9]+' \
            "$output/stats.json")
        # A program that went past DL would have the same bytes, too.
        [ -n "$kernels" ] || fail "DL saw no kernel of $program in layout $layout"
        transformed=$(grep -vc '"launches":0,' <<<"$kernels")
        told+=" $layout $transformed of $(wc -l <<<"$kernels"),"
    done
    echo "${told%,} kernels transformed"
done
exit $failed
