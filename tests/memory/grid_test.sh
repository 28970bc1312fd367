#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: random kernels on grids compute the same bytes under --layout grid as without DL, in random layouts
# of bits, whatever the host does to their buffers in between (grid_program.c), and most of them run so.
# DL_SEEDS=FIRST-LAST runs other seeds; DL_TEST_FULL two thousand.
set -u
seeds=${DL_SEEDS:-$([ -n "${DL_TEST_FULL:-}" ] && echo 1-2000 || echo 1-4)}
first=${seeds%-*}
count=$((${seeds#*-} - first + 1))
program=$DL_BUILD/tests/grid_program
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "seeds $seeds"
"$DL_BUILD/tests/watched" -q -c 6000 "$program" "$first" "$count" >"$work/native"
status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || { echo "FAILED: natively"; tail -n 3 "$work/native"; exit 1; }
"$DL_BUILD/tests/watched" -q -c 6000 "$DL_BUILD/bin/dl-run" --log quiet --layout grid \
    --stats="$work/stats.json" -- "$program" "$first" "$count" >"$work/grid" ||
    { echo "FAILED: under DL"; tail -n 3 "$work/grid"; exit 1; }
if ! diff "$work/native" "$work/grid" >"$work/diff"; then
    echo "FAILED: other bytes"
    head -n 20 "$work/diff"
    exit 1
fi
python3 - "$work/stats.json" <<'END'
import json, sys
kernels = [k for k in json.load(open(sys.argv[1]))["kernels"] if k["kernel"] != "plain"]
as_written = sum(k["native_launches"] for k in kernels)
grids = sum(k["launches"] for k in kernels)
print(f"{grids} launches on grids, {as_written} as written")
sys.exit(grids < 5 * as_written)
END
