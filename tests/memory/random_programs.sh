# SPDX-License-Identifier: MIT
# Sourced by tests of random programs: same_bytes PROGRAM LAYOUT SEEDS SECONDS: the program prints the same lines natively and
# under --layout LAYOUT for the seeds FIRST-LAST, and no more than one of six launches of kernels that are not called
# `plain` runs as written. Texts are not optimised, unless `quickly` is set to nothing.
quickly=-q
same_bytes() {
    local program=$DL_BUILD/tests/$1 layout=$2 first=${3%-*} count seconds=$4 work status
    count=$((${3#*-} - first + 1))
    work=$(mktemp -d)
    # shellcheck disable=SC2064 # this folder
    trap "rm -rf '$work'" EXIT
    echo "seeds $3"
    "$DL_BUILD/tests/watched" $quickly -c "$seconds" "$program" "$first" "$count" >"$work/native"
    status=$?
    [ $status -ne 77 ] || exit 77
    [ $status -eq 0 ] || { echo "FAILED: natively"; tail -n 3 "$work/native"; exit 1; }
    "$DL_BUILD/tests/watched" $quickly -c "$seconds" "$DL_BUILD/bin/dl-run" --log quiet --layout "$layout" \
        --stats="$work/stats.json" -- "$program" "$first" "$count" >"$work/dl" ||
        { echo "FAILED: under DL"; tail -n 3 "$work/dl"; exit 1; }
    if ! diff "$work/native" "$work/dl" >"$work/diff"; then
        echo "FAILED: other bytes"
        head -n 20 "$work/diff"
        exit 1
    fi
    python3 - "$work/stats.json" "$layout" <<'END'
import json, sys
kernels = [k for k in json.load(open(sys.argv[1]))["kernels"] if k["kernel"] != "plain"]
as_written = sum(k["native_launches"] for k in kernels)
rewritten = sum(k["launches"] for k in kernels)
print(f"{rewritten} launches on {sys.argv[2]}, {as_written} as written")
sys.exit(rewritten < 5 * as_written)
END
}
