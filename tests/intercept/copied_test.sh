#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: a program that copies all of a buffer into another one and back behind each launch gains as one that does not, since such
# copies go as the buffers lie, although conversions there and back would take more than a launch gains. Over the fake driver, by a clock
# that only launches move.
. "$(dirname "$0")/common.sh"
dl=$tests/libdl_explored.so
export DL_LAYOUT=auto DL_LOG=debug DL_STAGING=0 DL_DETECT=on FAKE_DEVICE_NAME='NVIDIA H200'
under ocl-icd native "$tests/host_explored" copied 100 >"$work/native" || fail "it fails without DL"
guard=$watched under ocl-icd preload DL_EXPLORED_CLOCK=100 FAKE_LAUNCH_NS=20000000/1000000,20000000/1000000,15000000 \
    "$tests/host_explored" copied 100 >"$work/out" 2>"$work/errors" || fail "it fails: $(tail -n 1 "$work/errors")"
cmp -s "$work/native" "$work/out" || fail "the program sees a difference"
grep -q 'policy: group 1 .*: as written -> .*worth its conversions' "$work/errors" &&
    [ "$(grep -c 'policy: group 1 .* -> ' "$work/errors")" = 1 ] || fail "not converted once: $(grep policy: "$work/errors")"
finish
