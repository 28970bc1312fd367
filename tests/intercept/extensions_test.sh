#!/bin/bash
# SPDX-License-Identifier: MIT
# Extension functions by address: the driver gets the same calls as without DL under both
# versions of the command buffers' signatures; the state is told of every buffer, kernel, queue
# and program that passes; what is none of DL's business comes back untouched.
DL_LIBRARY=$DL_BUILD/tests/libdl_counting.so
. "$(dirname "$0")/common.sh"

for loader in $loaders; do
    for version in old new; do
        rm -f "$work"/*
        for how in native $(ways_of "$loader"); do
            FAKE_COMMAND_BUFFER=$version FAKE_LOG=$work/$how.log DL_COUNTS=$work/$how.counts \
                under "$loader" "$how" "$tests/host_extensions" $version \
                >"$work/$how.out" 2>"$work/$how.err" || fail "$loader $how $version: fails"
        done
        [ "$(grep -c '^recorded 0 1$' "$work/native.out")" = 4 ] || fail "$loader native $version"
        # The directly linked driver is libOpenCL itself.
        grep -qE '^unrelated is of lib(fake_opencl|OpenCL)' "$work/native.out" ||
            fail "$loader native $version: $(grep unrelated "$work/native.out")"
        for how in $(ways_of "$loader"); do
            what="$loader $how $version"
            cmp -s "$work/native.out" "$work/$how.out" || {
                fail "$what: output differs"
                diff "$work/native.out" "$work/$how.out"
            }
            cmp -s "$work/native.log" "$work/$how.log" || {
                fail "$what: driver calls differ"
                diff "$work/native.log" "$work/$how.log" | head -n 5
            }
            grep '^want' "$work/$how.err" | sed 's/^want //; s/^\(mem\|kernel\) /pin \1 /' |
                sort -u >"$work/want"
            [ "$(wc -l <"$work/want")" = 11 ] || fail "$what: wants are missing"
            while read -r line; do
                grep -qxF "$line" "$work/$how.err" || fail "$what: not told: $line"
            done <"$work/want"
            grep -qx 'pin everything' "$work/$how.err" || fail "$what: mutable dispatch"
            # What the driver calls inside is no call of the program's.
            grep -E '^(clEnqueueNDRangeKernel|clSetKernelArgSVMPointer|clCreateProgramWithIL) ' "$work/$how.counts" &&
                fail "$what: the driver's own calls were hooked"
            # Six of the program's, and the one that was made through an address.
            grep -qx 'clCreateBuffer 7' "$work/$how.counts" ||
                fail "$what: $(grep '^clCreateBuffer ' "$work/$how.counts")"
        done
    done
done
finish
