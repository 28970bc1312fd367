#!/bin/bash
# SPDX-License-Identifier: MIT
# An unannotated program makes the same driver calls, gets the same results and prints the same
# with and without DL: however it reaches OpenCL, whatever the loader, however it is caught. And
# it is caught: once.
. "$(dirname "$0")/common.sh"

run() { # NAME LOADER HOW COMMAND...
    local name=$1
    shift
    FAKE_LOG=$work/$name.log DL_LOG=debug under "$@" >"$work/$name.out" 2>"$work/$name.err"
    echo "status $?" >>"$work/$name.out"
    # What ld.so says of the stand-in loaders' missing symbol versions.
    grep -v 'no version information available' "$work/$name.err" >"$work/$name.said"
}

for loader in $loaders bundled; do
    for reach in $(reaches_of "$loader"); do
        rm -f "$work"/*
        run native "$loader" native $(program_of $reach)
        if [ ! -s "$work/native.log" ] || ! grep -q '^status 0$' "$work/native.out"; then
            fail "$loader $reach native: does not run"
            continue
        fi
        for how in $(ways_of "$loader"); do
            what="$loader $reach $how"
            run dl "$loader" "$how" $(program_of $reach)
            cmp -s "$work/native.log" "$work/dl.log" || {
                fail "$what: driver calls differ"
                diff "$work/native.log" "$work/dl.log" | head -n 5
            }
            cmp -s "$work/native.out" "$work/dl.out" || {
                fail "$what: output differs"
                diff "$work/native.out" "$work/dl.out" | head -n 5
            }
            is_out_of_reach "$loader" $reach && continue
            grep -v "$(said_under "$loader") (host_" "$work/dl.said" >"$work/extra"
            [ ! -s "$work/extra" ] || fail "$what: says $(head -n 1 "$work/extra")"
            [ "$(grep -c "$(said_under "$loader") (host_" "$work/dl.said")" = 1 ] ||
                fail "$what: not $(said_under "$loader") just once"
            rm -f "$work"/dl.*
        done
    done
done
finish
