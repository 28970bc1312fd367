#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: random kernels that load and store whole structs compute the same bytes under --layout
# coalesced as without DL, whatever the launch and its buffers (coalesced_program.c), and most of them
# run coalesced. DL_SEEDS=FIRST-LAST runs other seeds; DL_TEST_FULL a hundred.
set -u
seeds=${DL_SEEDS:-$([ -n "${DL_TEST_FULL:-}" ] && echo 1-100 || echo 1-3)}
first=${seeds%-*}
count=$((${seeds#*-} - first + 1))
program=$DL_BUILD/tests/coalesced_program
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "seeds $seeds"
"$DL_BUILD/tests/watched" -q -c 600 "$program" "$first" "$count" >"$work/native"
status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || { echo "FAILED: natively"; tail -n 3 "$work/native"; exit 1; }
"$DL_BUILD/tests/watched" -q -c 600 "$DL_BUILD/bin/dl-run" --log quiet --layout coalesced \
    --stats="$work/stats.json" -- "$program" "$first" "$count" >"$work/coalesced" ||
    { echo "FAILED: under DL"; tail -n 3 "$work/coalesced"; exit 1; }
if ! diff "$work/native" "$work/coalesced" >"$work/diff"; then
    echo "FAILED: other bytes"
    head -n 20 "$work/diff"
    exit 1
fi
python3 - "$work/stats.json" <<'END'
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
as_written = sum(k["native_launches"] for k in kernels)
coalesced = sum(k["launches"] for k in kernels)
print(f"{coalesced} launches coalesced, {as_written} as written")
sys.exit(coalesced < 5 * as_written)
END
