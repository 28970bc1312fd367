#!/bin/bash
# SPDX-License-Identifier: MIT
# A program with include/dl.h finds DL by weak symbols or by address, under every loader and in every
# way of being caught, and runs without it; the header is C99 and C++.
. "$(dirname "$0")/common.sh"

printf 'set -59\nmarshal -59\nread 0\nwrite 0\nread 0\nget 0\nkind 0, structs 0\n' >"$work/without"
printf 'set 0\nmarshal 0\nread 0\nwrite 0\nread 0\nget 0\nkind 3, structs 25000\n' >"$work/with"
for program in host_dl_h host_dl_h_by_address; do
    for loader in $loaders; do
        for how in native $(ways_of "$loader"); do
            wanted=with
            [ "$how" != native ] || wanted=without
            guard=$watched under "$loader" "$how" "$tests/$program" >"$work/out" 2>"$work/err" ||
                fail "$program, $loader $how: $(tail -n 1 "$work/err")"
            cmp -s "$work/$wanted" "$work/out" ||
                fail "$program, $loader $how: $(tr '\n' ' ' <"$work/out")"
        done
    done
done
# A step of a conversion that fails is tried again, at once and then at the next use of the buffer. Only
# for as long as it fails can the buffer not be read; one that failed before its first step has
# changed nothing, and writing all of it needs no step.
# Where a buffer as large as the program's can be had it is converted aside, in one step.
export FAKE_MEMORY_BYTES=100000
launches=$(FAKE_LOG=$work/log under ocl-icd preload "$tests/host_dl_h" >/dev/null &&
    grep -c '^clEnqueueNDRangeKernel' "$work/log")
[ "$launches" -ge 2 ] || fail "a conversion of $launches steps can't fail half-way"
fails() { # FIRST LAST MARSHAL READ: launches fail, what becomes of the conversion and the read
    local launch settings=
    for ((launch = $1; launch <= $2; launch++)); do
        settings+=${settings:+,}clEnqueueNDRangeKernel:$launch=-5
    done
    FAKE_FAIL=$settings DL_LOG=quiet under ocl-icd preload "$tests/host_dl_h" >"$work/out" 2>&1
    printf 'set 0\nmarshal %d\nread %d\nwrite 0\nread 0\nget 0\nkind 3, structs 25000\n' \
        "$3" "$4" >"$work/wanted"
    cmp -s "$work/wanted" "$work/out" || fail "launches $1 to $2 fail: $(tr '\n' ' ' <"$work/out")"
}
fails 1 1 0 0
fails 2 2 0 0
fails 1 3 -6 0
fails 2 4 0 0
fails 2 7 -5 0
fails 2 60 -5 -5
# The weak symbols do it alone.
nm "$tests/host_dl_h" | grep -q ' w clGetBufferLayoutDL' || fail "no weak symbol"

echo '#include "dl.h"' >"$work/user.c"
cp "$work/user.c" "$work/user.cc"
include="-I$DL_SOURCE/include -DCL_TARGET_OPENCL_VERSION=300 -fsyntax-only -Wall -Wextra -Werror -Wshadow"
${CC:-cc} -std=c99 -pedantic $include "$work/user.c" || fail "as C99"
if type c++ >/dev/null 2>&1; then
    c++ -std=c++11 $include "$work/user.cc" || fail "as C++"
fi
finish
