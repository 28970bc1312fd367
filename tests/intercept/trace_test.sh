#!/bin/bash
# SPDX-License-Identifier: MIT
# What --trace writes, over the fake driver: an array of trace events that Perfetto reads, however the
# program ends; the program's commands, DL's conversions, builds, and waits that DL added, each on its
# lane. And that a file that can't be written is said so in one line and changes nothing.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8 FAKE_TICK_NS=1000
trace=$work/trace.json

go() { # STATUS SETTING... -- HOW...: runs host_trace
    local want=$1 settings=()
    shift
    while [ "$1" != -- ]; do settings+=("$1") && shift; done
    shift
    guard=$watched under ocl-icd preload DL_TRACE="$trace" "${settings[@]}" "$tests/host_trace" "$@" \
        >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" = "$want" ] || fail "$*: status $status: $(cat "$work/err")"
}
has() { # WHAT EXPECTATION...
    local what=$1
    shift
    python3 "$DL_SOURCE/tests/common/check_trace.py" "$trace" "$@" || fail "$what: $(head -c 3000 "$trace")"
}
quiet() { [ ! -s "$work/err" ] || fail "$1: $(cat "$work/err")"; }

# What is in it: the other kernel wants structs, so there is a way back.
go 0 DL_STATS="$work/stats.json" -- exit
quiet exit
has exit stats="$work/stats.json" conversion=2 conversion:"p: AoS to ASTA/8" \
    conversion:"p: ASTA/8 to AoS" launch=2 launch:fake_step launch:"rewritten for ASTA/8" \
    launch:fake_other launch:"as written" part:"p: gather a part" transfer:clEnqueueReadBuffer \
    call:clEnqueueNDRangeKernel call:clFinish build:"build of the program" build:"the driver builds it" arrows
# A call says what it launched, and a build what it was for.
has "what for" call:fake_step call:"rewritten for ASTA/8" call:"as written" call:96 build:"clEnqueueNDRangeKernel of fake_step" \
    build:"fake_step;fake_other"
# A command for which the program wants no event is a command, too, and without annotations.
go 0 DL_LAYOUT=aos -- exit
has aos launch=2 conversion=0 transfer:clEnqueueReadBuffer call:clFinish call:clEnqueueNDRangeKernel

# Ways to end.
go 0 -- _exit
has _exit cut conversion=2 launch=2
go 137 -- killed
has killed cut conversion=2 launch=2
go 0 -- forked
has forked launch=4
quiet forked
go 0 FAKE_DEFERRED=1 -- released
quiet released
has released 'launch>=2'

# Threads and queues have lanes of their own; so many events are written as they come.
go 0 -- threads
has threads launch=8 conversion=8 'lanes>=5'
go 0 -- many 5000
has many launch=5002 conversion=2
go 0 FAKE_DEFERRED=1 -- many 5000
has "many under way" launch=5002 conversion=2
go 0 FAKE_DEFERRED=1 -- many 20000
grep -qE "^dl: warning: [0-9]+ commands are missing from the trace" "$work/err" || fail "too many: $(cat "$work/err")"
has "too many" 'launch>=16000'

# What DL makes commands wait for, where a queue does not see to it.
go 0 FAKE_DEFERRED=1 -- queues
has queues wait:"wait that DL added" wait:fake_step wait:"p: ASTA/8 to AoS" 'lanes>=3'
go 0 FAKE_DEFERRED=1 -- exit
has "one queue" '!wait:wait that DL added'
# What --verify makes the program wait for, on the host.
go 0 DL_VERIFY=1 DL_LOG=quiet -- exit
has verify wait:"wait that DL added" launch=2 launch:fake_step dl:"fake_step, to compare" dl:"on copies, to compare" wait:"clEnqueueNDRangeKernel of fake_step"

# What dl-builder makes meanwhile.
DL_CACHE=$work/cache DL_LAYOUT=auto DL_TILE='' guard=$watched under ocl-icd preload DL_TRACE="$trace" FAKE_NO_PROFILING=1 FAKE_COUNT_HOLDS=1 \
    FAKE_BUILD_GATE="$work/gate" "$tests/host_builder" meanwhile "$work/gate" >"$work/out" 2>&1 ||
    fail "builder: $(cat "$work/out")"
has builder build:"by dl-builder"

# Nothing that a driver does not tell is made up.
go 0 FAKE_NO_PROFILING=1 -- exit
grep -q "commands are missing from the trace" "$work/err" || fail "no profiling: $(cat "$work/err")"
has "no profiling" launch=0 conversion=0 call:clFinish

# Files that can't be written: one line, and the program runs.
refused() { # FILE REASON
    trace=$1 go 0 -- exit
    [ "$(grep -c '^dl: ' "$work/err")" = 1 ] || fail "$1: not one line: $(cat "$work/err")"
    grep -qE "^dl: (error|warning): .*$2" "$work/err" || fail "$1: $(cat "$work/err")"
}
[ ! -e /dev/full ] || refused /dev/full "the trace can't be written: No space left on device"
refused "$work/nowhere/trace" "DL_TRACE=.*its folder is not there"
refused "$work" "DL_TRACE=.*Is a directory"
mkfifo "$work/pipe"
refused "$work/pipe" "the trace can't be written: No such device or address"
exec 9<>"$work/pipe"
trace=$work/pipe go 0 -- exit
dd bs=65536 count=1 <&9 >"$trace" 2>/dev/null
exec 9>&-
has "a pipe" launch=2
guard=$watched under ocl-icd preload DL_TRACE="$work/limit" bash -c 'ulimit -f 0; "$0" exit; echo status $?' \
    "$tests/host_trace" 2>&1 | cat >"$work/out"
grep -q '^status 0$' "$work/out" && grep -q "the trace can't be written: File too large" "$work/out" ||
    fail "a limit of the size: $(cat "$work/out")"
if [ "$(id -u)" = 0 ]; then
    mkdir -m 1777 "$work/all"
    printf '[]\n' >"$work/precious"
    ln -s "$work/precious" "$work/all/foreign"
    chown -h 65534 "$work/all/foreign"
    refused "$work/all/foreign" "(Too many levels of symbolic links|Permission denied)"
    [ "$(cat "$work/precious")" = '[]' ] || fail "somebody else's link was followed"
fi

# A program that closes what it has not opened, and opens files of its own in its place.
go 0 -- daemon "$work/mine"
[ "$(cat "$work/mine")" = mine ] || fail "daemon: its file has $(head -c 300 "$work/mine")"
grep -q "the trace can't be written: Bad file descriptor" "$work/err" || fail "daemon: $(cat "$work/err")"
has daemon cut launch=2

# Two programs at the same time: the second finds the file taken, and says where its own is.
exec 8>>"$trace"
flock 8
go 0 -- exit
exec 8>&-
other=$(sed -n "s/.*this one's goes to //p" "$work/err")
[ -n "$other" ] && trace=$other && has "beside another" launch=2 || fail "beside another: $(cat "$work/err")"
finish
