#!/bin/bash
# SPDX-License-Identifier: MIT
# Launches explored on copies, and compared on the program's buffers (explored.c), over the fake driver: a rewritten kernel
# that rounds another way is caught in whichever launch, and the program has its own kernel's bytes in any case; what can't be
# judged, or copied, is left alone.
. "$(dirname "$0")/common.sh"
dl=$tests/libdl_explored.so
export DL_LAYOUT=asta DL_TILE=8 DL_LOG=warning DL_STAGING=0 DL_CACHE=$work/cache

native_varies= items=

# native SCENE LAUNCHES: what the program sees without DL, in $work/native.SCENE.LAUNCHES.
native() {
    [ -e "$work/native.$1.$2" ] || guard=$watched under ocl-icd native "$tests/host_explored" "$1" "$2" $items \
        >"$work/native.$1.$2" 2>&1 || fail "$1 $2: fails without DL: $(tail -n 1 "$work/native.$1.$2")"
}

# scene SCENE LAUNCHES EXPLORED WANTED SETTINGS...: what the library says must be the lines WANTED (;), and the program
# sees what it sees without DL, by whichever number of launches.
scene() {
    local name="$1 $2 $3" settings=("${@:5}") got
    : >"$work/said"
    native "$1" "$2"
    guard=$watched under ocl-icd preload DL_EXPLORED="$3" DL_EXPLORED_LOG="$work/said" FAKE_LOG="$work/log" \
        "${settings[@]}" "$tests/host_explored" "$1" "$2" $items >"$work/dl" 2>"$work/errors" ||
        fail "$name: $(tail -n 1 "$work/dl" "$work/errors")"
    [ -n "$native_varies" ] || cmp -s "$work/native.$1.$2" "$work/dl" || {
        fail "$name: the program sees a difference"
        diff "$work/native.$1.$2" "$work/dl" | head -n 5
    }
    got=$(tr '\n' ';' <"$work/said")
    [ "$got" = "$4" ] || fail "$name ${settings[*]}: $got, not $4"
}

# A rewritten launch that rounds another way, in each of five; explored, the second of two runs counts.
scene step 5 explore:1,explore:2,explore:3 '1 explore fake_step EQUAL 0;2 explore fake_step EQUAL 0;3 explore fake_step EQUAL 0;'
for k in 1 2 3 4 5; do
    scene step 6 "compare:$k" "$k compare fake_step DIFFERS 0;" "FAKE_ROUNDS=fake_step/DL_=$k"
    scene step 6 "explore:$k" "$k explore fake_step DIFFERS 0;" "FAKE_ROUNDS=fake_step/DL_=$((k + 1))"
    scene step 6 "compare:$k" "$k compare fake_step EQUAL 0;"
done
scene step 5 compare:1,compare:2,compare:3 \
    '1 compare fake_step EQUAL 0;2 compare fake_step DIFFERS 0;3 compare fake_step EQUAL 0;' "FAKE_ROUNDS=fake_step/DL_=2"

scene overlap 4 explore:1,compare:3 '1 explore fake_pull EQUAL 0;3 compare fake_pull EQUAL 0;'
scene other_queue 4 explore:1,compare:2,explore:3 \
    '1 explore fake_step EQUAL 0;2 compare fake_step EQUAL 0;3 explore fake_step EQUAL 0;'
# A command on another queue may use the buffer for as long as the program likes.
scene gate 3 explore:1,explore:2 \
    "1 explore fake_step no: commands on its buffers don't end by themselves;2 explore fake_step no: commands on its buffers don't end by themselves;" \
    FAKE_DEFERRED=1
scene user_event 2 explore:1,compare:2 \
    '1 explore fake_step no: what comes before it has not ended;2 compare fake_step no: what comes before it has not ended;' \
    FAKE_DEFERRED=1
scene mapped 2 explore:1,compare:2 '1 explore fake_step no: the host has its buffer mapped while kernels run;2 compare fake_step no: the host has its buffer mapped while kernels run;'
# Holding back: two parts of 10 ms may be pending, or two launches, and no wait is longer than twice what that takes, or than
# 10 ms. A kernel's first launch may take 200 ms, in which a driver compiles it; those behind it wait for it, too.
held() { scene "$1" "$2" '' "$4" DL_EXPLORED_HOLD="$3" FAKE_DEFERRED=1; }
held step 14 4 '5 hold 424;11 hold 48;'
held step 6 30 '3 hold 460;5 hold 120;'
held step 6 0 '3 hold 400;5 hold 10;'
# A kernel that is created for one launch waits like any other, for what may be its own first launch.
held anew 6 30 '3 hold 800;5 hold 800;'
# What waits for the program is given up on after three waits in a row, and where DL knows of it there is none.
held behind_gate 8 1 ''
held behind_gate 8 0 '3 hold 400;4 hold 800;5 hold 1600;'
held behind_native 6 0 ''
held behind_shared 6 0 ''
held user_event 6 0 ''
held mapped 6 0 ''
held called_back 6 0 ''

