#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# faults_test.sh fake|device: programs that go on after errors (fault_sweep), while one of the calls
# that reach the driver fails, DL's own among them. Over the fake driver, which runs commands late
# if told to, and on the machine's own. Natively nothing is found; neither is anything under DL.
# A sample of the calls; with DL_TEST_FULL all of them, of more programs, under more options.
set -u
layer=$DL_BUILD/tests/libfault_layer.so
dl=${DL_LIBRARY:-$DL_BUILD/lib/libdl_intercept.so}
sweep=$DL_BUILD/tests/fault_sweep
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unset LD_PRELOAD OPENCL_LAYERS DL_STATS DL_STAGING DL_VERIFY DL_ANNOTATIONS
export FAULT_LAYER=$layer DL_LOG=quiet DL_LAYOUT=asta DL_TILE=8
export MALLOC_PERTURB_=165 # what is used after it was freed shows
[ "$1" = device ] || {
    # Kernels, and so conversions, do nothing here: what DL looks at in tiles would be garbage.
    export OCL_ICD_VENDORS=$DL_BUILD/tests/vendors DL_STAGING=0 DL_CACHE=off
    export FAKE_DEADLOCK_SECONDS=20
}

run() { # WHAT LAYERS ARGUMENT... [NAME=VALUE...]
    local what=$1 layers=$2 arguments=() settings=() word
    shift 2
    for word; do
        case $word in *=*) settings+=("$word") ;; *) arguments+=("$word") ;; esac
    done
    output=$(env "${settings[@]}" "OPENCL_LAYERS=$layers" "$sweep" "${arguments[@]}" 2>&1)
    case $? in
    0) ;;
    *)
        echo "FAILED $what, fault_sweep ${arguments[*]} ${settings[*]}"
        grep -vE '^(fake driver: DEADLOCK|PTHREAD ERROR)' <<<"$output" | head -n "${DL_FINDINGS:-40}" | cut -c1-160
        tail -n 1 <<<"$output"
        failed=1
        ;;
    esac
    calls=$(sed -n 's/^seed [0-9]*: \([0-9]*\) calls.*/\1/p' <<<"$output")
}

# both STRIDE SEED COMMANDS ARGUMENT...: natively, then under DL.
both() {
    local stride=$1 seed=$2 commands=$3
    shift 3
    run natively "$layer" "$seed" "$commands" 1 "$stride" "$@"
    [ "${calls:-0}" != 0 ] || { echo "the loader opens no layers"; exit 77; }
    run "under DL" "$layer:$dl" "$seed" "$commands" 1 "$stride" "$@"
}

# Files that can't be written change nothing, and are said once each; those that can be have all of it.
files() { # STRIDE SEED COMMANDS ARGUMENT...
    local said
    [ ! -e /dev/full ] || {
        both "$@" DL_TRACE=/dev/full DL_STATS=/dev/full DL_LOG=error
        said=$(grep -c "^dl: error: /dev/full: the \(trace\|statistics\) can't be written" <<<"$output")
        [ "$said" = 2 ] || { echo "FAILED /dev/full: said $said times"; failed=1; }
    }
    both "$@" DL_TRACE="$work/trace" DL_STATS="$work/stats"
    python3 "$DL_SOURCE/tests/common/check_trace.py" "$work/trace" 'launch>=1' && python3 -m json.tool "$work/stats" \
        >/dev/null || { echo "FAILED: the trace or statistics of calls that failed"; failed=1; }
}

# kept: what is kept, but for kernels of conversions: where no memory is left, others convert.
kept() {
    for file in "$work"/cache/*; do
        head -c 64 "$file" | grep -aq kernels || sha256sum "$file"
    done
}

# binaries SEED COMMANDS LASTING KEPT: with two strides: what DL keeps of binaries is not what a driver says that is short of something:
# kept is what was kept without faults, and a program is known by its binary whichever call fails.
binaries() {
    mkdir -m 700 "$work/cache"
    run "cache, no faults" "$layer:$dl" "$1" "$2" 100000 1 cold binary DL_CACHE="$work/cache"
    kept >"$work/kept"
    [ "$(wc -l <"$work/kept")" -ge 4 ] || { echo "FAILED: nothing is kept"; failed=1; }
    run "cache, lasting" "$layer:$dl" "$1" "$2" 1 "$3" cold binary lasting DL_CACHE="$work/cache"
    kept | cmp - "$work/kept" || { echo "FAILED: other entries are kept"; failed=1; }
    run "known by its binary" "$layer:$dl" "$1" "$2" 1 "$4" cold kept DL_CACHE="$work/cache" DL_LOG=warning
    ! grep 'came from binaries' <<<"$output" || { echo "FAILED: not known by its binary"; failed=1; }
}

case $1${DL_TEST_FULL:+_full} in
fake)
    both 58 0 6 cold binary
    both 22 5 40 binary FAKE_DEFERRED=1
    files 82 4 20 cold binary
    binaries 0 6 7 3
    both 6 0 40
    both 14 1 40 FAKE_DEFERRED=1
    both 26 2 40 FAKE_DEFERRED=1 lasting
    both 12 7 40 FAKE_DEFERRED=1 lasting # calls 49 and 61: a flush that another queue's command needs
    both 14 3 4 cold
    ;;
fake_full)
    binaries 0 6 3 1
    for seed in $(seq 0 19); do
        both 1 "$seed" 20 cold binary
        both 1 "$seed" 20 cold binary lasting
        both 1 "$seed" 40 binary FAKE_DEFERRED=1
        files 3 "$seed" 20 cold binary
    done
    for seed in $(seq 0 19); do
        for deferred in 0 1; do
            both 1 "$seed" 40 FAKE_DEFERRED=$deferred
            both 1 "$seed" 40 FAKE_DEFERRED=$deferred lasting
            both 1 "$seed" 6 FAKE_DEFERRED=$deferred cold
            both 1 "$seed" 40 FAKE_DEFERRED=$deferred DL_STATS=/dev/null
        done
    done
    ;;
device)
    both 22 0 32
    both 74 1 40
    both 106 2 40 lasting
    both 58 3 2 cold
    both 102 0 40 DL_STATS=/dev/null # events that are not kept
    both 120 0 40 DL_VERIFY=1        # launches that are compared, and fail
    both 245 0 40 DL_VERIFY=1 lasting
    both 82 0 2 cold binary
    ;;
device_full)
    for seed in $(seq 0 11); do
        both 1 "$seed" 40
        both 1 "$seed" 40 lasting
        both 1 "$seed" 40 DL_STAGING=0
        both 3 "$seed" 40 DL_LAYOUT=da
        both 3 "$seed" 40 DL_STATS=/dev/null
        both 3 "$seed" 40 DL_STAGING=200
        both 3 "$seed" 40 DL_VERIFY=1
        both 3 "$seed" 40 DL_VERIFY=1 lasting
    done
    for seed in 0 1 2 3; do
        both 1 "$seed" 4 cold
        both 1 "$seed" 4 cold DL_CACHE=off
        both 1 "$seed" 4 cold lasting
        both 1 "$seed" 4 cold binary
        both 1 "$seed" 4 cold binary lasting
        both 1 "$seed" 4 cold kept
    done
    ;;
esac
exit $failed
