#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: the kernels of a program that share structs share a choice of members: these are gathered once and
# scattered once, though some kernels use most of the struct and others little of it, and path_init, the first, stores
# whole structs with vectors of three.
set -u
program=$DL_BUILD/tests/programs/pathtracer
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

"$program" --size 16 --steps 2 >"$output/native" || fail "natively"
"$DL_BUILD/bin/dl-run" --advise="$output/side" -- "$program" --size 16 --steps 2 >"$output/seen" ||
    fail "with --advise"
"$DL_BUILD/bin/dl-run" --annotations "$output/side" --layout members --stats="$output/stats.json" -- \
    "$program" --size 16 --steps 2 >"$output/seen" || fail "with members beside"
cmp -s "$output/native" "$output/seen" || fail "$(cat "$output/seen"), natively $(cat "$output/native")"
python3 - "$output/stats.json" <<'E2' || fail "the members are not moved once there and once back"
import json, sys

stats = json.load(open(sys.argv[1]))
native = [kernel["kernel"] for kernel in stats["kernels"] if kernel["native_launches"]]
assert native == [], stats["kernels"]
counts = [marshal["count"] for marshal in stats["marshals"] if marshal["name"] == "paths"]
assert counts == [1, 1], counts
E2
