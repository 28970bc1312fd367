#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What lies behind the last row or struct (test_tails.c), natively and under DL; and a buffer that is
# smaller than one row or struct is not converted, though its kernel is a rewritten one.
set -u
program=$DL_BUILD/tests/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bash "$(dirname "$0")/under_dl_test.sh" "$1" few || exit 1
CK_RUN_CASE=a_buffer_smaller_than_a_row_is_not_converted "$DL_BUILD/bin/dl-run" --layout asta \
    --tile 8 --stats="$work/stats.json" -- "$program" || exit 1
for wanted in '"marshal_count":0' '"kernel":"structs","launches":2,"native_launches":0'; do
    grep -q "$wanted" "$work/stats.json" || { echo "FAILED: no $wanted"; exit 1; }
done
