#!/bin/bash
# SPDX-License-Identifier: MIT
# Each call of a wrapped entry point meets its hook exactly once, in every combination of ways to
# reach OpenCL, loaders and ways of catching.
DL_LIBRARY=$DL_BUILD/tests/libdl_counting.so
. "$(dirname "$0")/common.sh"

# These two hooks are not the counting ones.
others='^clGetExtensionFunctionAddress'

for loader in $loaders bundled; do
    for reach in $(reaches_of "$loader"); do
        for how in $(ways_of "$loader"); do
            is_out_of_reach "$loader" $reach && continue
            rm -f "$work"/*
            CALLS_COUNTS=$work/made DL_COUNTS=$work/hooked \
                under "$loader" "$how" $(program_of $reach) >/dev/null 2>"$work/err" ||
                fail "$loader $reach $how: $(tail -n 1 "$work/err")"
            touch "$work/hooked"
            grep -v "$others" "$work/made" | sort >"$work/a"
            grep -v "$others" "$work/hooked" | sort >"$work/b"
            [ "$(wc -l <"$work/a")" -ge 50 ] || fail "$loader $reach $how: too few calls"
            cmp -s "$work/a" "$work/b" || {
                fail "$loader $reach $how: made (<) and hooked (>) differ"
                diff "$work/a" "$work/b" | head -n 6
            }
        done
    done
done
finish
