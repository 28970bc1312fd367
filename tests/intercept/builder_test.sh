#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: where DL chooses the layout, no launch waits for a compiler: launches run as written until
# what they need has been made beside the program, and then on tiles, without a remark. The program
# has nothing built from source but its own text. It neither waits for the builder when it ends, nor
# sees it: no child, no signal, no descriptor, no references. A builder that ends in the middle of a
# job is tried once more, and then the kernel stays as it is written. A layout that the user asks for
# is waited for. What was built is there at once the next time. What is likely to be wanted is
# asked for before the first launch. A text that nobody has annotated is read there, too: libclang is
# never loaded into its program, and kernels that were made and launched before go to tiles as well.
. "$(dirname "$0")/common.sh"
# What the policy thinks of the driver's made-up times is not the question here.
# That driver gathers no parts of tiled buffers, which a comparison would.
export DL_CACHE=$work/cache FAKE_COUNT_HOLDS=1 FAKE_NO_PROFILING=1 DL_STAGING=0
count=0
[ -x "$DL_BUILD/lib/dl-builder" ] || fail "no builder beside the library"

# go CASE [SETTING...]: $seen is what it and DL print; $own and $beside count programs that the driver
# built from source for the program itself and for the builder.
go() {
    count=$((count + 1))
    log=$work/log$count # a builder may outlive its program for a moment
    gate=$work/gate$count
    FAKE_LOG=$log FAKE_BUILD_GATE=$gate guard=$watched under ocl-icd preload DL_LOG=remark "${@:2}" \
        "$tests/host_builder" "$1" "$gate" >"$work/out" 2>&1 || fail "$1 ${*:2}: status $?"
    seen=$(cat "$work/out")
    own=$(grep -c '^clCreateProgramWithSource' "$log")
    : >"$gate" # for a builder that is still at it
    beside=$(cat "$log.builder" 2>"$work/none" | grep -c '^clCreateProgramWithSource')
}
# is WHAT LINE...: these lines were printed, no others.
is() {
    printf '%s\n' "${@:2}" >"$work/want"
    grep -vE '^dl: remark: (policy: |kernel .* DL follows the annotation |buffer .* is brought back to AoS for a comparison)' "$work/out" | diff "$work/want" - >"$work/diff" || fail "$1: $(cat "$work/diff")"
}
as_written='launched 50, 0 of them on tiles'
references=$(under ocl-icd native "$tests/host_builder" never - | grep references)

for how in off on; do
    rm -rf "$work/cache"
    DL_CACHE=$work/cache
    [ $how = on ] || DL_CACHE=off
    go meanwhile
    is "meanwhile, cache $how" "$as_written" "$references" "$references" done
    [ "$own" = 1 ] || fail "meanwhile, cache $how: $own programs from source"
    [ "$beside" -ge 4 ] || fail "meanwhile, cache $how: $beside programs from source beside the program"
done

# The next time, with the gate shut.
# The builder outlives its program by the job at hand, which may be half of what a run wants.
for try in 1 2 3 4 5; do
    go warm
    is "warm" "$references" "$references" done
    [ -e "$log.builder" ] || break
    sleep 0.2
done
[ "$own $beside" = "1 0" ] || fail "warm: programs from source: $own, $beside beside"
[ ! -e "$log.builder" ] || fail "warm: there was a builder"

for name in exit released closes forks children threads; do
    DL_CACHE=$work/cache_$name # the builder of the one before may be at it still
    go $name
    case $name in
    exit) is exit "$as_written" "$references" ;;
    released) is released "$as_written" "$references" "$as_written" "$references" done ;;
    closes) is closes "$as_written" "$references" "$references" done ;;
    forks) is forks "$as_written" "$references" "child 0" "$as_written" "$references" done ;;
    children) is children "$as_written" "no child 1, then 1; signals 0" done ;;
    threads) is threads done ;;
    esac
    [ $name = threads ] || [ "$own" -le 2 ] || fail "$name: $own programs from source"
