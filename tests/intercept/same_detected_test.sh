#!/bin/bash
# SPDX-License-Identifier: MIT
# Under dl-run, which looks into kernels that nobody annotated, a program without a buffer to convert gets
# the same results and errors, prints the same and makes its own calls: DL adds questions about devices,
# which they are and what, and no profiling, also where queues are made after the kernels, and in a second run.
. "$(dirname "$0")/common.sh"
export DL_CACHE=$work/cache # as users have it: else each run would read the kernels again
preload=${runtime:+LD_PRELOAD=$runtime}
# CL_CONTEXT_DEVICES and CL_PROGRAM_DEVICES
questions='clGet(Device|Platform)Info\(|clGetContextInfo\(context#[0-9]+, 0x1081,|clGetProgramInfo\(program#[0-9]+, 0x1163,'

# run NAME SETTING COMMAND...
run() {
    local name=$1 setting=$2
    shift 2
    FAKE_LOG=$work/$name.log FAKE_LOG_RUNS=1 guard=$watched under ocl-icd native "$setting" "$@" \
        >"$work/$name.out" 2>"$work/$name.err"
    echo "status $?" >>"$work/$name.out"
}

# compare SETTING TIMES COMMAND...: natively, and so often under dl-run; the last run's new calls in $work/added
compare() {
    local setting=$1 times=$2 time what="$1, $(basename "$3") ${*:4}"
    shift 2
    rm -f "$work"/{native,dl}.*
    run native "$setting" "$@"
    for time in $(seq "$times"); do
        run dl "$setting" env $preload "$DL_BUILD/bin/dl-run" -- "$@"
        diff "$work/native.log" "$work/dl.log" | grep '^[<>]' >"$work/added"
        grep -vE "^> ($questions).* = 0\$" "$work/added" >"$work/wrong" &&
            fail "$what, run $time: driver calls differ: $(head -n 6 "$work/wrong")"
        diff "$work/native.out" "$work/dl.out" >"$work/wrong" ||
            fail "$what, run $time: output differs: $(head -n 6 "$work/wrong")"
        diff "$work/native.err" "$work/dl.err" >"$work/wrong" ||
            fail "$what, run $time: something is said: $(head -n 6 "$work/wrong")"
        rm -f "$work"/dl.*
    done
}

calls="$tests/host_linked"
compare A=1 2 "$calls"
[ -s "$work/added" ] || fail "no question was asked, so nothing was detected"
compare FAKE_DEFERRED=1 1 "$calls"
compare FAKE_DEVICES=2 1 "$calls"
compare FAKE_DEVICE_TYPE=cpu 1 "$calls"

# Its queue is made after its kernel.
for element in float particle; do
    cat >"$work/$element.cl" <<END
typedef struct { float x, y; int n; } particle;
__kernel void fake_step(__global $element *p, int n) { if (get_global_id(0) < n) p[get_global_id(0)] = p[0]; }
END
done
sed -i 's/p\[get_global_id(0)\] = p\[0\]/p[get_global_id(0)].x += 1/' "$work/particle.cl"
compare A=1 3 "$tests/host_doctor" source "$work/float.cl"
# With a buffer to convert the comparison does find more.
run native A=1 "$tests/host_doctor" source "$work/particle.cl"
run dl A=1 env $preload "$DL_BUILD/bin/dl-run" --layout asta -- "$tests/host_doctor" source "$work/particle.cl"
diff "$work/native.log" "$work/dl.log" | grep -q '^> clEnqueueNDRangeKernel' || fail "a buffer of structs was not detected"

# Whatever call fails. What DL asks the device itself counts as calls, too, so questions are left out.
names=$(grep -oE 'X\([a-z_ *]+, cl[A-Za-z]+' "$DL_SOURCE/libdl_intercept/hooks/hook_list.h" |
    sed 's/.* //')
[ "$(wc -w <<<"$names")" -gt 50 ] || fail "the list was not read"
for name in $names; do
    # A program that sets a user event in vain waits for ever.
    case $name in clGetDeviceInfo | clGetPlatformInfo | clSetUserEventStatus) continue ;; esac
    compare "FAKE_FAIL=$name:1=-6" 1 "$calls"
done
finish
