#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs built with sanitizers run under DL as without it, started by dl-run or by a script, and no leak
# of DL's is reported.
. "$(dirname "$0")/common.sh"
[ -z "$runtime" ] || skip "DL itself is built with a sanitizer"
cc=${CC:-gcc}
built=0
export ASAN_OPTIONS=detect_leaks=0 # of the driver's

for kind in address thread undefined leak; do
    "$cc" -g -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=300 -fsanitize=$kind "$DL_SOURCE"/tests/guest/{work,host_locale}.c \
        -lOpenCL -o "$work/program" >"$work/cc" 2>&1 || continue
    built=$((built + 1))
    [ $kind != address ] || as_natively "$kind" "$work/program"
    if [ $kind != leak ]; then
        as_natively "$kind, by a script" sh -c "$work/program; echo \$?"
    fi
    # It is DL that runs in it. Of leaks only the driver's are told.
    for layout in asta da; do
        run dl "$dl_run" --layout $layout --stats=stats.json -- sh -c "$work/program"
        grep -q '"rewritten":' "$work/stats.json" || fail "$kind: nothing is rewritten: $(cat "$work/dl.err")"
        grep -q 'dl_intercept' "$work/dl.err" && fail "$kind, $layout: $(head -c 3000 "$work/dl.err")"
        rm -f "$work/stats.json"
    done
done
[ $built -gt 0 ] || skip "$cc has no sanitizers"
finish
