#!/bin/bash
# SPDX-License-Identifier: MIT
# A wish that is not met gets one line at the default level; a run without wishes has none.
. "$(dirname "$0")/common.sh"

# says WHAT PATTERN COMMAND...: prints what it prints natively, and one line of DL's, which is that.
says() {
    local what=$1 pattern=$2
    shift 2
    run dl "$@"
    [ "$(grep -cE '^dl: ' "$work/dl.err")" = 1 ] && grep -qE "^dl: warning: $pattern\$" "$work/dl.err" ||
        fail "$what: $(cat "$work/dl.err")"
}
# silent WHAT COMMAND...
silent() {
    local what=$1
    shift
    run dl "$@"
    [ ! -s "$work/dl.err" ] || fail "$what: $(cat "$work/dl.err")"
}
host=$guest/host_locale

# ---- a program that uses no OpenCL ----
for wish in --stats --stats=stats.json "--trace trace.json" --advise --verify --explain-policy; do
    # shellcheck disable=SC2086 # an option and its value
    says "$wish" "true used no OpenCL, so ${wish%%[ =]*} has nothing to report" "$dl_run" $wish -- true
done
# cat closes its standard error before it ends.
says "two wishes" "cat used no OpenCL, so --stats, --verify has nothing to report" \
    "$dl_run" --stats --verify -- cat /dev/null
says "a script" "bash itself made no OpenCL context, so --stats has nothing to report for it; the programs that it started.*" \
    "$dl_run" --stats -- bash -c 'true; /bin/true; exit 0'
says "a script that fails" "bash itself made no OpenCL context and ended with code 3, so --stats has nothing to report for it: see whether it works without DL; .*" \
    "$dl_run" --stats -- bash -c 'true; /bin/true; exit 3'
says "a wrong argument" "cat ended with code 1 before it used OpenCL, so --stats has nothing to report: see whether it works without DL" \
    "$dl_run" --stats -- cat /no/such/file
silent "no wish" "$dl_run" -- true
silent "a layout" "$dl_run" --layout asta -- true
silent "--log quiet" "$dl_run" --log quiet --stats -- true
run dl "$dl_run" --stats -- "$host"
grep -q 'used no OpenCL' "$work/dl.err" && fail "a program that uses OpenCL: $(cat "$work/dl.err")"

# ---- variables ----
for name in DL_LAYOT DL_LAYOUTS DL_layout DL_TIEL DL_EXPLAIN_POLCIE; do
    says "$name" "$name is not a variable of DL's, so it does nothing; did you mean DL_[A-Z_]+\\?" \
        env $name=da "$dl_run" -- "$host"
done
silent "others' variables" env DL_DATA=x DL_HOME=x DL_MODEL_PATH=x DL_TYPE=x DL_ROOT=x "$dl_run" -- "$host"
silent "DL's variables" env DL_TILE=32 DL_STAGING=1M "$dl_run" -- "$host"

# ---- libclang ----
echo 'no library' >"$work/none.so"
for layout in da asta grid; do
    says "no libclang, $layout" "--layout needs libclang, and it is switched off .*" \
        "$dl_run" --libclang none --layout $layout -- "$host"
    for named in "$work/none.so" libm.so.6 libno_such.so; do
        says "$named, $layout" "the libclang that --libclang names can't be loaded, so .* run as written; .*" \
            "$dl_run" --libclang "$named" --layout $layout -- "$host"
    done
done
silent "no libclang, and no wish" "$dl_run" --libclang none -- "$host"

# ---- what the next run has ----
# A libclang that is not loaded before the program is gone.
cat >"$work/slow.c" <<END
#include <unistd.h>
__attribute__((constructor)) static void wait(void)
{ for (int i = 0; i < 6000 && access("$work/gate", F_OK) != 0; i++) usleep(10000); }
END
why_of() {
    DL_CACHE=$1 run dl "$dl_run" --libclang "$work/slow.so" --stats -- "$host"
    grep '  why: ' "$work/dl.err"
}
if [ -z "$runtime" ] && "${CC:-gcc}" -shared -fPIC "$work/slow.c" -o "$work/slow.so"; then
    why_of "$work/promises" | grep -q 'not read its text yet$' || fail "a promise: $(cat "$work/dl.err")"
    why_of "$work/promises" | grep -q 'not read its text yet, as in an earlier run' || fail "a promise again: $(cat "$work/dl.err")"
    why_of off | grep -q 'and no cache keeps it for the next run' || fail "a promise without a cache: $(cat "$work/dl.err")"
    # The layout that is named is the one that usually gains on a CPU.
    tail -1 "$work/dl.err" | grep -q 'Next: set --cache to a folder, or use --layout da, which waits for it$' ||
        fail "what is next: $(cat "$work/dl.err")"
    touch "$work/gate"
