#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: a command line that has met structs has its queues made with profiling the next time. One whose launches are all so
# short that telling their times would take a good part of them has it no more, once these are known.
. "$(dirname "$0")/common.sh"
export DL_CACHE=$work/cache FAKE_COUNT_HOLDS=1 DL_STAGING=0
count=0
: >"$work/gate"

# queue WHAT PROPERTIES NS: a run whose launches take so long makes its queue with these.
queue() {
    count=$((count + 1))
    local log=$work/log$count
    FAKE_LOG=$log FAKE_BUILD_GATE=$work/gate FAKE_LAUNCH_NS=$3/$3,$3/$3,1000 DL_LOG=debug under ocl-icd preload \
        "$tests/host_builder" never "$work/gate" >"$work/out" 2>&1 || fail "$1: status $?"
    grep -m 1 '^clCreateCommandQueue' "$log" | grep -q "$2" ||
        fail "$1: not $2: $(grep '^clCreateCommandQueue' "$log")"
}

# first WHAT NS: a run that knows nothing, and explores nothing, which tells times as well: its builder is
# at the gate.
first() {
    rm -rf "$work/cache" "$work/gate"
    queue "$1" 0x0 "$2"
    : >"$work/gate"
}

first "first run" 2000
queue "the next one" 0x2 2000
queue "launches are known to be short" 0x0 2000
queue "still" 0x0 2000
first "first run, long" 2000000
queue "the next one, long" 0x2 2000000
queue "launches are known to be long" 0x2 2000000
finish
