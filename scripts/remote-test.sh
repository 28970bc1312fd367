#!/bin/bash
# SPDX-License-Identifier: MIT
# DL in front of PoCL's remote driver: starts two servers (pocld) on loopback, in a network of their own, and
# runs samples in a client natively and under DL, on one server and over both. The bytes must be the
# same, and those on the wire within 1 % of native: conversions happen at the server. Then a server goes
# away: under DL the program must end where it ends natively. docs/notes/remote.md says what it ran on.
#
#   POCLD       the server; else a pocld in PATH
#   REMOTE_ICD  an .icd file that names the client's PoCL, with the remote driver; else the machine's
#   REMOTE_LOG  a folder to leave logs in
#
# usage: [POCLD=FILE] [REMOTE_ICD=FILE] scripts/remote-test.sh [BUILD_FOLDER]
# Exit code 77: there is no pocld, or no such client, or no network of one's own to be had.
set -u
build=$(cd "${1:-build}" && pwd) || exit 1
pocld=${POCLD:-$(command -v pocld)}
skip() {
    echo "remote-test: $*: skipped"
    exit 77
}
[ -n "$pocld" ] && [ -x "$pocld" ] || skip "no pocld (POCLD names one)"
if [ -z "${REMOTE_TEST_INSIDE:-}" ]; then
    for how in -n -rn; do
        if unshare $how true 2>/dev/null; then
            REMOTE_TEST_INSIDE=1 POCLD=$pocld exec unshare $how "$0" "$build"
        fi
    done
    skip "no network namespaces"
fi
ip link set lo up || skip "no loopback in a network of its own"

work=${REMOTE_LOG:-$(mktemp -d)}
mkdir -p "$work"
trap 'stop_all; [ -n "${REMOTE_LOG:-}" ] || rm -rf "$work"' EXIT
export DL_CACHE=$work/dl-cache POCL_CACHE_DIR=$work/client-cache
mkdir -p "$POCL_CACHE_DIR"
ports=(11000 11100)
servers=()
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

listens() { grep -qi ":$(printf %04X "$1") .* 0A " /proc/net/tcp; }

# start I: server I, and waits until it listens.
start() {
    mkdir -p "$work/server-$1"
    POCL_CACHE_DIR=$work/server-$1 POCL_DEVICES=pthread "$pocld" -a 127.0.0.1 -p "${ports[$1]}" \
        >>"$work/pocld-$1.log" 2>&1 &
    servers[$1]=$!
    for _ in $(seq 200); do
        listens "${ports[$1]}" && return
        kill -0 "${servers[$1]}" 2>/dev/null || break
        sleep 0.1
    done
    skip "pocld does not start: $(tail -n 1 "$work/pocld-$1.log")"
}

stop_all() {
    for server in ${servers[@]+"${servers[@]}"}; do
        kill -KILL "$server" 2>/dev/null
        wait "$server" 2>/dev/null
    done
    servers=()
}

# client COMMAND...: with both servers' devices.
client() {
    env ${REMOTE_ICD:+OCL_ICD_VENDORS="$REMOTE_ICD"} POCL_DEVICES="remote remote" \
        POCL_REMOTE0_PARAMETERS="127.0.0.1:${ports[0]}/0" \
        POCL_REMOTE1_PARAMETERS="127.0.0.1:${ports[1]}/0" timeout -k 10 "${limit_s:-60}" "$@"
}

# All that this network has carried.
wire_bytes() { awk '/lo:/ { print $2 }' /proc/net/dev; }

# measured NAME COMMAND...: $sum is its checksum, $bytes what went over the wire. Clients of PoCL 6.0 crash in
# the driver at their end now and then, or stand still at their beginning, with DL and without: those are
# run again, and each is said and counted.
crashes=0
measured() {
    local name=$1 before code
    shift
    for _ in 1 2 3 4 5; do
        before=$(wire_bytes)
        client "$@" >"$work/out" 2>"$work/err"
        code=$?
        bytes=$(($(wire_bytes) - before))
        case $code in
        124 | 134 | 137 | 139) ;;
        *) break ;;
        esac
        crashes=$((crashes + 1))
        echo "$name: a crash or standstill, exit code $code: $(grep -v 'remote-test' "$work/err" | tail -n 1)" | tee -a "$work/crashes"
    done
    [ $code -eq 0 ] || fail "$name: exit code $code: $(tail -n 2 "$work/err")"
    sum=$(sed -n 's/^checksum: //p' "$work/out")
    [ -n "$sum" ] || fail "$name: no checksum"
}

