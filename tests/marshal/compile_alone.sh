#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: every kernel file compiles alone, with its default knobs and with others: one set of three, by turns, of
# the files; all with DL_TEST_FULL.
clang=$(command -v clang || ls /usr/bin/clang-* 2>/dev/null | grep -E 'clang-[0-9]+$' | tail -1)
[ -n "$clang" ] || { echo "clang is not installed: skipped"; exit 77; }
failed=0
number=${DL_TURN:-0}
for file in "$DL_SOURCE"/marshal_kernels/{,thesis/}*.cl "$DL_SOURCE"/transpose/algorithms/*.cl "$DL_SOURCE"/tools/dl-bench/*.cl; do
    others=("-DINVERSE=1 -DELEMENT_BYTES=1 -DCOLUMNS=7u -DINDEX_64" "-DELEMENT_BYTES=16 -DLEAF_STARTS=0x25u" "-DROW=8u")
    [ -n "${DL_TEST_FULL:-}" ] || others=("${others[number % 3]}")
    number=$((number + 1))
    for knobs in "" "${others[@]}"; do
        # shellcheck disable=SC2086
        "$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Werror \
            -Wno-unused-function -fsyntax-only -target spir64 -I"$DL_SOURCE" $knobs "$file" ||
            { echo "FAILED: $file $knobs"; failed=1; }
    done
done
exit $failed
