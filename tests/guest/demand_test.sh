#!/bin/bash
# SPDX-License-Identifier: MIT
# A kernel that demands discrete arrays, which as written would read other bytes: where no builder can be started
# its launch fails with CL_OUT_OF_RESOURCES and a line that names it, under any layout and without waiting for what
# has ended; where one can, it runs.
. "$(dirname "$0")/common.sh"
# Else threads take address space of their own by chance, and natively a run in twenty fails under `ulimit -v`.
export MALLOC_ARENA_MAX=1
export GUEST_KERNEL=soa
refused='clEnqueueNDRangeKernel: error -5'
lines=0

# is_refused WHAT: the last run was.
is_refused() {
    grep -qx "$refused" "$work/dl.out" && [ "$(cat "$work/dl.code")" = 9 ] ||
        fail "$1: ends with $(cat "$work/dl.code"): $(cat "$work/dl.out" "$work/dl.err")"
    [ "$(grep -cx "dl: error: kernel 'advance' reads discrete arrays (SoA) that it can't be given: its launches fail (dl-run --words explains the words)" "$work/dl.err")" = 1 ] ||
        fail "$1: no line: $(cat "$work/dl.err")"
    lines=$((lines + 1))
}
# refuses WHAT COMMAND...: under each layout.
refuses() {
    local what=$1 layout
    shift
    for layout in auto asta aos; do
        (cd "$work" && DL_LAYOUT=$layout DL_CACHE=off exec "$@") >"$work/dl.out" 2>"$work/dl.err"
        echo $? >"$work/dl.code"
        is_refused "$what, $layout"
        # What it says after twenty seconds.
        ! grep -q 'the program waits for dl-builder' "$work/dl.err" || fail "$what, $layout: it waits for what has ended"
    done
}

# What it gives; a sanitizer's runtime has limits of its own.
run whole "$dl_run" -- "$guest/limits" work
[ "$(cat "$work/whole.code")" = 0 ] || fail "with a builder: $(cat "$work/whole.out" "$work/whole.err")"
for layout in auto asta aos; do
    run dl "$dl_run" --layout $layout --cache off -- "$guest/limits" work
    same "$layout, cache off" whole dl
done

# No such file.
mkdir "$work/alone"
cp "$dl" "$work/alone/"
refuses "no dl-builder" env LD_PRELOAD="${runtime:+$runtime:}$work/alone/libdl_intercept.so" "$guest/limits" work
printf '#!/bin/sh\nexit 0\n' >"$work/alone/dl-builder"
refuses "a dl-builder that can't be executed" \
    env LD_PRELOAD="${runtime:+$runtime:}$work/alone/libdl_intercept.so" "$guest/limits" work
chmod +x "$work/alone/dl-builder"
refuses "a dl-builder that ends at once" \
    env LD_PRELOAD="${runtime:+$runtime:}$work/alone/libdl_intercept.so" "$guest/limits" work
for how in seccomp seccomp_kill; do
    run native "$guest/habits" $how
    [ "$(cat "$work/native.code")" = 77 ] || refuses $how "$dl_run" -- "$guest/habits" $how
done
[ $lines -gt 0 ] || fail "nothing was refused"

# Little address space: as with much, or not at all.
[ -z "$runtime" ] || finish
smallest=204800
until run native bash -c "ulimit -v $smallest && exec \"\$@\"" limited "$guest/limits" work &&
    [ "$(cat "$work/native.code")" = 0 ]; do
    smallest=$((smallest + 20480))
done
for limit in $((smallest + 32768)) $((smallest + 150000)) $((smallest + 300000)) $((smallest + 500000)); do
    for layout in auto asta; do
        run dl "$dl_run" --layout $layout -- bash -c "ulimit -v $limit && exec \"\$@\"" limited "$guest/limits" work
        cmp -s "$work/whole.out" "$work/dl.out" && continue
        is_refused "ulimit -v $limit, $layout"
    done
done
finish
