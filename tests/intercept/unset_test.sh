#!/bin/bash
# SPDX-License-Identifier: MIT
# A kernel that stores a struct whole, over the fake driver, which leaves something else in the ninth byte in the launches that
# a test names. Where that is padding, and the program's own text gives something else there in another build or run, it does
# not count, now and in later runs; a member's bytes, padding that only the rewritten text changes, and all bytes with
# --exact do.
. "$(dirname "$0")/common.sh"
dl=$tests/libdl_explored.so
export DL_LAYOUT=asta DL_TILE=8 DL_LOG=remark DL_DETECT=on DL_STAGING=0
dont_count="argument 0: its results differ only where the structs have no member (at byte 8).*these bytes don't count"
# Of two runs of a small kernel on copies the second counts; the other build runs once.
rewritten=fake_leave/DL_ other=fake_leave/-cl-opt-disable any=fake_leave/-DHOST

# run SCENE LAUNCHES ROUNDS SETTINGS...: what the library says is in $said, what DL says in $work/errors.
run() {
    local settings=("${@:4}")
    rm -f "$work/said"
    guard=$watched under ocl-icd preload DL_EXPLORED_LOG="$work/said" FAKE_ROUNDS="$3" "${settings[@]}" \
        "$tests/host_explored" "$1" "$2" >"$work/dl" 2>"$work/errors" ||
        fail "$1 $2 $3: $(tail -n 1 "$work/dl" "$work/errors")"
    said=$(sed 's/ explore fake_leave / /' "$work/said" 2>/dev/null | tr '\n' ';')
}

# has COUNT TEXT NAME: so many lines.
has() { [ "$(grep -c "$2" "$work/errors")" = "$1" ] || fail "$3: not $1 times \"$2\": $(cat "$work/errors")"; }

# explored SCENE EXPLORED SAID COUNT ROUNDS SETTINGS...: on copies; so many times bytes don't count.
explored() {
    run "$1" 4 "$5" DL_EXPLORED="$2" "${@:6}"
    [ "$said" = "$3" ] || fail "explored, $1 $5: $said, not $3"
    has "$4" "$dont_count" "explored, $1 $5"
}
explored gap explore:1 '1 EQUAL 0;' 1 "$rewritten=2,$other=1"
explored gap explore:1 '1 DIFFERS 0;' 0 "$rewritten=2"
explored gap explore:1 '1 DIFFERS 0;' 0 "$rewritten=2,$other=2"
explored no_gap explore:1 '1 DIFFERS 0;' 0 "$rewritten=2,$other=1"
# Its own second run, after the program's.
explored gap explore:1 '1 EQUAL 0;' 1 "$any=2,$rewritten=2"
explored no_gap explore:1 '1 UNJUDGED 0;' 0 "$any=2,$rewritten=2"
# What is known needs no other build.
explored gap explore:1,explore:2 '1 EQUAL 0;2 EQUAL 0;' 1 "$rewritten=2,$rewritten=4,$other=1"
explored gap explore:1,explore:2 '1 EQUAL 0;2 DIFFERS 0;' 0 "$rewritten=4"

# compared SCENE COUNT DIFFERS ROUNDS SETTINGS...: the first rewritten launch on the program's buffers, and those of --verify.
compared() {
    run "$1" 3 "$4" "${@:5}"
    has "$2" "$dont_count" "compared, $1 $4 ${*:5}"
    has "$3" "runs as written" "compared, $1 $4 ${*:5}"
}
compared gap 1 0 "$rewritten=1,$other=1" FAKE_LOG="$work/log"
text=$(sed -n 's/^clCreateProgramWithSource.*, \([0-9a-f]*\)) = .*/\1/p' "$work/log" | head -n 1)
grep -q "^clCreateProgramWithSource(.*, $text) " "$work/log.builder" || fail "the other build is of another text"
compared gap 0 1 "$rewritten=1"
has 1 "only padding differs, which two builds of its own text leave alike" "compared"
compared no_gap 0 1 "$rewritten=1,$other=1"
compared gap 0 1 "$rewritten=1,$other=1" DL_EXACT=on
compared gap 1 0 "$rewritten=1,$rewritten=2,$rewritten=3,$other=1" DL_VERIFY=1
has 1 "3 launches compared: 3 equal" "verified"
compared gap 0 1 "$rewritten=3" DL_VERIFY=1
has 1 "struct 0, padding at byte 8" "verified"

# In later runs, too, but for --exact.
export DL_CACHE=$work/cache
compared gap 1 0 "$rewritten=1,$other=1"
compared gap 0 0 "$rewritten=1"
compared gap 0 1 "$rewritten=1" DL_EXACT=on

# Where DL chooses, by a clock that only launches move (explored.c): explored once more when the other build is there, it gains;
# in the next run at once, unless all bytes are to count.
export DL_CACHE=$work/auto DL_LAYOUT=auto DL_LOG=debug FAKE_DEVICE_NAME='NVIDIA H200' DL_EXPLORED_CLOCK=100 \
    FAKE_LAUNCH_NS=20000000/1000000,20000000/1000000,1000
each="$rewritten=2,$rewritten=4,$rewritten=6,$rewritten=8"
auto() {
    run "$1" 100 "$3" "${@:4}"
    has "$2" ': AoS -> ASTA' "auto, $1 $3 ${*:4}"
}
auto no_gap 0 "$each,$other=1"
has 1 "on copies in ASTA it gives other bytes than its own text: it runs as written there" "auto, a member"
auto gap 1 "$each,$other=1"
has 1 "$dont_count" "auto"
has 2 "is not explored: another build of its own text, .* is still to be made" "auto"
auto gap 0 "$rewritten=2" DL_EXACT=on
has 2 "as an earlier run has found: it runs as written there" "auto, --exact"
rm -r "$work/auto"
auto gap 1 "$each,$other=1"
auto gap 1 "$rewritten=2"
has 2 "differs only in bytes that its own text does not set, as an earlier run has found: that doesn't count" "auto, later"
has 0 "$dont_count" "auto, later"
rm -r "$work/auto"
auto gap_anew 1 "$each,$other=1"
has 2 "is not explored: another build of its own text, .* is still to be made" "auto, a kernel for each launch"
rm -r "$work/auto"
auto gap 0 "$each"
has 1 "in ASTA it gives other bytes.*only where the structs have no member, and two builds of that agree there" "auto, a wrong text"
finish