# Where DL's own calls fail, one after another, nothing is explored and the program goes on.
for call in clCreateBuffer clEnqueueCopyBuffer clEnqueueFillBuffer; do
    failed=0
    for n in 2 3 4; do
        : >"$work/said"
        native step 3
        guard=$watched under ocl-icd preload DL_EXPLORED=explore:1,compare:3 DL_EXPLORED_LOG="$work/said" \
            FAKE_FAIL="$call:$n=-4" "$tests/host_explored" step 3 >"$work/dl" 2>"$work/errors"
        cmp -s "$work/native.step.3" "$work/dl" || fail "$call:$n fails: the program sees a difference"
        [ "$(wc -l <"$work/said")" = 2 ] || fail "$call:$n fails: $(cat "$work/said")"
        ! grep -q DIFFERS "$work/said" || fail "$call:$n fails: $(cat "$work/said")"
        failed=$((failed + $(grep -c ' no: ' "$work/said")))
    done
    [ "$failed" -gt 0 ] || fail "no failure of $call was met"
done

# An allocation of the program's that fails while DL keeps copies is made again without them; natively, and without any, it fails.
export FAKE_UNIFIED=1
# failing_call EXPLORED SAID: $n is which call of clCreateBuffer the program's last one is.
failing_call() {
    rm -f "$work/log" # it is added to
    scene room 2 "$1" "$2"
    n=$(grep '^clCreateBuffer(' "$work/log" | awk '/ 12008[,)]/ { print NR }')
}
failing_call explore:2 '2 explore fake_step EQUAL 0;'
scene room 2 explore:2 '2 explore fake_step EQUAL 0;' FAKE_FAIL="clCreateBuffer:$n=-4"
failing_call '' ''
guard=$watched under ocl-icd preload FAKE_FAIL="clCreateBuffer:$n=-4" "$tests/host_explored" room 2 >"$work/dl" 2>&1
grep -q ': -4$' "$work/dl" || fail "a failure of the program's own is not seen: $(tail -n 1 "$work/dl")"
unset FAKE_UNIFIED

# What can't be converted is not copied either.
rm -f "$work/log"
scene host_ptr 2 explore:1,explore:2 \
    "1 explore fake_step no: the kernel may write it, but it is CL_MEM_USE_HOST_PTR;2 explore fake_step no: the kernel may write it, but it is CL_MEM_USE_HOST_PTR;"
made=$(grep -c '^clCreateBuffer(' "$work/log")
[ "$made" = 1 ] || fail "$made buffers are made where nothing can be explored"

# What gives something else each time: nobody sees a difference in it.
native_varies=1
scene slots 2 explore:1 '1 explore fake_slots UNJUDGED 0;'
scene slots_detected 2 explore:1 '1 explore fake_slots UNJUDGED 0;' DL_DETECT=on

# Buffers that are not small: each rewritten kernel runs once; of one that DL found by itself there is one copy, and what
# differs runs as written whatever it is that varies.
rm "$work"/native.*
items=800000 native_varies=
scene step 3 explore:1,explore:2 '1 explore fake_step DIFFERS 0;2 explore fake_step EQUAL 0;' FAKE_ROUNDS=fake_step/DL_=1
scene step_detected 3 explore:1,explore:2 '1 explore fake_step DIFFERS 0;2 explore fake_step EQUAL 0;' \
    FAKE_ROUNDS=fake_step/DL_=1 DL_DETECT=on
# One that has lost is run once more, before a single time is kept against it.
times=20000000/40000000,20000000/40000000,1000
scene step 3 explore:1 '1 explore fake_step DIFFERS 0;' FAKE_ROUNDS=fake_step/DL_=2 FAKE_LAUNCH_NS=$times
native_varies=1
scene slots 2 explore:1 '1 explore fake_slots UNJUDGED 0;'
scene slots_detected 2 explore:1 '1 explore fake_slots UNJUDGED 0;' DL_DETECT=on
finish
