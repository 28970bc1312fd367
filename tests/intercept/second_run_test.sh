#!/bin/bash
# SPDX-License-Identifier: MIT
# The second run of a large text costs DL a few instructions for each of its bytes: the text is looked through and
# compared with what is kept, and nothing is parsed or rewritten again. Over the fake driver, whose own work on the
# rewritten text and on conversions of the structs is in the annotated text's bound. Counted, not timed; seconds are in
# bench/results/own_work.csv.
. "$(dirname "$0")/common.sh"
type valgrind >/dev/null 2>&1 || exit 77
# A sanitizer's instructions are not DL's, and valgrind does not run them.
[ -z "$runtime" ] || exit 77
# The bounds are for the library as it is installed, not for one without optimisation.
grep -qE '^CMAKE_BUILD_TYPE:[A-Z]*=(Rel.*|MinSizeRel)?$' "$DL_BUILD/CMakeCache.txt" || exit 77

# instructions HOW TEXT
instructions() {
    under ocl-icd "$1" valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/log" \
        "$tests/host_cache" "$2" "" >"$work/out" || fail "$1: $(cat "$work/out")"
    sed -n 's/.* I *refs: *//p' "$work/log" | tr -d ,
}

# adds_at_most INSTRUCTIONS-A-BYTE DETECT [--plain]
adds_at_most() {
    local text=$work/text${3:-}.cl natively kept
    python3 "$DL_SOURCE/bench/large_text.py" --lines 7500 --kernels 8 ${3:+"$3"} >"$text"
    natively=$(instructions native "$text")
    export DL_CACHE=$work/cache DL_LAYOUT=asta DL_DETECT=$2
    under ocl-icd preload "$tests/host_cache" "$text" "" >"$work/first" || fail "first run: $(cat "$work/first")"
    kept=$(instructions preload "$text")
    unset DL_LAYOUT DL_DETECT
    export DL_CACHE=off
    [ -n "$(ls "$work/cache")" ] || fail "the first run has read nothing: $(cat "$work/first")"
    ! grep -q 'libclang: yes' "$work/first" "$work/out" || fail "a run has loaded a libclang: $(cat "$work/out")"
    # Two numbers, or the shell's arithmetic says what is wrong.
    kept=$(((kept - natively) / $(wc -c <"$text")))
    echo "detect $2: $kept instructions more than natively a byte, at most $1"
    [ "$kept" -le "$1" ] || fail "a second run takes $kept instructions for each byte of the text"
}

adds_at_most 210 off
adds_at_most 45 on --plain
finish
