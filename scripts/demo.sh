#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the samples as they are and under DL, and says in a few lines what that brought. Ends with 1
# when a result differs or a sample was left as it is that gains.
#
# usage: scripts/with-opencl.sh BUILD_FOLDER scripts/demo.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
samples=$build/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

value() { sed -n "s/^$1: //p" "$work/$2"; }
figures() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",]*\).*/\1/p" "$work/stats.json"; }
first() { figures "$1" | head -n 1; }
saying() { # on a terminal, what is being done
    [ ! -t 2 ] || printf '\r\033[K%s' "${1:+$1 ...}" >&2
}

# run NAME MUST COMMAND...: one line, of the default command that is recommended below: the first runs find out what pays, and the
# last is shown. MUST `moves`: it has to come to another layout.
run() {
    local name=$1 must=$2 results=equal did gain runs=2
    shift 2
    saying "$name"
    "$@" >"$work/native"
    [ "$must" != moves ] || runs=8
    for _ in $(seq $runs); do
        rm -f "$work/stats.json"
        "$build/bin/dl-run" --stats="$work/stats.json" -- "$@" >"$work/dl"
        case $(first layout):$(first native_launches) in
        ASTA:[01] | DA:[01] | SoA:[01]) break ;; # one may be timed as written
        esac
    done
    saying ''
    if [ "$(value checksum native)" != "$(value checksum dl)" ] || [ -z "$(value checksum dl)" ]; then
        results='NOT EQUAL'
        status=1
    fi
    did=$(first layout)
    case $must:$did in
    moves: | moves:AoS)
        did='NOT moved'
        status=1
        ;;
    *: | *:AoS) did='left as it is: moving would not pay here' ;;
    *) did="AoS -> $did, $(first marshal_count) buffer(s) moved" ;;
    esac
    gain=$(awk -v a="$(value time_s native)" -v b="$(value time_s dl)" 'BEGIN { printf "%.1f x", a / b }')
    printf '%-14s %9.3f s %9.3f s %8s   %-9s  %s\n' "$name" "$(value time_s native)" "$(value time_s dl)" \
        "$gain" "$results" "$did"
}

"$samples/lbm" --size 4x4x4 --steps 1 >"$work/device"
kind=$(value device_type device)
echo "DL on $(value device device) ($kind)"
printf '%-14s %11s %11s %8s   %-9s  %s\n' program 'as written' 'under DL' gain results 'what DL did'
if [ "$kind" = GPU ]; then
    run agents moves "$samples/agents" --agents 10000000
    run lbm moves "$samples/lbm" --size 128x128x128 --steps 100
    run black_scholes moves "$samples/black_scholes" --options 10000000
    run spmv may "$samples/spmv" --shape bcsstk18 --steps 50
else
    # Long enough for exploring, 0.3 s for 128 MB, to stay within what it may take: 0.1 s and a tenth of the time so far.
    run agents moves "$samples/agents" --steps 400
    run lbm may "$samples/lbm" --size 48x48x48 --steps 40
    run black_scholes may "$samples/black_scholes" --options 200000 --steps 40
    echo 'A CPU gains where a kernel touches little of each struct, as in agents. GPUs gain more often:'
    echo 'on an NVIDIA H200 lbm ran 7.3 x, black_scholes 1.9 x, spmv up to 2.3 x as fast'
    echo '(device time of 50 steps; bench/results/main_job_h200.txt).'
fi
echo 'Your own program, no annotation needed: build/bin/dl-run --stats -- ./program'
exit $status
