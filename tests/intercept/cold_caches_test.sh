#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: over a device whose cache holds what the last kernel has used, short launches are explored by what they take one after
# the other, as the program's do, and launches that come after a conversion, or after another text has run to compare with, are no
# reason to leave a layout. A launch of another text takes 0.4 ms longer there, 0.8 ms as written and 0.5 ms rewritten else, so that
# a rewritten kernel that runs once behind its conversion looks slower. Over the fake driver, by a clock that only launches move.
. "$(dirname "$0")/common.sh"
dl=$tests/libdl_explored.so
export DL_LAYOUT=auto DL_LOG=debug DL_STAGING=0 DL_DETECT=on FAKE_DEVICE_NAME='NVIDIA H200'
guard=$watched under ocl-icd preload DL_EXPLORED_CLOCK=100 FAKE_COLD_NS=400000 FAKE_LAUNCH_NS=800000/500000,800000/500000,1000 \
    "$tests/host_explored" step 600 >"$work/out" 2>"$work/errors" || fail "it fails: $(tail -n 1 "$work/errors")"
for layout in ASTA DA; do
    grep -q "'fake_step' explored: $layout gives the same bytes; 0.800... ms as written, 0.500... ms" "$work/errors" ||
        fail "$layout: $(grep ' explored: ' "$work/errors")"
done
[ "$(grep -c 'policy: group 1 .* -> ' "$work/errors")" = 1 ] || fail "not converted once: $(grep policy: "$work/errors")"
finish
