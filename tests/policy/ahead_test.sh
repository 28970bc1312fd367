#!/bin/bash
# SPDX-License-Identifier: MIT
# PoCL compiles a kernel in the first launch with groups of a size. What exploring will launch and what takes long to compile the builder
# launches before, on zeros, so that no launch of the program's waits for the compiler.
. "$(dirname "$0")/../intercept/common.sh"
unset POCL_EXTRA_BUILD_FLAGS POCL_WORK_GROUP_METHOD # what is not optimised compiles fast
export DL_DETECT=on DL_LOG=debug DL_CACHE=$work/cache POCL_CACHE_DIR=$work/pocl

compiled() { find "$work/pocl" -name heavy.so ! -path '*/heavy/0-0-0/*' | wc -l; }

# In its first runs its text is still being read, and built; the builder goes on when a run has ended.
for _ in $(seq 60); do
    under device preload "$tests/policy_sliced" heavy 262144 by-itself >"$work/said" 2>"$work/errors" || fail 'it fails'
    [ "$(compiled)" -gt 0 ] || exit 77 # not PoCL
    ! grep -qE 'exploring|is compiled for' "$work/errors" || break
    sleep 1
done
[ "$(compiled)" = 2 ] || fail "compiled for groups of a size: $(cd "$work/pocl" && find . -name heavy.so)"
# It is said before it is explored.
[ "$(grep -oE 'exploring|is compiled for' "$work/errors" | head -n 1)" = 'is compiled for' ] ||
    fail "not compiled before: $(grep "kernel 'heavy'" "$work/errors")"
finish
