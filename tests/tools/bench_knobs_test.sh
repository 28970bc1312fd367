#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: dl-bench refuses a knob that there is not, and a value that a knob can't have, by name and with what it can be;
# with every value that it takes, each algorithm gives the right bytes or says that it can't.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
bench=$DL_BUILD/bin/dl-bench
refuses() { # COMMAND KNOBS MESSAGE
    timeout 60 "$bench" "$1" --knobs "$2" >"$dir/log" 2>&1
    [ $? = 2 ] || fail "$1 --knobs $2 ends with another code"
    [ "$(cat "$dir/log")" = "dl-bench $1: --knobs=$3 (see dl-bench $1 --help)" ] || fail "$1 --knobs $2: $(head -n 3 "$dir/log")"
}
refuses transpose out_side=48 "out_side=48: not possible; allowed: 0, or powers of two from 1 to 256"
refuses transpose out_side=32/48 "out_side=48: not possible; allowed: 0, or powers of two from 1 to 256"
refuses transpose unroll=0 "unroll=0: not possible; allowed: 1 to 64"
refuses transpose cut_vector=3 "cut_vector=3: not possible; allowed: powers of two from 1 to 16"
refuses marshal tile_pad=4 "tile_pad=4: not possible; allowed: 0 to 3"
refuses transpose no_knob=1 "no_knob: unknown; allowed: the names that --knobs help lists"
refuses transpose hop_bytes=1 "hop_bytes: unknown; allowed: the names that --knobs help lists"
refuses transpose out_side "out_side: not a list of knobs; allowed: NAME=VALUE[/VALUE...],..."

# knob NAME LEAST MOST POWER: a line for each knob of a command
knobs() {
    "$bench" "$1" --knobs help | sed -nE \
        's/^  ([a-z_0-9]+) +[0-9]+ +CPU .*\((0, or )?(powers of two from )?([0-9]+)( to |, to )([0-9]+)\)$/\1 \4 \6 \3/p' |
        awk '{ print $1, $2, $3, $4 == "powers" }'
}
[ "$(knobs transpose | wc -l)" -ge 55 ] || fail "knobs of transpose: $(knobs transpose | wc -l)"
[ "$(knobs marshal | wc -l)" -ge 40 ] || fail "knobs of marshal: $(knobs marshal | wc -l)"

seed=${DL_TEST_SEED:-$RANDOM}
tries=1
[ -z "${DL_TEST_FULL:-}" ] || tries=300
echo "seed $seed, $tries tries"
RANDOM=$seed
for ((try = 0; try < tries; try++)); do
    command=transpose
    ((RANDOM % 3)) || command=marshal
    mapfile -t list < <(knobs $command)
    read -r name least most power <<<"${list[RANDOM % ${#list[@]}]}"
    # Small values are what people sweep; a large one may take a CPU's compiler minutes.
    if [ "$power" = 1 ]; then
        value=$((1 << RANDOM % 8))
    else
        value=$((least + RANDOM % 100))
    fi
    ((value <= most)) || value=$most
    if [ $command = marshal ]; then
        options=(--cases asta,mixed,super,cycle,da,soa --words 3,16 --bytes 64K --shapes 2)
    else
        options=(--shapes 96x80,97x131,64x64 --caps any --elements 1,4)
        case $name in
        out_* | lines_* | sides_* | block_*) options+=(--place out --algorithms out,out-banded,out-lines,out-blocks,out-axes) ;;
        square_*) options+=(--algorithms square,square-v1,square-v1r,square-v1b,square-super) ;;
        panel_* | strip_* | move_* | sector_*) options+=(--algorithms panel-rows,panel-cols) ;;
        c2r_*) options+=(--algorithms c2r,r2c) ;;
        *) options+=(--algorithms auto,3-stage,cycles,through,step) ;;
        esac
    fi
    timeout 200 "$bench" $command "${options[@]}" --reps 1 --knobs "$name=$value" >"$dir/log" 2>&1
    code=$?
    [ $code = 124 ] && { echo "no time for $command $name=$value"; continue; }
    ! grep -q WRONG "$dir/log" && [ $code -lt 100 ] ||
        fail "$command $name=$value: code $code: $(grep -m 2 -e WRONG -e dl-bench "$dir/log")"
done
exit $failed
