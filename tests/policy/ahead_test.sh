#!/bin/bash
# SPDX-License-Identifier: MIT
# PoCL compiles a kernel in the first launch with groups of a size. What exploring will launch and what takes long to compile the builder
# launches before, on zeros, so that no launch of the program's waits for the compiler.
. "$(dirname "$0")/../intercept/common.sh"
unset POCL_EXTRA_BUILD_FLAGS POCL_WORK_GROUP_METHOD # what is not optimised compiles fast
export DL_DETECT=on DL_LOG=debug DL_CACHE=$work/cache POCL_CACHE_DIR=$work/pocl

compiled() { find "$work/pocl" -name "$1.so" ! -path "*/$1/0-0-0/*" | wc -l; }

# until_ready KERNEL LAUNCHES: runs the program until it is explored or ready for it; in its first runs its text is still being read, and built, and the
# builder goes on when a run has ended.
until_ready() {
    for _ in $(seq 60); do
        under device preload "$tests/policy_sliced" "$1" 262144 by-itself "$2" >"$work/said" 2>"$work/errors" || fail "$1 fails"
        [ "$(compiled "$1")" -gt 0 ] || exit 77 # not PoCL
        ! grep -qE 'exploring|is compiled for' "$work/errors" || break
        sleep 1
    done
    grep -oE 'exploring|is compiled for' "$work/errors" | head -n 1
}
said=$(until_ready heavy 3)
[ "$said" = 'is compiled for' ] || fail "explored before it is compiled: $(grep "kernel 'heavy'" "$work/errors")"
[ "$(compiled heavy)" = 2 ] || fail "compiled for groups of a size: $(cd "$work/pocl" && find . -name heavy.so)"

# One that never ends on zeros ends the builder, once. Every other turn (tests/common/turn.h).
if [ "${DL_TURN:-0}" = 1 ] || [ -n "${DL_TEST_FULL:-}" ]; then
    said=$(until_ready endless 100)
    [ "$said" = exploring ] || fail "endless: $said"
fi
finish
