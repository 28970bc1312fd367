#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: dl-bench steering has a line for each stride, with right results; it writes the device's file with
# what it found, or says that it can't.
set -u
. "$DL_SOURCE/tests/samples/common.sh"
bench=$DL_BUILD/bin/dl-bench

run "$bench" steering --bytes 1M --groups 8 --increments 3 --reps 1 --ms 0.01 --csv "$work/s.csv" --chains 2
[ $code -eq 0 ] || fail "exit code $code: $err"
count() { grep -c "^$1,[0-9]*,ok,0," "$work/s.csv"; }
[ "$(count saxpy)" = 32 ] || fail "$(count saxpy) lines of SAXPY"
[ "$(count held),$(count moving)" = 3,3 ] || fail "$(count held) and $(count moving) lines of chases"
[ "$(count "held powers")" -ge 8 ] && [ "$(count "held powers")" = "$(count "held beside")" ] ||
    fail "$(count "held powers") powers of two, $(count "held beside") beside"
head -2 "$work/s.csv" | tr '\n' ' ' | grep -Eq '^# .+, driver .+, copy [0-9.]+ GB/s, 8 groups.* # 20[0-9-]+, dl-bench steering --bytes 1M' ||
    fail "head: $(head -2 "$work/s.csv")"
# Whatever was found, a table that is written has it, and one that is not is an error.
run "$bench" steering --bytes 1M --groups 8 --increments 1 --reps 1 --ms 0.01 --table "$work/s.device"
if [ $code -eq 0 ]; then
    grep -Eq '^memory_burst_bytes=(4|8|16|32|64)$' "$work/s.device" || fail "no burst in the table"
    grep -q '^memory_steering_bits=' "$work/s.device" || fail "no steering bits in the table"
else
    [ ! -e "$work/s.device" ] && [[ $err = *"not written"* ]] || fail "exit code $code: $err"
fi
finish
