#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What PoCL gives out as a program's binary while another process writes the files that it is made of
# is of no use, and PoCL aborts whoever gives it back. A program that met with that leaves nothing in
# DL's cache that the next one dies of.
set -u
program=$DL_BUILD/tests/random_cancelled
library=$DL_BUILD/tests/libhalf_written.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR=$work/pocl DL_CACHE=$work/dl
failed=0
# A library built with a sanitizer needs its runtime first.
runtime=$(ldd "$library" | awk '/lib(asan|tsan)\.so/ { print $3; exit }')

run() { # WHAT [NAME=VALUE...]
    mkdir -p "$work/pocl"
    env "${@:2}" "$DL_BUILD/tests/watched" -c 600 "$DL_BUILD/bin/dl-run" --log quiet --layout asta --tile 8 \
        --stats="$work/stats" -- "$program" 0 1 no-late-waits no-broken-queues >"$work/out" 2>"$work/err" || {
        echo "FAILED $1"
        tail -n 5 "$work/err"
        failed=1
    }
    rm -rf "$work/pocl"
}

run "while the files are empty" LD_PRELOAD="${runtime:+$runtime:}$library"
grep -q '^half_written:' "$work/err" || {
    echo "the driver makes no binaries of such files: skipped"
    exit 77
}
run "afterwards"
grep -q '"marshal_count":[1-9]' "$work/stats" || { echo "FAILED: nothing is in tiles"; failed=1; }
exit $failed
