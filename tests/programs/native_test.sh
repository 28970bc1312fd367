#!/bin/bash
# SPDX-License-Identifier: MIT
# native_test.sh PROGRAM...: each program passes its own check, and, every other one a turn (common/turn.h), has the same
# checksum without.
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
    "$folder/$program" --check >"$output/checked" 2>"$output/errors" ||
        fail "$program --check: $(cat "$output/errors")"
    grep -qE "^$program: checksum [0-9a-f]{16}$" "$output/checked" ||
        fail "$program prints no checksum: $(cat "$output/checked")"
    cat "$output/checked"
    [ -n "${DL_TEST_FULL:-}" ] || [ $((number % 2)) = "${DL_TURN:-0}" ] || continue
    "$folder/$program" >"$output/first" 2>"$output/errors" || fail "$program: $(cat "$output/errors")"
    cmp -s "$output/first" "$output/checked" ||
        fail "$program: $(cat "$output/first"), but with --check: $(cat "$output/checked")"
done

# What is wrong is told in one line, with a failing status.
for wrong in '--size 0' '--size' '--steps x' '--sizes 3'; do
    # shellcheck disable=SC2086 # two words
    "$folder/$1" $wrong >"$output/first" 2>"$output/errors" && fail "$1 takes $wrong"
    [ "$(wc -l <"$output/errors")" = 1 ] || fail "$1 $wrong says: $(cat "$output/errors")"
done
exit $failed
