#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures everything that docs/figures/ shows, and the tables of docs/notes/marshal-speed.md:
#     bash bench/marshal_figures.sh BUILD DEVICE OUT
# DEVICE is a part of the device's name. Some minutes of a GPU; every result is checked.
# bench/figures.py draws docs/figures/ from it.
set -u
bench=$1/bin/dl-bench device=$2 out=$3
mkdir -p "$out"

# measure NAME COMMAND ARGS...
measure() {
    local name=$1
    shift
    "$bench" "$@" --device "$device" --csv "$out/$name.csv" | grep == || echo "$name: failed"
    sed -i "1a # $(date +%F), dl-bench $*" "$out/$name.csv"
}

measure asta marshal --cases asta
measure mixed marshal --cases mixed
measure wide marshal --cases wide
measure super marshal --cases super \
    --words 16,31-33,36,48,60,64,65,68,80,96,112,128,129,132,256,257,512
measure da marshal --cases da
measure soa marshal --cases soa
# Tables 5.2 and 5.3: barrier-sync and PTTWAC by tile size
measure tiles tune --cases asta --words 4,8,16,20,32,64 --tiles 16,32,64 --reps 3 --knobs family=1/2
# Figures 4.11, 4.13, 4.16 and 4.17, PTTWAC as the thesis has it: nothing held in registers, so that every element has its flag.
# Spreading and padding; remapped flags; work-items that share a tile. Drawn for tiles of 32.
words=16,24,32,48,64,96,128,215
for tile in 16 32 64; do
    of=-$tile
    [ $tile != 32 ] || of=
    measure spreading$of tune --cases cycle --words $words --tiles $tile --reps 3 \
        --knobs cycle_held=0,cycle_group=256,cycle_flags=32/16/8/4/2/1,cycle_pad=0/1
    measure remapped$of tune --cases cycle --words $words --tiles $tile --reps 3 \
        --knobs cycle_held=0,cycle_group=256,cycle_flags=32/8/1,cycle_remap=1/0
    measure groups$of tune --cases cycle --words $words --tiles $tile --reps 3 \
        --knobs cycle_held=0,cycle_group=32/64/128/256/512/1024
done
# Figure 4.18: P-IPT, PTTWAC, barrier-sync; elements held in registers
measure pipt tune --cases asta --words 4,8,12,16,24,32,48,64 --reps 3 --knobs family=5/2/1
measure held tune --cases cycle --words 4,8,12,16,24,32,48,64 --reps 3 --knobs cycle_held=0/1/2/4
# Bank conflicts of barrier-sync: plain, padded, exclusive-or, diagonal
measure maps tune --cases asta --words 8,12,16,20,31,32,33,41,64 --reps 3 --knobs tile_pad=0/1/2/3
# Figure 3.7: reading structs by layout
measure access marshal --cases access
# Figures 4.19 and 4.20: 100! with barriers, local memory tiling, register tiling; cut cycles
measure thesis tune --cases super --words 8,16,32,48,64,128 --reps 3 \
    --knobs family=6,super_mode=0/1/2
measure cut marshal --cases super --words 8,16,32,48,64,128 --reps 3 --knobs family=3
# Figure 5.7: 100! by P-IPT, PTTWAC and cut cycles on shapes of few and of many cycles
measure cycles tune --cases shapes --tiles 16,64 --reps 1 --bytes 64M --knobs family=5/6/3
