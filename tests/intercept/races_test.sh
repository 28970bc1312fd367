#!/bin/bash
# SPDX-License-Identifier: MIT
# No data races in DL: threads that share a context, a queue, a kernel and buffers (host_races.c)
# run over the fake driver with DL built by -DDL_SANITIZE=thread, in a build directory inside this
# one that is made at the first run, without optimising: that takes half as long. The driver is the one
# built without: its one lock would order all threads, and the sanitizer is told not to see it. What is found depends on how the threads
# happen to meet: DL_ROUNDS sets for how long; 300 rounds if not set, which take a fifth of the time of 1000, as
# DL_TEST_FULL does.
#
# The sanitizer's memory has fixed places, which now and then are not free where addresses are random.
if [ -z "${DL_STEADY_ADDRESSES:-}" ] && setarch -R true 2>/dev/null; then
    DL_STEADY_ADDRESSES=1 exec setarch -R bash "$0" "$@"
fi
. "$(dirname "$0")/common.sh"
[ -z "$runtime" ] || exit 77
echo 'int main(void) { return 0; }' >"$work/empty.c"
cc -fsanitize=thread "$work/empty.c" -o "$work/empty" 2>"$work/out" && "$work/empty" || exit 77

build=$DL_BUILD/tests/thread-sanitizer
rounds=300
[ -z "${DL_TEST_FULL:-}" ] || rounds=1000
cmake -S "$DL_SOURCE" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DDL_SANITIZE=thread -DDL_TESTS=ON >"$work/out" 2>&1 &&
    cmake --build "$build" --target dl_intercept host_races host_threads host_builder host_binaries >>"$work/out" 2>&1 || {
    tail -n 20 "$work/out"
    fail "the build with the thread sanitizer"
    finish
}
dl=$build/lib/libdl_intercept.so
runtime=$(ldd "$dl" | awk '/libtsan\.so/ { print $3; exit }')
[ -n "$runtime" ] || fail "no sanitizer in $dl"
# Of the loader too: what it does once, it does under an order of its own.
# libclang is built without, too.
{
    printf 'called_from_lib:%s\n' libfake_opencl.so libOpenCL.so
    printf 'race:%s\n' libclang libLLVM
} >"$work/suppressions"
export TSAN_OPTIONS="halt_on_error=0 exitcode=66 suppressions=$work/suppressions"
export DL_LAYOUT=asta DL_TILE=8 DL_LOG=quiet

# watch_races LOADER HOW COMMAND...: its exit code; $work/races is what it printed. The sanitizer ends a program when
# it cannot go on itself: it reads the list of libraries while other threads map memory, and then takes one for
# unloaded, or its own memory is not to be had. That says nothing of DL, and is tried again.
watch_races() {
    local status turn
    for turn in 1 2 3; do
        guard=$watched under "$@" >"$work/races" 2>&1
        status=$?
        [ $status != 0 ] && ! grep -q 'WARNING: ThreadSanitizer' "$work/races" &&
            grep -E 'FATAL: ThreadSanitizer|ThreadSanitizer: CHECK failed|ThreadSanitizer failed to allocate' "$work/races" || break
    done
    return $status
}

for setting in A=1 FAKE_DEFERRED=1 DL_STATS="$work/stats" DL_TRACE="$work/trace" DL_LAYOUT=da DL_STAGING=0; do
    watch_races ocl-icd preload "$setting" "$build/tests/host_races" "${DL_ROUNDS:-$rounds}"
    status=$?
    [ $status = 0 ] || {
        fail "${setting%%=*}: status $status"
        grep -vE '^=+$' "$work/races" | head -n 120
    }
done
# Nor where they share a builder, without times and with times that favour tiles: the made-up ones favour none. A launch that is
# compared brings its buffer back, since the driver's kernels that gather parts do nothing.
for round in 1 2; do
    for setting in FAKE_NO_PROFILING=1 FAKE_LAUNCH_NS=4000000/1000000,4000000/1000000,1000; do
        rm -f "$work/gate"
        watch_races ocl-icd preload DL_LAYOUT=auto DL_STAGING=0 DL_CACHE="$work/cache$round${setting%%=*}" "$setting" \
            "$build/tests/host_builder" threads "$work/gate" || {
            fail "builder, ${setting%%=*}: status $?"
            grep -vE '^=+$' "$work/races" | head -n 120
            break 2
        }
    done
done
# Nor where they load and take binaries, which DL comes to know in the first round.
printf 'typedef struct { float x, y; int n; } s;\n//DL: AoS: p[n]\n__kernel void fake_step(__global s *p, int n)\n%s\n' \
    '{ int i = get_global_id(0); if (i < n) p[i].n++; }' >"$work/kept.cl"
for round in 1 2 3; do
    watch_races ocl-icd preload DL_CACHE="$work/kept_cache" DL_STAGING=0 "$build/tests/host_binaries" \
        threads "$work/kept" "$work/kept.cl" "" || {
        fail "binaries: status $?"
        grep -vE '^=+$' "$work/races" | head -n 120
        break
    }
done
# Nor where threads meet at the first use of OpenCL, by any of its ways in. A loader that opens layers hands
# over the table below them before any call goes through them.
cp "$work/suppressions" "$work/suppressions.loader"
echo race:dl__next_fill >>"$work/suppressions.loader"
for how in preload layer both; do
    [ "$how" = preload ] || export TSAN_OPTIONS="${TSAN_OPTIONS/suppressions=*/suppressions=$work/suppressions.loader}"
    for round in 1 2 3; do
        watch_races ocl-icd "$how" "$build/tests/host_threads" || {
            fail "first use, $how: status $?"
            grep -vE '^=+$' "$work/races" | head -n 60
            break
        }
    done
done
python3 "$DL_SOURCE/tests/common/check_trace.py" "$work/trace" 'launch>=100' || fail "the trace of threads"
# The threads have had their buffers in tiles.
grep -q '"marshal_count":[1-9]' "$work/stats" || fail "nothing was ever tiled"
finish
