#!/bin/bash
# SPDX-License-Identifier: MIT
# With layout auto, queues get profiling that their program did not ask for: in processes with
# annotations, and where the same command line has met some before. Nothing that a program can ask shows
# it, nor that the policy keeps events (intercept/host_stats_seen.c). On NVIDIA's driver they are profiled only while a
# command is enqueued that the policy times.
. "$(dirname "$0")/../intercept/common.sh"
export DL_LOG=quiet

times_read() { # the driver's log: how often an event told when it began
    grep -c '^clGetEventProfilingInfo(.*0x1282.* = 0' "$1"
}

# What the queue is profiled for, where that can be switched: the driver's log of commands between the two calls.
timed() { # the driver's log
    awk '/^clSetCommandQueueProperty\(.*, 0x2, 1, NULL\) = 0/ { on++; from = NR }
        /^clSetCommandQueueProperty\(.*, 0x2, 0, NULL\) = 0/ { off++; if (NR - from > 3) far++ }
        END { print on + 0, on == off && !far ? "by-turns" : on "-" off "-" far }' "$1"
}

for setting in FAKE_DEFERRED=0 FAKE_DEFERRED=1 FAKE_NO_PROFILING=1 FAKE_PROFILED_COMMANDS=1 \
    FAKE_PLATFORM_VENDOR="NVIDIA or so" FAKE_PLATFORM_VENDOR="NVIDIA that can't"; do
    fails=''
    # Each queue is tried once; the program's own calls come after its first queues.
    [[ $setting != *can\'t ]] || fails=$(printf 'clSetCommandQueueProperty:%u=-59,' {1..60})
    rm -rf "${work:?}"/*
    guard=$watched under ocl-icd native "$setting" FAKE_LOG="$work/native.log" FAKE_FAIL="$fails" "$tests/host_stats_seen" all \
        >"$work/native" 2>&1 || fail "$setting: native"
    for seed in 1 2 3; do
        guard=$watched under ocl-icd preload "$setting" FAKE_LOG="$work/dl.log" FAKE_FAIL="$fails" DL_CACHE="$work/cache" \
            DL_POLICY_TEST=$seed "$tests/host_stats_seen" all >"$work/dl" 2>&1 ||
            fail "$setting: under DL"
        cmp -s "$work/native" "$work/dl" || {
            fail "$setting, seed $seed: the program sees a difference"
            diff "$work/native" "$work/dl" | head -n 10
        }
    done
    [ $setting = FAKE_NO_PROFILING=1 ] ||
        [ "$(times_read "$work/dl.log")" -gt "$(times_read "$work/native.log")" ] ||
        fail "$setting: the policy reads no times"
    read -r count how <<<"$(timed "$work/dl.log")"
    case $setting in
    *"can't") [ "$count" -eq 0 ] ;;
    FAKE_PLATFORM_VENDOR=*) [ "$count" -gt 0 ] && [ "$how" = by-turns ] ;;
    *) [ "$count" -eq 0 ] ;;
    esac || fail "$setting: queues were switched $count times, $how"
done
finish
