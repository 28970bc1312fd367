#!/usr/bin/env bash
# Five programs that DL leaves alone run as written, each with one warning.
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
warnings=$(grep -c '^dl: .*warning: ' "$log")
if [ "$warnings" -ne 5 ]; then
    echo "FAILED: $warnings warnings, not 5"
    cat "$log"
    exit 1
fi
