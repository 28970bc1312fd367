#!/bin/bash
# SPDX-License-Identifier: MIT
# Statistics that can't be written are said so, in one line with the reason and what to do, and
# change nothing for the program; and they go to the file that was named, not where somebody else
# leads them.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8

go() { # FILE: a program that ends well, with its statistics there
    guard=$watched under ocl-icd preload DL_STATS="$1" "$tests/host_tiles" made_the_usual_way \
        >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" = 0 ] || fail "$1: status $status: $(cat "$work/err")"
}
refused() { # FILE REASON, a pattern
    go "$1"
    [ "$(grep -c '^dl: ' "$work/err")" = 1 ] || fail "$1: not one line: $(cat "$work/err")"
    grep -qE "^dl: error: $1: the statistics can't be written: $2; give --stats .DL_STATS. another file" \
        "$work/err" || fail "$1: $(cat "$work/err")"
}
refused_at_once() { # FILE REASON: before the program has begun
    go "$1"
    [ "$(grep -c '^dl: ' "$work/err")" = 1 ] || fail "$1: not one line: $(cat "$work/err")"
    grep -q "^dl: warning: DL_STATS=$1: $2; allowed: a file that can be written, or 1; ignored" \
        "$work/err" || fail "$1: $(cat "$work/err")"
}
written() { # FILE: by the last run
    [ ! -s "$work/err" ] || fail "$1: $(cat "$work/err")"
    python3 -m json.tool "$1" >/dev/null || fail "$1: $(cat "$1")"
}

go "$work/stats" && written "$work/stats"
yes | head -c 100000 >>"$work/stats"
go "$work/stats" && written "$work/stats"
[ ! -e /dev/full ] || refused /dev/full "No space left on device"
refused_at_once "$work/nowhere/stats" "its folder is not there"
refused_at_once "$work" "Is a directory"
[ ! -w /proc/version ] && [ -e /proc/version ] && [ "$(id -u)" != 0 ] &&
    refused_at_once /proc/version "Permission denied"
guard=$watched under ocl-icd preload DL_STATS="$work/stats" bash -c 'ulimit -f 0; "$0" "$1"; echo status $?' \
    "$tests/host_tiles" made_the_usual_way 2>&1 | cat >"$work/out"
grep -q '^status 0$' "$work/out" && grep -q "can't be written: File too large" "$work/out" ||
    fail "a limit of the size: $(cat "$work/out")"

# Pipes, without a reader and with one.
mkfifo "$work/pipe"
refused "$work/pipe" "No such device or address"
exec 9<>"$work/pipe" # whoever writes to it has a reader, and need not wait for one
go "$work/pipe"
dd bs=65536 count=1 <&9 >"$work/read" 2>/dev/null
written "$work/read"
exec 9>&-
go /dev/stdout
grep -q '"marshal_count"' "$work/out" || fail "/dev/stdout: $(cat "$work/out")"

# Links: the user's own are followed; in a folder for all, those of others are not.
ln -s "$work/target" "$work/link"
go "$work/link" && written "$work/target"
mkdir -m 1777 "$work/all"
ln -s "$work/target" "$work/all/own"
rm "$work/target"
go "$work/all/own" && written "$work/target"
if [ "$(id -u)" = 0 ]; then
    ln -s "$work/precious" "$work/all/foreign"
    chown -h 65534 "$work/all/foreign"
    echo '{"dl":"precious"}' >"$work/precious"
    refused "$work/all/foreign" "(Too many levels of symbolic links|Permission denied)"
    [ "$(cat "$work/precious")" = '{"dl":"precious"}' ] || fail "somebody else's link was followed"
fi
finish
