#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims, over the fake driver in virtual time: one kernel that two devices of a context launch by turns (turns.c)
# ends where each device has its best layout when they use buffers of their own; where they use one buffer, where
# the sum is best, conversions between the two included. What has been built for one device is not taken for
# built on the other. And what many launches took that were enqueued at once.
. "$(dirname "$0")/../intercept/common.sh"
export FAKE_DEVICES=2 DL_LOG=quiet DL_CACHE=$work/cache
# The builder makes what is wanted in real time, so it is there beforehand, but nothing measured is: twice in a row
# launches end in tiles, and no builder has begun.
forget() { grep -l -a "dl policy [0-9]* " "$work"/cache/*.dl 2>"$work/none" | xargs -r rm; }
# warm SETTING... -- ARGUMENT...
warm() {
    local settings=()
    while [ "$1" != -- ]; do settings+=("$1") && shift; done
    shift
    rm -rf "$work/cache"
    calm=0
    for try in $(seq 100); do
        rm -f "$work"/log*
        under ocl-icd preload "${settings[@]}" FAKE_LOG="$work/log" FAKE_LAUNCH_NS=1000000/200000,1000000/200000,500 \
            "$tests/policy_turns" "$@" >"$work/out" 2>&1 || fail "warm: $(cat "$work/out")"
        forget
        sleep 0.3
        calm=$((calm + 1))
        [ ! -e "$work/log.builder" ] && grep -q ' 200 \(200\|0\)$' "$work/out" || calm=0
        [ $calm -lt 2 ] || return
    done
    fail "the builder has always something to do"
}
# turns BEST FIRST SECOND COSTS ARGUMENT...: all that is done takes at most 5 % and twice 50 ms longer than BEST
# (ms), the last launches FIRST and SECOND (us).
turns() {
    local total first second
    under ocl-icd preload FAKE_LAUNCH_NS="$4" "${settings[@]}" "$tests/policy_turns" "${@:5}" >"$work/out" 2>"$work/why"
    read -r total first second <"$work/out"
    forget
    echo "${*:4} ${settings[*]}: $((total / 1000)) ms of $1, in the end $first and $second us"
    [ "$((total * 100))" -le $(($1 * 105000 + 10000000)) ] || fail "${*:4}: $total us, $1 ms would do"
    [ "$first $second" = "$2 $3" ] || fail "${*:4}: in the end $first and $second us, not $2 and $3"
}

warm FAKE_NONE=1 -- apart 100 1 1
settings=()
turns 360 200 1000 1000000/200000,1000000/5000000,500000 apart 300 1 1
turns 210 200 500 1000000/200000,1000000/500000,500000 shared 300 1 1
turns 600 1000 1000 1000000/200000,1000000/5000000,500000 shared 300 1 1
# The second stays, or does not: 1 ms or 6 for both conversions against 4 that it loses in tiles.
turns 360 200 1000 1000000/200000,1000000/5000000,500000 shared 60 20 1
turns 540 200 5000 1000000/200000,1000000/5000000,3000000 shared 60 20 1
# Two kernels on one buffer, of which earlier runs found one to be fastest in tiles and the other in arrays, by little:
# both run where the first has the buffer.
warm FAKE_NONE=1 -- kernels 100 1 1
settings=(FAKE_LAUNCH_OF=turn/dl_tiles=100000,turn/dl_one=110000,back/dl_tiles=110000,back/dl_one=100000)
seed=0
until cat "$work"/cache/*.dl | grep -a -A 4 '^row ' | grep -a -c -E '^(ASTA|DA) ' | grep -q 4; do
    seed=$((seed + 1))
    [ $seed -le 40 ] || fail "no runs measured both layouts of both kernels"
    [ $seed -le 40 ] || break
    under ocl-icd preload DL_POLICY_TEST=$seed "${settings[@]}" FAKE_LAUNCH_NS=1000000/200000,1000000/200000,500 \
        "$tests/policy_turns" kernels 20 1 1 >"$work/out" || fail "kernels, seed $seed: $(cat "$work/out")"
done
turns 5 100 110 1000000/200000,1000000/200000,500000 kernels 20 1 1
# Which launches of a kernel run on tiles whose sums compilers may contract does not hang on what they take, however
# many buffers there are: short launches that are like none before are counted, too.
settings=()
warm FAKE_NONE=1 -- apart 100 1 1 sums
for ns in 100000/20000 1000000/200000; do
    rm -f "$work/many"
    under ocl-icd preload FAKE_LOG="$work/many" FAKE_LAUNCH_NS=$ns,$ns,500 "$tests/policy_turns" many 100 1 1 sums >"$work/out" ||
        fail "many, $ns: $(cat "$work/out")"
    forget
    grep -oE '^clEnqueueNDRangeKernel\([^,]*, kernel#[0-9]+, 1, [0-9]+, 4096' "$work/many" >"$work/many.${ns##*/}"
done
cmp "$work/many.20000" "$work/many.200000" || fail "what runs on tiles hangs on time"
[ "$(sort -u "$work/many.20000" | wc -l)" = 2 ] || fail "not both texts have run: $(sort "$work/many.20000" | uniq -c)"
# What is enqueued at once and waited for at the end is told then, and remembered, though nothing is released: where
# tiles lose a little, the second run stays as written.
for ns in 1000000/1030000,1000000/1030000,500 1000000/900000,1000000/900000,500; do
    warm FAKE_NONE=1 -- apart 100 1 1
    for run in 1 2; do
        under ocl-icd preload FAKE_DEFERRED=1 FAKE_LAUNCH_NS=$ns "$tests/policy_turns" burst 100 1 0 >"$work/out" || fail "burst: $(cat "$work/out")"
        read -r _ last _ <"$work/out"
        echo "burst, $ns, run $run: in the end $last us"
    done
    [ "$last" = "$([[ $ns == */103* ]] && echo 1000 || echo 900)" ] || fail "burst, $ns: in the end $last us"
done
# Tiles of 32 and 64 structs; discrete arrays are the same on both.
warm FAKE_SECOND_MULTIPLE=64 -- apart 100 1 1
settings=(FAKE_SECOND_MULTIPLE=64)
turns 120 200 200 1000000/200000,1000000/200000,500000 shared 300 1 1
turns 480 200 200 1000000/200000,1000000/200000,500000 shared 60 20 20

# Nothing has been built for the second, and nothing is: it stays as written, and nobody thinks otherwise.
settings=(FAKE_SECOND_DEVICE_NAME=other DL_EXPLAIN_POLICY=on FAKE_BUILD_GATE="$work/gate")
warm FAKE_SECOND_DEVICE_NAME=other -- apart 100 1 0
turns 240 200 1000 1000000/200000,1000000/200000,500000 apart 200 1 1
[ "$(grep -c 'group 1: native -> ' "$work/why")" -le 3 ] || fail "decided again and again: $(cat "$work/why")"
warm FAKE_SECOND_DEVICE_NAME=other -- apart 100 1 0 sums
turns 240 200 1000 1000000/200000,1000000/200000,500000 apart 200 1 1 sums
grep -q 'runs as written in this run' "$work/why" || fail "sums on the second: $(cat "$work/why")"
: >"$work/gate"
for process in $(seq 100); do # once the folder is gone, the builders would wait for two minutes each
    grep -qsz "^FAKE_BUILD_GATE=$work/gate$" /proc/[0-9]*/environ || break
    sleep 0.1
done
finish
