#!/bin/bash
# SPDX-License-Identifier: MIT
# native_test.sh PROGRAM...: each program runs twice with equal checksums, the second time with its own check.
set -u
folder=$DL_BUILD/tests/programs
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

for program in "$@"; do
    "$folder/$program" >"$output/first" 2>"$output/errors" || fail "$program: $(cat "$output/errors")"
    "$folder/$program" --check >"$output/checked" 2>"$output/errors" ||
        fail "$program --check: $(cat "$output/errors")"
    grep -qE "^$program: checksum [0-9a-f]{16}$" "$output/first" ||
        fail "$program prints no checksum: $(cat "$output/first")"
    cmp -s "$output/first" "$output/checked" ||
        fail "$program: $(cat "$output/first"), but with --check: $(cat "$output/checked")"
    cat "$output/first"
done

# What is wrong is told in one line, with a failing status.
for wrong in '--size 0' '--size' '--steps x' '--sizes 3'; do
    # shellcheck disable=SC2086 # two words
    "$folder/$1" $wrong >"$output/first" 2>"$output/errors" && fail "$1 takes $wrong"
    [ "$(wc -l <"$output/errors")" = 1 ] || fail "$1 $wrong says: $(cat "$output/errors")"
done
exit $failed