fi

# What is not worth building is not said to be built. The first runs may be over before the text is read.
for _ in 1 2 3 4 5 6 7 8 9 10; do
    DL_CACHE=$work/short run dl "$dl_run" --stats -- "$host"
    grep -q 'why: DL had not read its text yet' "$work/dl.err" || break
done
grep -q 'why: its launches have taken too little time so far to be worth another layout' "$work/dl.err" ||
    fail "short launches: $(cat "$work/dl.err")"
tail -1 "$work/dl.err" | grep -qE 'Next: run it longer, for about [0-9]+ launches of this kernel(, as its text suggests)?; --layout da always builds' ||
    fail "short launches, how many: $(cat "$work/dl.err")"
# The policy says of its group what is said of the launches.
DL_CACHE=$work/short run dl "$dl_run" --stats --explain-policy -- "$host"
grep -q '^dl: policy: group .* its launches have taken too little time so far to be worth another layout' "$work/dl.err" ||
    fail "short launches, the policy: $(cat "$work/dl.err")"

# A cache that is asked for and can't be written.
: >"$work/file"
DL_CACHE=$work/file run dl "$dl_run" -- "$host"
[ "$(grep -c "^dl: warning: $work/file: can't be written (Not a directory)" "$work/dl.err")" = 1 ] ||
    fail "a cache in a file: $(cat "$work/dl.err")"

# A program whose forked child alone uses OpenCL has the loader in it, too.
cat >"$work/forks.c" <<'END'
#include <sys/wait.h>
#include <unistd.h>
int clGetPlatformIDs(unsigned count, void **platforms, unsigned *found);
int main(void)
{
    unsigned count;
    if (fork() == 0)
        return clGetPlatformIDs(0, 0, &count) != 0;
    return wait(0) < 0;
}
END
if [ -z "$runtime" ] && "${CC:-gcc}" "$work/forks.c" -o "$work/forks" -lOpenCL; then
    run dl "$dl_run" --stats -- "$work/forks"
    grep -q 'forks itself made no OpenCL context that DL saw.*; the programs that it started report for themselves' "$work/dl.err" ||
        fail "forks: $(cat "$work/dl.err")"
fi

# ---- plug-ins whose calls go past what is preloaded ----
# A sanitizer's runtime refuses RTLD_DEEPBIND.
modes="deepbind dlmopen"
[ -z "$runtime" ] || modes=
for mode in $modes; do
    # A loader that takes layers brings them back.
    run native "$guest/habits" $mode
    run dl "$dl_run" --layout asta --stats -- "$guest/habits" $mode
    cmp -s "$work/native.out" "$work/dl.out" || fail "$mode: prints $(cat "$work/dl.out")"
    grep -q 'advance  *rewritten' "$work/dl.err" || fail "$mode: is not caught: $(cat "$work/dl.err")"
    grep -q 'context' "$work/dl.err" && fail "$mode: $(cat "$work/dl.err")"
    # One that takes none is named.
    layerless=$DL_BUILD/tests/layerless
    export FAKE_DRIVER=$DL_BUILD/tests/libfake_opencl.so
    past="made no OpenCL context that DL saw.* past DL .*RTLD_DEEPBIND or dlmopen.*"
    says "$mode, without layers" "habits $past" \
        env LD_LIBRARY_PATH="$layerless" "$dl_run" --stats -- "$guest/habits" $mode
    run doctor env LD_LIBRARY_PATH="$layerless" "$dl_run" --doctor -- "$guest/habits" $mode
    [ "$(grep -c "^WRONG  OpenCL .*habits $past" "$work/doctor.out")" = 1 ] || fail "$mode: the doctor: $(cat "$work/doctor.out")"
    unset FAKE_DRIVER
done
finish
