#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Local memory that a kernel hands to functions is its work-group's own, in every text that DL makes of the kernel:
# PoCL 3.1 makes it one for all groups where clang has optimised and not inlined those functions.
set -u
# It is so only where texts are optimised, which other tests' kept binaries are not.
unset POCL_EXTRA_BUILD_FLAGS POCL_WORK_GROUP_METHOD
program=$DL_BUILD/tests/handed_local
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DL_CACHE=$work/cache
failed=0

"$program" >"$work/native" || { cat "$work/native"; exit 1; }
layouts='asta coalesced' # by turns (common/turn.h)
[ "${DL_TURN:-0}" = 0 ] || layouts='da coalesced'
[ -z "${DL_TEST_FULL:-}" ] || layouts='asta da coalesced'
for layout in $layouts; do
    "$DL_BUILD/tests/watched" -c 600 "$DL_BUILD/bin/dl-run" --layout $layout --stats="$work/stats.json" -- "$program" \
        >"$work/dl" 2>"$work/err" || { echo "FAILED: $layout"; failed=1; tail -n 5 "$work/err"; }
    grep -q '"launches":[1-9]' "$work/stats.json" || { echo "FAILED: nothing ran under $layout"; failed=1; }
    cmp -s "$work/native" "$work/dl" || {
        echo "FAILED: other bytes under $layout"
        diff "$work/native" "$work/dl"
        failed=1
    }
done
exit $failed
