#!/bin/bash
# SPDX-License-Identifier: MIT
# Kernels that a side file says read discrete arrays never run on structs, in whatever way their
# program came about: from a binary, from IL, built in, or recorded to run later. Their launch, or
# their recording, fails, the driver gets no such call, and a line says why. See host_tiles.c.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8 FAKE_DEFERRED=0 DL_CACHE=$work/cache
printf 'fake_add_one: SoA: a[][4]\nfake_plain: SoA: p[][3]\n' >"$work/side"

while read -r case pattern said; do
    [ -n "$case" ] || continue
    rm -f "$work/log"
    DL_ANNOTATIONS=$work/side FAKE_LOG=$work/log guard=$watched under ocl-icd preload \
        "$tests/host_tiles" "$case" >"$work/out" 2>"$work/err" && fail "$case: nothing was refused"
    grep -qE -- '-5$' "$work/out" "$work/err" || fail "$case: $(cat "$work/out" "$work/err")"
    [ "$(grep -c "$said" "$work/err")" = 1 ] || fail "$case: not said once: $(cat "$work/err")"
    grep -qE "$pattern" "$work/log" && fail "$case: the driver got $(grep -E "$pattern" "$work/log")"
done <<'END'
program_from_binary         ^clEnqueueNDRangeKernel.*kernel#3, 'fake_add_one' reads discrete arrays
program_of_built_in_kernels ^clEnqueueNDRangeKernel.*kernel#3, 'fake_add_one' reads discrete arrays
program_from_il             ^clEnqueueNDRangeKernel.*kernel#3, 'fake_add_one' reads discrete arrays
program_by_address          ^clEnqueueNDRangeKernel.*kernel#3, 'fake_add_one' reads discrete arrays
recorded_kernel             ^clCommandNDRangeKernelKHR             reads discrete arrays (SoA), which recorded
kernel_by_address           ^clEnqueueNDCountKernelINTEL           reads discrete arrays (SoA), which recorded
END
finish
