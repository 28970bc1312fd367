#!/bin/bash
# SPDX-License-Identifier: MIT
# With statistics or a trace, queues get profiling that their program did not ask for. Nothing that a program can
# ask shows it, and no queue is refused, or taken, that would not be without (host_stats_seen.c): over
# the fake driver, also where it has no profiling, or command buffers want it, and on the machine's
# own.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8 DL_CACHE=$work/cache

compare() { # WHAT
    cmp -s "$work/native" "$work/dl" || {
        fail "$1: the program sees a difference"
        diff "$work/native" "$work/dl" | head -n 10
    }
    [ "$(wc -l <"$work/native")" -gt 10 ] || fail "$1: says only $(cat "$work/native")"
    grep -q '"launches":[1-9]' "$work/stats" || fail "$1: no statistics: $(cat "$work/stats")"
}

for setting in FAKE_DEFERRED=0 FAKE_DEFERRED=1 FAKE_NO_PROFILING=1 FAKE_PROFILED_COMMANDS=1; do
    rm -f "$work/stats"
    guard=$watched under ocl-icd native "$setting" "$tests/host_stats_seen" all >"$work/native" 2>&1 ||
        fail "$setting: native"
    guard=$watched under ocl-icd preload "$setting" DL_STATS="$work/stats" "$tests/host_stats_seen" all \
        >"$work/dl" 2>&1 || fail "$setting: under DL"
    compare "$setting"
    guard=$watched under ocl-icd preload "$setting" DL_TRACE="$work/trace" "$tests/host_stats_seen" all \
        2>&1 >"$work/dl" | grep -v "commands are missing from the trace" >>"$work/dl"
    cmp -s "$work/native" "$work/dl" || fail "$setting: traced: $(diff "$work/native" "$work/dl" | head -n 10)"
    python3 "$DL_SOURCE/tests/common/check_trace.py" "$work/trace" 'call>=10' || fail "$setting: traced"
    [ $setting = FAKE_NO_PROFILING=1 ] || grep -q '"time_ms":0.00000[1-9]' "$work/stats" ||
        fail "$setting: no times: $(cat "$work/stats")"
done

rm -f "$work/stats"
if "$tests/host_stats_seen" >"$work/native" 2>"$work/native.err"; then
    LD_PRELOAD="${runtime:+$runtime:}$dl" DL_STATS="$work/stats" $watched "$tests/host_stats_seen" \
        >"$work/dl" 2>"$work/dl.err" || fail "the machine's own: under DL"
    compare "the machine's own"
    said=$(grep '^dl:' "$work/dl.err") && fail "the machine's own: $said" # what the driver says is its own
fi
finish
