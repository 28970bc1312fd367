#!/bin/bash
# SPDX-License-Identifier: MIT
# Threads that arrive together at the first use of OpenCL are all caught, with every call hooked
# once from the first; forked children that don't use OpenCL come to no harm.
DL_LIBRARY=$DL_BUILD/tests/libdl_counting.so
. "$(dirname "$0")/common.sh"

for loader in $loaders; do
    for how in $(ways_of "$loader"); do
        for round in 1 2 3 4 5 6 7 8; do
            rm -f "$work"/*
            DL_COUNTS=$work/hooked DL_LOG=debug guard=$watched under "$loader" "$how" \
                "$tests/host_threads" >"$work/out" 2>"$work/err" || fail "$loader $how: $(tail -n 1 "$work/err")"
            printf 'child 0\nbuffers 800\nchild 0\n' | cmp -s - "$work/out" ||
                fail "$loader $how $round: $(tr '\n' ' ' <"$work/out")"
            # The idle children count too, after the fork: the parent's line is the last.
            [ "$(awk '$1 == "clCreateBuffer" { n = $2 } END { print n }' "$work/hooked")" = 800 ] ||
                fail "$loader $how $round: hooked $(grep clCreateBuffer "$work/hooked")"
            [ "$(grep -c caught "$work/err")" = 1 ] || fail "$loader $how $round: not caught once"
        done
    done
done
finish
