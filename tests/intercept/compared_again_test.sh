#!/bin/bash
# SPDX-License-Identifier: MIT
# Where DL chooses the layout, rewritten launches 2, 8, 64, 512 of a kernel are compared with its own text, and one more when an
# argument's value first changes, by a clock that only launches move (explored.c). Over the fake driver: one that rounds the
# k-th of them another way is caught for every such k. The program has its own kernel's bytes, the kernel runs as written
# from then on, and one line says so.
. "$(dirname "$0")/common.sh"
dl=$tests/libdl_explored.so
export DL_LAYOUT=auto DL_LOG=debug DL_STAGING=0 DL_DETECT=on FAKE_DEVICE_NAME='NVIDIA H200'
differed="gives other bytes in argument 0 than its own text, which the program has not seen"

# run SCENE LAUNCHES SETTINGS...: what the program sees in $work/dl, what DL says in $work/errors, and which launches were
# compared, by their numbers among all, in $compared.
run() {
    local settings=("${@:3}")
    : >"$work/said"
    [ -e "$work/native.$1.$2" ] || guard=$watched under ocl-icd native "$tests/host_explored" "$1" "$2" \
        >"$work/native.$1.$2" 2>&1 || fail "$1 $2: fails without DL: $(tail -n 1 "$work/native.$1.$2")"
    guard=$watched under ocl-icd preload DL_EXPLORED_CLOCK=${clock:-100} DL_EXPLORED_LOG="$work/said" FAKE_LOG="$work/log" \
        FAKE_LAUNCH_NS=20000000/${slow:-1000000},20000000/1000000,1000 \
        "${settings[@]}" "$tests/host_explored" "$1" "$2" >"$work/dl" 2>"$work/errors" ||
        fail "$1 $2: $(tail -n 1 "$work/dl" "$work/errors")"
    compared=$(sed 's/.* //' "$work/said" | tr '\n' ' ')
}

# caught SCENE LAUNCHES K COMPARED ROUNDS: the k-th rewritten launch on the program's buffers, which launch COMPARED of all is, rounds
# another way.
caught() {
    local name="$1, rewritten launch $3"
    run "$1" "$2" FAKE_ROUNDS="$5"
    cmp -s "$work/native.$1.$2" "$work/dl" || fail "$name: the program sees a difference"
    [[ " $compared" = *" $4 " ]] || fail "$name: compared are $compared, not $4 as the last"
    [ "$(grep -c "warning: .*$differed" "$work/errors")" = 1 ] || fail "$name: not said once: $(tail -n 3 "$work/errors")"
    ! sed "1,/$differed/d" "$work/errors" | grep -q ': AoS -> ' || fail "$name: it does not run as written from then on"
}

# Explored on copies in two layouts, twice each, before launch 5 is the first on the program's buffers.
run step 600
[ "$compared" = "6 12 68 516 " ] || fail "compared are $compared"
cmp -s "$work/native.step.600" "$work/dl" || fail "the program sees a difference"
caught step 600 2 6 fake_step/DL_=6
caught step 600 8 12 fake_step/DL_=12
caught step 600 64 68 fake_step/DL_=68
caught step 600 512 516 fake_step/DL_=516
caught step_detected 100 8 12 fake_step/DL_=12
# Between them nobody looks: the driver does round the launch that it is told to.
run step 600 FAKE_ROUNDS=fake_step/DL_=13
! cmp -s "$work/native.step.600" "$work/dl" || fail "the driver does not round launch 9"

# From launch 51 on the argument has another value, whichever way launches go.
run values 100
[ "$compared" = "6 12 51 68 " ] || fail "with another value from launch 51 on, compared are $compared"
caught values 100 47 51 fake_step/DL_=51

# On the program's own layout, by another text, which alone is faster.
slow=40000000
together=FAKE_LAUNCH_OF=fake_step/DL_COALESCED=1000000
run whole 100 $together
[ "$compared" = "7 14 70 " ] || fail "of structs accessed together, compared are $compared"
export ${together?}
caught whole 100 2 7 fake_step/DL_COALESCED=4
caught whole 100 8 14 fake_step/DL_COALESCED=10
caught whole 100 64 70 fake_step/DL_COALESCED=66
slow=

# What the host has mapped is neither explored nor compared, and whatever says why says the same.
for wish in DL_STATS=1 DL_EXPLAIN_POLICY=on DL_VERIFY=1; do
    run mapped 100 "$wish"
    [ "$compared" = "" ] || fail "mapped, $wish: compared are $compared"
    grep -q "kernel 'fake_step' ran as written: the host has its buffer mapped while kernels run.*unmap the buffer" "$work/errors" &&
        ! grep -q 'no layout is worth\|no other layout\|--layout ' "$work/errors" ||
        fail "mapped, $wish: $(grep -v debug "$work/errors")"
done

# Within a hundredth of the time so far: in as good as none there are none.
clock=0.000001
run step 600
[ "$compared" = "" ] || fail "in no time, compared are $compared"
finish
