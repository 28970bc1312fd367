#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random kernels on buffers of 2 to 4 GiB of 1-byte elements (large_program.c) compute natively what
# they compute under DL. Needs 6 GB of free memory, and is part of make test-full only.
set -u
program=$DL_BUILD/tests/large_program
seeds=${DL_LARGE_SEEDS:-1 2 3 4 5 6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

[ -n "${DL_TEST_FULL:-}" ] || { echo "skipped: not make test-full"; exit 77; }
free_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
[ "${free_kib:-0}" -gt 6000000 ] || { echo "skipped: $free_kib KiB of memory"; exit 77; }
# PoCL allows a quarter of the memory that it finds, which in containers is less than there is.
export HWLOC_SYNTHETIC="[numa(memory=20000000000)] core:$(nproc) pu:1" HWLOC_THISSYSTEM=1
export POCL_MEMORY_LIMIT=18

for seed in $seeds; do
    "$program" "$seed" >"$work/native"
    case $? in
    0) ;;
    77) echo "skipped: the device has no buffer of 2 GiB"; exit 77 ;;
    *) echo "FAILED seed $seed natively"; exit 1 ;;
    esac
    for layout in "asta --tile 32" "da --tile 16"; do
        # shellcheck disable=SC2086
        "$DL_BUILD/bin/dl-run" --layout $layout --stats="$work/stats.json" -- "$program" "$seed" \
            >"$work/dl"
        cmp -s "$work/native" "$work/dl" || {
            echo "FAILED seed $seed, $layout"
            diff "$work/native" "$work/dl" | head -n 8
            failed=1
        }
        grep -q '"marshal_count":[1-9]' "$work/stats.json" ||
            { echo "FAILED seed $seed, $layout: never in tiles"; failed=1; }
    done
done
exit $failed