done

# What the text makes likely is asked for when the kernel is made.
DL_CACHE=$work/cache_ahead
go ahead
is ahead "built before the first launch: 1" done
# In a text without annotations nobody knows that before it is read: the builder goes on by itself then.
DL_CACHE=$work/cache_ahead_unread
go ahead HOST_PLAIN=1 DL_DETECT=on
is "ahead, unread" "built before the first launch: 1" done

# Until conversions of the buffer's own shape are built, those for any shape do.
DL_CACHE=$work/cache_any
go any FAKE_BUILD_GATE_OF='dl_chunk('
is "for any shape" "on tiles: 1" done

DL_CACHE=$work/cache_never
go never FAKE_BUILDER_CRASHES=1
is "a builder that ends" "$as_written" "$references" done

# wait_for_builder: until the builder of the last run has ended.
wait_for_builder() {
    local process
    for process in $(seq 600); do
        grep -qsz "^FAKE_BUILD_GATE=$gate$" $(grep -ls '^dl-builder$' /proc/[0-9]*/comm 2>"$work/none" | sed 's/comm$/environ/') /dev/null ||
            break
        sleep 0.1
    done
}
# A program that ends before its builder has a driver has its jobs done, so that the next run of a short
# program finds them; without a cache only the one that was begun: a text's, or a kernel's with what compares and moves it.
for how in on off; do
    DL_CACHE=$work/cache_early
    [ $how = on ] || DL_CACHE=off
    go exit FAKE_BUILDER_START="$work/start_$how"
    : >"$work/start_$how"
    wait_for_builder
    # Without a cache it may have begun none, and have no log.
    built=$(cat "$log.builder" 2>"$work/none" | grep -c '^clBuildProgram')
    [ $how = off ] || [ "$built" -gt 2 ] || fail "a program that ended early, cache on: $built were built"
    [ $how = on ] || [ "$built" -le 4 ] || fail "a program that ended early, cache off: $built were built"
done
# Nor does a signal to the program's group take them away: Ctrl-C, `timeout`, a terminal that closes.
set -m
for signal in INT HUP TERM; do
    DL_CACHE=$work/cache_$signal
    go exit FAKE_BUILDER_START="$work/start_$signal" &
    group=$!
    wait $group
    kill -$signal -- -$group 2>"$work/none"
    count=$((count + 1))
    log=$work/log$count gate=$work/gate$count
    : >"$work/start_$signal"
    wait_for_builder
    [ "$(grep -cs '^clBuildProgram' "$log.builder")" -gt 2 ] 2>"$work/none" || fail "SIG$signal to the program's group ends the builder"
done
set +m
DL_CACHE=$work/cache

