#!/bin/bash
# SPDX-License-Identifier: MIT
# detect_test.sh PROGRAM...: under detection, in tiles, programs without any annotation give the bytes that
# they give natively; some of them in make test (two a turn, common/turn.h), all and both layouts with DL_TEST_FULL. Of those
# in make test each has kernels that run transformed.
set -u
folder=$DL_BUILD/tests/programs
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
few="d2q9 sph kmeans agents lbm3d fdtd"
these="d2q9 fdtd"
[ "${DL_TURN:-0}" = 0 ] || these="sph kmeans"
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

for program in "$@"; do
    layouts=asta
    [ -n "${DL_TEST_FULL:-}" ] && layouts="asta da"
    [ -z "${DL_TEST_FULL:-}" ] && ! grep -qw "$program" <<<"$these" && continue
    "$folder/$program" >"$output/native" 2>"$output/errors" ||
        fail "$program: $(cat "$output/errors")"
    told="$program:"
    for layout in $layouts; do
        "$DL_BUILD/bin/dl-run" --detect on --layout "$layout" --stats="$output/stats.json" -- \
            "$folder/$program" >"$output/seen" 2>"$output/errors" ||
            fail "$program in layout $layout: $(cat "$output/errors")"
        cmp -s "$output/native" "$output/seen" ||
            fail "$program, $layout: $(cat "$output/seen"), natively $(cat "$output/native")"
        grep '^dl: ' "$output/errors" && fail "$program, $layout: something is said"
        kernels=$(grep -oE '"kernel":"[^"]*","launches":[0-9]+,"native_launches":[0-9]+' \
            "$output/stats.json")
        transformed=$(grep -vc '"launches":0,' <<<"$kernels")
        # Arrays go to tiles alone.
        [ "$program $layout" = "fdtd da" ] && transformed=native
        grep -qw "$program" <<<"$few" && [ "$transformed" = 0 ] &&
            fail "$program, $layout: no kernel was transformed"
        told+=" $layout $transformed of $(wc -l <<<"$kernels"),"
    done
    echo "${told%,} kernels transformed"
done
exit $failed
