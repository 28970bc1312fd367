#!/bin/bash
# SPDX-License-Identifier: MIT
# habits_test.sh NAME...: what other runtimes do in their processes works under DL as natively: the same output
# and exit code, and nothing on standard error but, where no builder can be started and a layout was
# asked for, one line that says so.
. "$(dirname "$0")/common.sh"
# The driver's kernels are linked by programs that it starts: natively they are kept, too.
ran=0
# Discrete arrays with DL_TURN=1 (common/turn.h), all with DL_TEST_FULL.
modes='auto asta advise'
[ "${DL_TURN:-0}" = 0 ] || modes='auto da advise'
[ -z "${DL_TEST_FULL:-}" ] || modes='auto asta da advise'

# habit NAME COMMAND...: quiet_but is what DL may say of it, a pattern.
quiet_but=
habit() {
    local name=$1 mode options
    shift
    run warm "$@"
    run native "$@"
    [ "$(cat "$work/native.code")" = 77 ] && {
        echo "$name: not allowed here"
        return
    }
    [ "$(cat "$work/native.code")" = 0 ] || {
        fail "$name, natively: $(cat "$work/native.code"): $(cat "$work/native.out" "$work/native.err")"
        return
    }
    ran=$((ran + 1))
    for mode in $modes; do
        options=()
        case $mode in
        asta | da) options=(--layout "$mode") ;;
        advise) options=(--advise=advice.txt) ;;
        esac
        [ "$name" != local_zero ] || options+=(--stats=stats.json)
        # What one way of running has kept another must not find there.
        [[ $name != environ && $name != path_* && $name != seccomp_later ]] || local -x DL_CACHE=$work/cache_$mode
        run dl "$dl_run" "${options[@]}" -- "$@"
        [ -z "$quiet_but" ] || [ "$mode" = auto ] ||
            sed -i "0,/^dl: .*$quiet_but/{/^dl: .*$quiet_but/d}" "$work/dl.err"
        # The cache that is asked for is on the full disk.
        [ "$name" != "a full disk" ] || sed -i "0,/^dl: warning: .*can't be written (No space/{/can't be written (No space/d}" "$work/dl.err"
        # The folder is out of reach there.
        [ "$name $mode" != "chroot advise" ] || sed -i '/^dl: error: .*the advice can.t be written/d' "$work/dl.err"
        same "$name, $mode" native dl
        # What drivers make of {0} for a rewritten kernel, nobody knows.
        [[ $name != local_zero || $mode != asta && $mode != da ]] ||
            grep -q '"launches":30,"native_launches":2,' "$work/stats.json" ||
            fail "$name, $mode: is not left as written: $(head -c 300 "$work/stats.json")"
    done
}

# In namespaces of its own, where that is allowed.
apart() {
    unshare -mr sh -c "$1" >/dev/null 2>&1
}

for name in "$@"; do
    quiet_but=
    case $name in
    malloc)
        [ -z "$runtime" ] || continue # a sanitizer's malloc is its own
        habit malloc "$guest/habits_malloc" work
        ;;
    bind_now) LD_BIND_NOW=1 habit "LD_BIND_NOW" "$guest/habits" work ;;
    comma)
        mkdir -p "$work/locales"
        localedef -i de_DE -f UTF-8 "$work/locales/comma.UTF-8" >/dev/null 2>&1
        LOCPATH=$work/locales LC_ALL=comma.UTF-8 habit "decimal comma" "$guest/host_locale"
        ;;
    no_proc)
        [ -z "$runtime" ] || continue # a sanitizer reads /proc
        mkdir -p "$work/empty"
        apart "mount --bind $work/empty /proc" || continue
        habit "no /proc" unshare -mr sh -c 'mount --bind "$0" /proc && exec "$1" work' "$work/empty" "$guest/habits"
        ;;
    full_disk)
        apart 'mount -t tmpfs -o size=4k none /mnt' || continue
        mkdir -p "$work/full"
        DL_CACHE=$work/full habit "a full disk" unshare -mr sh -c \
            'mount -t tmpfs -o size=8k,mode=0700 none "$0" && head -c 8192 /dev/zero >"$0/zeros"; exec "$1" work' \
            "$work/full" "$guest/habits"
        ;;
    seccomp_later)
        # While dl-builder starts: a preloaded library takes its time there.
        cat >"$work/late.c" <<'END'
#include <errno.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void wait(void)
{ if (strcmp(program_invocation_short_name, "dl-builder") == 0) usleep(300000); }
END
        "${CC:-gcc}" -D_GNU_SOURCE -shared -fPIC "$work/late.c" -o "$work/late.so" || continue
        quiet_but="builder"
        LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}$work/late.so habit "$name" "$guest/habits" "$name"
        ;;
    seccomp*)
        quiet_but="builder"
        habit "$name" "$guest/habits" "$name"
        ;;
    environ)
        # PoCL looks for its linker in PATH: what it has not linked yet must not be needed.
        quiet_but="changed its PATH"
        export POCL_CACHE_DIR=$work/pocl_environ
        run linked "$guest/habits" work
        habit "$name" "$guest/habits" "$name"
        unset POCL_CACHE_DIR
        ;;
    path_*)
        # The same once its buffer is in tiles, and none of what brings it back is linked.
        quiet_but="changed its PATH"
        export POCL_CACHE_DIR=$work/pocl_$name
        habit "$name" "$guest/habits" "$name"
        unset POCL_CACHE_DIR
        ;;
    fork)
        habit "$name" "$guest/habits" "$name"
        # A child that ends by exit tells of nothing.
        run dl "$dl_run" --stats -- "$guest/habits" "$name"
        [ "$(grep -c '^dl: statistics of' "$work/dl.err")" = 1 ] || fail "$name, --stats: $(cat "$work/dl.err")"
        ;;
    mistakes)
        habit "$name" "$guest/habits" "$name"
        run dl "$dl_run" --stats="$work/stats" --trace "$work/trace" -- "$guest/habits" "$name"
        same "$name, --stats" native dl
        ;;
    *) habit "$name" "$guest/habits" "$name" ;;
    esac
done
[ $ran -gt 0 ] || skip "none of $* can be tried here"
finish
