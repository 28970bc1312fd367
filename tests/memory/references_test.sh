#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: the reference counts that a program can ask for are those of the driver without DL, under every layout.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
"$DL_BUILD/tests/references" >"$work/native" || { echo "FAILED natively: $(cat "$work/native")"; exit 1; }
for layout in asta da coalesced auto; do
    "$DL_BUILD/tests/watched" -c 120 "$DL_BUILD/bin/dl-run" --log quiet --layout $layout -- \
        "$DL_BUILD/tests/references" "$work/native" >"$work/dl" 2>"$work/err"
    diff "$work/native" "$work/dl" >"$work/diff" && continue
    echo "FAILED $layout, natively <, under DL >: context, queue, program, kernel, two buffers, another queue, events"
    cat "$work/diff" "$work/err"
    failed=1
done
exit $failed
