#!/bin/bash
# SPDX-License-Identifier: MIT
# What DL adds to clSetKernelArg and clEnqueueNDRangeKernel of programs stays
# within bounds; without annotations 100 and 160 instructions, no lock, no
# libclang. Instructions are counted, not
# timed, over the fake driver: the same on any machine.
. "$(dirname "$0")/common.sh"
type valgrind >/dev/null 2>&1 || exit 77
# A sanitizer's instructions are not DL's, and valgrind does not run them.
[ -z "$runtime" ] || exit 77
# The bounds are for the library as it is installed, not for one without optimisation.
grep -qE '^CMAKE_BUILD_TYPE:[A-Z]*=(Rel.*|MinSizeRel)?$' "$DL_BUILD/CMakeCache.txt" || exit 77

"$DL_BUILD/bin/dl-bench" overhead --vendors "$tests/vendors" >"$work/out" 2>&1 ||
    fail "$(cat "$work/out")"
[ "$(grep -cE '^(cl(SetKernelArg|EnqueueNDRangeKernel)|auto, |asta, )' "$work/out")" = 16 ] ||
    fail "no list of calls: $(cat "$work/out")"
# The bound is of DL's own instructions.
awk '/^(cl|auto, |asta, )/ && $(NF - 2) > $(NF - 1) { exit 1 }' "$work/out" || fail "over a bound: $(cat "$work/out")"
cat "$work/out"
finish