# Runs that follow each other soon have a builder each. What one is building the others leave to it, and find then; when
# it is killed, the next builds that.
# two NAME COMMAND...: starts two with the gate shut, runs the command when both have a device, and opens the gate.
# built NAME RUN...: the programs that these have built from source, a line each.
two() {
    local run
    DL_CACHE=$work/cache_$1 gate=$work/gate_$1
    for run in 1 2; do
        FAKE_LOG=$work/log_$1$run FAKE_BUILD_GATE=$gate under ocl-icd preload "$tests/host_builder" exit "$gate" >"$work/out" 2>&1
        until grep -qs '^clCreateContext' "$work/log_$1$run.builder"; do sleep 0.1; done
        sleep 0.3 # for the mistake: to build beside the first
        [ $run = 2 ] || first=$(grep -lsz "^FAKE_BUILD_GATE=$gate$" $(grep -ls '^dl-builder$' /proc/[0-9]*/comm | sed 's/comm$/environ/') /dev/null)
    done
    "${@:2}"
    : >"$gate"
    wait_for_builder
}
built() {
    local run
    for run in "${@:2}"; do
        sed -nE 's/^clCreateProgramWithSource\(.*, ([0-9a-f]+)\) = (program#[0-9]+) 0$/made \2 \1/p
            s/^clBuildProgram\((program#[0-9]+), 1, ptr, "(.*)", .*\) = 0$/built \1 \2/p' "$work/log_$1$run.builder" |
            awk '$1 == "made" { text[$2] = $3 } $1 == "built" && text[$2] { $1 = ""; print text[$2], $0 }' | sed 's/program#[0-9]*//'
    done
}
two once true
[ "$(built once 1 2 | wc -l)" -gt 3 ] || fail "two builders: they have built $(built once 1 2 | wc -l) programs"
[ -z "$(built once 1 2 | sort | uniq -d)" ] || fail "two builders built the same: $(built once 1 2 | sort | uniq -d)"
end_first() { kill -KILL "${first//[^0-9]/}"; }
two killed end_first
[ "$(built killed 2 | wc -l)" -gt 3 ] || fail "the first builder was killed, and the second has built $(built killed 2 | wc -l) programs"

# It opens no device for a text without anything for DL.
DL_CACHE=$work/cache_flat
go exit HOST_PLAIN=1 HOST_FLAT=1 DL_DETECT=on LD_DEBUG=libs LD_DEBUG_OUTPUT="$work/flat"
wait_for_builder
grep -qs 'calling init:.*/libclang-1' "$work"/flat.* || fail "a text without structs: nothing was read"
[ ! -e "$log.builder" ] || ! grep -q '^clCreateContext' "$log.builder" || fail "a text without structs: a device was opened"
DL_CACHE=$work/cache

# The builder steps back: to the end for a GPU, but not to where it would never run on a busy machine. It does so in the
# program's session: with a session of its own Linux gives it as much of the machine as the program, whatever its steps.
rm -rf "$work/cache"
gate=$work/gate_shut
FAKE_LOG=$work/log_shut FAKE_BUILD_GATE=$gate under ocl-icd preload "$tests/host_builder" exit "$gate" \
    >"$work/out" 2>&1
for try in $(seq 50); do
    steps=$(for process in /proc/[0-9]*; do
        grep -qs "FAKE_BUILD_GATE=$gate" "$process/environ" && awk -v ours="$(cut -d' ' -f6 "/proc/$$/stat")" '/^[0-9]+ \(dl-builder\)/ {
                print $19, $41
                print ($5 == $1 ? "its own group" : "the group of another"), ($6 == ours ? "our session" : "another session") >where }
            ' where="$work/where" "$process/stat"
    done 2>"$work/none")
    [ "$steps" != "19 3" ] || break
    sleep 0.1
done
# Where these tests are nice themselves, 14 steps may be more than there are.
[ "$steps" = "19 3" ] || [ "$(nice)" -gt 0 ] || fail "the builder's nice value and policy are $steps, not 19 and 3 (SCHED_BATCH)"
[ "$(cat "$work/where")" = "its own group our session" ] || fail "the builder has $(cat "$work/where")"
: >"$gate"

# How fast a GPU without a file copies the builder measures once, for later runs; nothing without a cache.
# copies: that the builder of the last run, which is waited for, has made.
copies() {
    local made
    wait_for_builder
    made=$(grep -c '^clEnqueueCopyBuffer' "$log.builder" 2>"$work/none")
    echo "${made:-0}"
}
knows='a copy within the device moves [1-9][0-9]* MB/s, as was measured here'
timed=(FAKE_NO_PROFILING=0 FAKE_TICK_NS=1000000 DL_LOG=debug)
DL_CACHE=$work/cache_copies
go exit "${timed[@]}"
[ "$(copies)" = 6 ] || fail "the builder copied $(copies) times, not 6"
go exit "${timed[@]}" DL_TILE=16
grep -q "$knows" "$work/out" || fail "what the builder measures is not known to later runs"
made=$(copies)
[ -e "$log.builder" ] && [ "$made" = 0 ] || fail "the builder is not there, or measures again: $made copies"
go exit "${timed[@]}" DL_CACHE=off
[ "$(copies)" = 0 ] || fail "without a cache: $(copies) copies"
DL_CACHE=$work/cache

# A layout that the user has chosen is there at the first launch, which waits for the builder; without one the
# kernels run as written.
rm -rf "$work/cache"
mkdir "$work/alone"
cp "$dl" "$work/alone/libdl_intercept.so"
opened=$work/opened
: >"$opened"
usual=$dl
go never DL_CACHE=off DL_LAYOUT=asta FAKE_BUILD_GATE="$opened"
is "asked for" "launched 50, 50 of them on tiles" "$references" done
[ -e "$log.builder" ] || fail "asked for: there was no builder"
# Files that are named relative to where the program was are the builder's, too.
echo 'fake_step: AoS: p[n]' >"$work/side"
cd "$work" || exit 1
go never DL_CACHE=off DL_LAYOUT=asta DL_DETECT=off DL_ANNOTATIONS=side HOST_PLAIN=1 HOST_MOVES=1 FAKE_BUILD_GATE="$opened"
cd "$OLDPWD" || exit 1
is "another folder" "launched 50, 50 of them on tiles" "$references" done
dl=$work/alone/libdl_intercept.so
go never DL_CACHE=off FAKE_BUILD_GATE="$opened"
grep -qx "$as_written" "$work/out" || fail "without a builder: $seen"
[ "$(grep -c "^dl: warning: .* run as written: dl-builder, .* can't be started: it is not beside" "$work/out")" = 1 ] ||
    fail "without a builder: not said once: $seen"
[ ! -e "$log.builder" ] || fail "without a builder: there was one"
dl=$usual

# An annotation vouches for its kernel: under a layout that is asked for nothing is compared, and the first launch is on
# tiles. Where DL chooses, what explores compares it before anything is on tiles.
rm -rf "$work/cache"
go never DL_LOG=debug DL_LAYOUT=asta FAKE_BUILD_GATE="$opened"
grep -qx "launched 50, 50 of them on tiles" "$work/out" || fail "vouched for: $seen"
! grep -qE "first rewritten launch|explored" <<<"$seen" || fail "vouched for, and compared: $seen"
rm -rf "$work/cache"
go meanwhile DL_LOG=debug DL_LAYOUT=auto
tried=$(sed -n "/kernel 'fake_step' explored: ASTA gives the same bytes/=" "$work/out" | head -1)
tiled=$(sed -n '/AoS -> ASTA/=' "$work/out" | head -1)
[ "${tried:-$((tiled + 1))}" -lt "$tiled" ] || fail "chosen, and not compared: $seen"

# Without annotations: what was found comes from the builder, also for the kernels there are. A trial is
# not seen in any count of references, either.
export HOST_PLAIN=1
found() { # CASE: libclang must not be in the program, which has the first of these numbers
    rm -f "$work"/ld.*
    go "$1" DL_DETECT=on LD_DEBUG=libs LD_DEBUG_OUTPUT="$work/ld" "${@:2}"
    for file in $(grep -l 'calling init:.*/host_builder' "$work"/ld.*); do
        grep -q 'calling init:.*/libclang-1' "$file" && fail "without annotations, $1: libclang is in the program"
    done
}
for case in meanwhile; do
    rm -rf "$work/cache"
    found $case
    want=("$as_written" "$references" "$references" done)
    grep -v '^dl: remark: ' "$work/out" >"$work/seen"
    printf '%s\n' "${want[@]}" | diff - "$work/seen" >"$work/diff" || fail "without annotations, $case: $(cat "$work/diff")"
    grep -qs 'calling init:.*/libclang-1' "$work"/ld.* || fail "without annotations, $case: nothing was read"
done
unset HOST_PLAIN
finish
