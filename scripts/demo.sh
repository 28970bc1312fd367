#!/bin/bash
# Runs the samples natively and under DL and prints a table. Fails when a checksum differs, or
# when a run under DL was not on the layout that it was asked for.
#
# usage: scripts/with-opencl.sh BUILD_FOLDER scripts/demo.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

row() { printf '%-14s  %-8s  %-16s  %10s  %16s  %s\n' "$@"; }
value() { sed -n "s/^$1: //p" "$work/out"; }

# run NAME LAYOUT COMMAND...: prints a row; `native` runs without DL.
run() {
    local name=$1 layout=$2 verdict=- told=${2^^}
    shift 2
    [ "$layout" != da ] || told='DA|SoA' # on a CPU they are one tile of all structs
    if [ "$layout" = native ]; then
        "$@" >"$work/out"
        native_checksum=$(value checksum)
    else
        rm -f "$work/stats.json"
        "$build/bin/dl-run" --layout "$layout" --stats="$work/stats.json" -- "$@" >"$work/out"
        verdict=equal
        if [ "$(value checksum)" != "$native_checksum" ]; then
            verdict='NOT EQUAL'
            status=1
        elif ! grep -Eqs "\"layout\": *\"($told)\"" "$work/stats.json"; then
            verdict="equal, but NOT on ${layout^^}"
            status=1
        fi
    fi
    row "$name" "${layout^^}" "$(value checksum)" "$(value time_s)" "$(value "$rate")" "$verdict"
}

rate=mlups
"$build/samples/lbm" --size 4x4x4 --steps 1 | grep '^device: '
row program layout checksum time_s 'rate' 'against native'
for layout in native asta da; do
    run 'lbm' $layout "$build/samples/lbm" --size 48x48x48 --steps 50
done
for layout in native asta; do
    run 'lbm, flat' $layout "$build/samples/lbm" --size 48x48x48 --steps 50 --variant flat
done
rate=options_per_s
for layout in native asta da; do
    run 'black_scholes' $layout "$build/samples/black_scholes" --options 500000 --steps 50
done
rate=gflops
for layout in native asta da; do
    run 'spmv' $layout "$build/samples/spmv" --shape bcsstk18 --steps 50
done
echo 'rate: million lattice updates (lbm), options (black_scholes) or billion operations (spmv) a'
echo 'second. The layouts pay off on GPUs; on a CPU this shows that the results are the same.'
exit $status
