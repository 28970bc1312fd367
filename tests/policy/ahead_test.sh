#!/bin/bash
# SPDX-License-Identifier: MIT
# PoCL compiles a kernel in the first launch with groups of a size. What exploring will launch and what takes long to compile the builder
# launches before, on zeros, so that no launch of the program's waits for the compiler. While a program's own text is built, the builder builds what its
# first kernels will need.
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

# The host compares: nothing is compiled for that.
[ -z "$(find "$work/pocl" -name 'dl_compare*')" ] || fail "a kernel that compares is compiled"

# One that never ends on zeros ends the builder, once. Every other turn (tests/common/turn.h).
if [ "${DL_TURN:-0}" = 1 ] || [ -n "${DL_TEST_FULL:-}" ]; then
    said=$(until_ready endless 100)
    [ "$said" = exploring ] || fail "endless: $said"
fi

# Before there is a kernel: a program that only builds its text leaves the rewritten text of a kernel behind.
export POCL_CACHE_DIR=$work/pocl_text DL_CACHE=$work/cache_text
SLICED_BUILDS_ALONE=1 under device preload "$tests/policy_sliced" row 262144 by-itself >"$work/said" 2>&1 || fail "it does not build"
for _ in $(seq 600); do
    texts=$(find "$work/pocl_text" -name program.bc | wc -l)
    [ "$texts" -lt 2 ] || break
    sleep 0.1
done
[ "$texts" -ge 2 ] || fail "of the text alone nothing is built ahead"
finish
