#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A kernel that reads discrete arrays never runs on structs because its program keeps its binaries:
# DL recognises a binary that it saw built, and gives the kernel its arrays; where it can't, the launch
# fails and DL says what to do. See discrete_binary.c.
set -u
program=$DL_BUILD/tests/discrete_binary
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
export DISCRETE_CL=$DL_SOURCE/tests/memory/discrete.cl

dl() { # OPTION... -- ARGUMENT...
    local options=()
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    "$DL_BUILD/tests/watched" -c 600 "$DL_BUILD/bin/dl-run" "${options[@]}" -- "$program" "$@" >"$work/out" 2>"$work/err"
    echo "$?" >>"$work/out"
}

# expect NAME OUTPUT [PATTERN]: the last run printed OUTPUT and ended well, and said PATTERN.
expect() {
    [ "$(tr "\n" " " <"$work/out")" = "${2:+$2 }0 " ] ||
        { echo "FAILED $1: $(tr '\n' ' ' <"$work/out")"; sed 's/^/    /' "$work/err"; failed=1; }
    [ -z "${3:-}" ] || [ "$(grep -cE "$3" "$work/err")" = 1 ] ||
        { echo "FAILED $1: did not say once: $3"; sed 's/^/    /' "$work/err"; failed=1; }
}

saved() { # OPTION...: a binary saved under DL with these; left in $work/binary
    rm -f "$work/binary"
    dl "$@" -- save "$work/binary"
    [ -s "$work/binary" ] || { echo "FAILED: no binary: $(cat "$work/err")"; exit 1; }
}

cache="--cache $work/cache"
why="kernel 'arrays' reads discrete arrays.*loaded from or linked with a binary.*built from source"
layouts="asta aos" # auto with DL_TURN=1, all with DL_TEST_FULL
[ "${DL_TURN:-0}" = 0 ] || layouts=auto
[ -z "${DL_TEST_FULL:-}" ] || layouts="asta aos auto"
# shellcheck disable=SC2086 # options and their values
for layout in $layouts; do
    saved $cache --layout $layout
    for way in made all cloned task again; do
        dl $cache --layout $layout -- load "$work/binary" $way
        expect "$layout, $way" arrays
    done
    dl $cache --layout $layout -- load "$work/binary" relaxed
    expect "$layout, built with another option" refused "$why"
    [ "$(grep -c "run as written: .*arrays.*; it is built with '-cl-fast-relaxed-math'" "$work/err")" = 1 ] ||
        { echo "FAILED: $layout: nothing said of other options"; cat "$work/err"; failed=1; }
    dl $cache --layout $layout --libclang none -- load "$work/binary" made
    expect "$layout, without libclang" refused "kernel 'arrays'"
    rm -rf "$work/cache"
    dl $cache --layout $layout -- load "$work/binary" made
    if [ $layout = aos ]; then expect "aos, the cache is deleted" structs
    else expect "$layout, the cache is deleted" structs "DL did not see built.*: arrays;"; fi
    rm -rf "$work/cache"
done

# A kernel that only libclang sees to be one is known by its binary where there is no libclang any more;
# and a text that gives the same binary, but reads structs, takes that back. It
# is the only one of its program.
sed '/The same arrays/,$d; s/^__kernel void arrays(/KERNEL arrays(/; 1i #define KERNEL __kernel void' \
    "$DISCRETE_CL" >"$work/macro.cl"
DISCRETE_CL=$work/macro.cl
# shellcheck disable=SC2086
{
    saved $cache --layout asta
    dl $cache --layout asta -- load "$work/binary" made
    expect "a kernel of a macro" arrays
    dl $cache --layout asta --libclang none -- load "$work/binary" made
    expect "a kernel of a macro, without libclang" refused "$why"
    cp "$work/binary" "$work/before"
    # Of as many lines: a binary may have their numbers.
    sed 's,^//DL: SoA: f\[n\]\[5\],// nothing of DL,' "$work/macro.cl" >"$work/structs.cl"
    DISCRETE_CL=$work/structs.cl saved $cache --layout asta
    if cmp -s "$work/binary" "$work/before"; then
        dl $cache --layout asta -- load "$work/binary" made
        expect "the same binary, of another text" structs
    fi
    rm -rf "$work/cache"
}
export DISCRETE_CL=$DL_SOURCE/tests/memory/discrete.cl

# As DL would without what it remembers, so that the test above is one; another binary of the same
# kernel is none that DL has seen.
# shellcheck disable=SC2086
{
    "$program" save "$work/binary"
    dl $cache -- load "$work/binary" made
    expect "a binary that DL never saw" structs "DL did not see built.*: arrays;"
    printf 'arrays: SoA: f[n][5]\n' >"$work/side"
    for way in made all cloned task; do
        dl --cache off --annotations "$work/side" -- load "$work/binary" $way
        expect "named by a side file, $way" refused "$why"
    done
    printf 'array: SoA: f[n][5]\narrays_of: SoA: f[n][5]\narrays: AoS: f[n][5]\n' >"$work/side"
    dl --cache off --annotations "$work/side" -- load "$work/binary" made
    expect "a side file that names others" structs

    saved --cache off
    grep -q 'takes the binary.*--annotations' "$work/err" ||
        { echo "FAILED: nothing said without a cache"; cat "$work/err"; failed=1; }
    expect "saved without a cache" ""
}

# Unlinked binaries, where the driver has such; and a kernel from source, linked with one.
export COMPILED=1
# shellcheck disable=SC2086
if "$program" save "$work/object" && "$program" load "$work/object" linked >/dev/null; then
    saved $cache --layout asta
    dl $cache --layout asta -- load "$work/binary" linked
    expect "an unlinked binary, linked" arrays
    echo '__kernel void other(__global int *f) { f[0] = 1; }' >"$work/other.cl"
    DISCRETE_CL=$work/other.cl "$program" save "$work/object"
    dl $cache --layout asta -- load "$work/object" beside
    expect "linked with an unlinked binary" refused "$why"
    DISCRETE_CL=$work/other.cl saved $cache --layout asta
    dl $cache --layout asta -- load "$work/binary" beside
    expect "linked with an unlinked binary that DL saw" arrays
fi
exit $failed
