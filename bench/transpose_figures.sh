#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures everything that docs/notes/transpose.md and its figures show:
#     bash bench/transpose_figures.sh BUILD DEVICE OUT [NAME...]
# DEVICE is a part of the device's name; with NAMEs only those. Some minutes of a GPU, most of them its
# compiler's; every result is checked. bench/figures.py draws docs/figures/ from it.
set -u
bench=$1/bin/dl-bench device=$2 out=$3
shift 3
mkdir -p "$out"
wanted=" $* "

# measure NAME ARGS...
measure() {
    local name=$1
    shift
    [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return
    "$bench" transpose "$@" --device "$device" --csv "$out/transpose-$name.csv" \
        | grep "==\|WRONG\|DL_ECL\|DL_EINVAL" || echo "$name: failed"
    sed -i "1a # $(date +%F), dl-bench transpose $*" "$out/transpose-$name.csv"
}

# At most 1/16, 64 (rows + cols) elements or 1/100 of the matrix as workspace
measure random-6 --sets random,primes
measure random-linear --sets random,primes --caps linear
measure random-1 --sets random,primes --caps 1
measure skinny --sets skinny,whole
measure square --sets square --elements 4,8,16 --buffers 3 --bytes 9G \
    --algorithms auto,square,square-v1,square-v1r,square-v1b,square-super
measure outofplace --sets outofplace --elements 4,8 --algorithms auto,out,out-banded
# Near-square sizes, axes, small matrices, batches of them, and 400 sizes
measure random-elements --sets random --seed 77 --elements 1,2,4,8,16
measure nearsquare --sets nearsquare --caps 12 --algorithms auto,square-padded,panel-rows
measure axes --sets axes --buffers 3
measure axes-out --sets axes --place out --algorithms auto,out-axes-grid --buffers 3
measure small --sets small --sizes 20 --elements 1,2,4,8,16 --caps default --reps 21 \
    --algorithms auto,through,onchip
measure batch --sets batch --elements 1,4,16 --caps default --algorithms auto,step,through
measure long --shapes 2x100000000,100000000x2,3x70000001 --elements 1,4,8 --caps 6,default
measure bare --sets random,skinny --sizes 5 --caps 0 --reps 1 --bytes 256M
measure landscape --sets landscape --reps 3
measure landscape-out --sets landscape --place out --reps 3
# The chooser against every fixed algorithm
measure fixed --sets random,table,skinny --algorithms all --reps 3
# Figures 4.21 and 4.22 of Sung 2013
measure tiles --sets tiles --algorithms 3-stage,4-stage,4-stage-fused --elements 4 --reps 3
# Beyond 2^31 and 2^32 elements
measure big --shapes 70001x65537,50021x50023 --elements 4 --bytes 20G --reps 1
measure big-1 --shapes 50021x50023,5x1000000007 --elements 1 --bytes 20G --reps 1 \
    --algorithms auto,panel-rows,panel-cols,r2c
# 504 shapes, for being exact
measure exact --sets small,random --sizes 42 --elements 1,2,4,8,12,16 --reps 1 --bytes 7G
