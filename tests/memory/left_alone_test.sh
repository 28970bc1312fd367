#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Five programs that DL leaves alone run as written, each with one warning; a closing line names the kernel
# that came with a binary.
set -u
program=$DL_BUILD/tests/test_memory_programs
log=$(mktemp)
trap 'rm -f "$log"' EXIT

if ! CK_RUN_CASE=programs_left_alone DL_CACHE=off "$DL_BUILD/tests/watched" -c 600 "$DL_BUILD/bin/dl-run" --layout asta -- \
    "$program" >"$log" 2>&1; then
    echo "FAILED: the programs do not run"
    cat "$log"
    exit 1
fi
warnings=$(grep '^dl: .*warning: ' "$log" | grep -vc 'kernels came from binaries')
if [ "$warnings" -ne 5 ] || [ "$(grep -c 'kernels came from binaries .*: add;' "$log")" -ne 1 ]; then
    echo "FAILED: $warnings warnings, not 5, or not the closing line"
    cat "$log"
    exit 1
fi
