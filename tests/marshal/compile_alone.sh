#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: every kernel file compiles alone, with its default knobs and with others: one set of three, by turns, of
# the files; all with DL_TEST_FULL. On NVIDIA's devices the thesis's 100! by warps waits for the warp alone.
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
for mode in 0 1 2; do
    code=$("$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64 -D__NV_CL_C_VERSION=120 -DTEAM=8 \
        -DMODE=$mode -I"$DL_SOURCE" -S -O1 -o - "$DL_SOURCE/marshal_kernels/thesis/super.cl" 2>&1) ||
        { echo "clang makes no code for NVIDIA's devices: $code"; break; }
    # The first is the baseline, which waits for the group.
    [ $mode = 0 ] && waits=_Z7barrierj other=bar.warp.sync || waits=bar.warp.sync other=_Z7barrierj
    [[ $code = *$waits* && $code != *$other* ]] || { echo "FAILED: super.cl, MODE $mode: not by $waits alone"; failed=1; }
done
exit $failed
