#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: random kernels that load and store whole structs compute the same bytes under --layout
# coalesced as without DL, whatever the launch and its buffers (coalesced_program.c), and most of them
# run coalesced; and under auto, which goes in and out of it by chance (--policy-test). DL_SEEDS=FIRST-LAST runs other seeds; DL_TEST_FULL a hundred.
set -u
. "$DL_SOURCE/tests/memory/random_programs.sh"
# Large structs in private memory: a compiler that does not optimise takes nine times as long.
unset POCL_EXTRA_BUILD_FLAGS POCL_WORK_GROUP_METHOD
quickly=
same_bytes coalesced_program coalesced "${DL_SEEDS:-$([ -n "${DL_TEST_FULL:-}" ] && echo 1-100 || echo 1-1)}" 600
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$DL_BUILD/tests/coalesced_program
"$program" 1 1 >"$work/native" || exit 1
for seed in 3 7 1 2 4 5; do # until it has gone there
    "$DL_BUILD/tests/watched" -c 300 "$DL_BUILD/bin/dl-run" --log quiet --layout auto --policy-test $seed --explain-policy -- \
        "$program" 1 1 >"$work/auto" 2>"$work/said$seed" || { echo "FAILED: under auto"; tail -n 3 "$work/said$seed"; exit 1; }
    cmp "$work/native" "$work/auto" || { echo "FAILED: other bytes under auto"; exit 1; }
    ! grep -q -e '-> coalesced' "$work/said$seed" || break
done
cat "$work"/said* | grep -c -e '-> coalesced' || { echo "FAILED: auto never chose it"; exit 1; }