# compare NAME PROGRAM ARGUMENT...: natively and on each layout. The first run of each fills the caches: what
# programs are built from goes over the wire, too.
compare() {
    local name=$1 native_sum native_bytes layout
    shift
    measured "$name, natively" "$@"
    measured "$name, natively" "$@"
    native_sum=$sum native_bytes=$bytes
    for layout in asta da; do
        measured "$name, $layout" "$build/bin/dl-run" --layout $layout -- "$@"
        measured "$name, $layout" "$build/bin/dl-run" --layout $layout --stats="$work/stats.json" -- "$@"
        [ "$sum" = "$native_sum" ] || fail "$name, $layout: checksum $sum, not $native_sum"
        grep -q '"marshal_count":[1-9]' "$work/stats.json" || fail "$name, $layout: nothing was in tiles"
        grep -q '"bring_back_count":0' "$work/stats.json" || fail "$name, $layout: brought back"
        echo "$name, $layout: $bytes bytes on the wire, natively $native_bytes:" \
            "$(awk -v a="$bytes" -v b="$native_bytes" 'BEGIN { printf "%+.2f %%", 100 * (a / b - 1) }')"
        [ $((bytes * 100)) -le $((native_bytes * 101)) ] || fail "$name, $layout: more than 1 % over native"
    done
}

# A first client; one crash of it does not mean that there is none.
is_there() {
    for _ in 1 2 3 4 5; do
        client "$build/samples/lbm" --size 8x8x8 --steps 1 >"$work/out" 2>"$work/err" && return
    done
    false
}

start 0
start 1
is_there || skip "no client with the remote driver (REMOTE_ICD names one): $(tail -n 1 "$work/err")"
sed -n 's/^device: /on /p' "$work/out"
"$pocld" --version 2>/dev/null | head -n 1
compare "lbm on one server" "$build/samples/lbm" --size 128x128x48 --steps 10
compare "lbm over both, planes read" "$build/samples/lbm" --size 128x128x48 --steps 10 --devices 2 --halo read
compare "black_scholes" "$build/samples/black_scholes" --options 4000000 --steps 5

# gone COMMAND: a server goes away in the middle; $how is how the program ends. Not for $(...): servers that a
# subshell starts would outlive it.
gone() {
    local pid code
    how="crashes before"
    for _ in 1 2 3 4 5; do
        stop_all
        start 0
        start 1
        limit_s=20 client $1 "$build/samples/lbm" --size 64x64x16 --steps 1000000 --devices 2 --halo read \
            >"$work/out" 2>"$work/err" &
        pid=$!
        sleep 5
        # It has crashed by itself.
        kill -0 $pid 2>/dev/null || continue
        kill -KILL "${servers[1]}"
        wait $pid
        code=$?
        if [ $code -eq 124 ] || [ $code -eq 137 ]; then how=hangs; else how="ends with $code"; fi
        break
    done
    stop_all
}
# The same program stands still one time and dies of SIGPIPE another: natively it gets several tries.
gone "$build/bin/dl-run --layout asta --"
under=$how
for _ in 1 2 3 4; do
    gone ""
    natively=$how
    [ "$natively" != "$under" ] || break
    echo "a server goes away: natively the program $natively"
done
echo "a server goes away: natively the program $natively, under DL it $under"
[ "$natively" = hangs ] || [ "$under" != hangs ] || fail "it hangs under DL alone, of four tries natively"
stop_all
echo "$crashes crashes or standstills of the client, $failures failures"
[ $failures -eq 0 ]
