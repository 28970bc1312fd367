# SPDX-License-Identifier: MIT
# lbm, black_scholes and agents give the same bytes on every layout, and each buffer moves once.
. "$DL_SOURCE/tests/samples/common.sh"

# takes TURN: what it asks for is run (tests/common/turn.h).
takes() { [ "$1" = "${DL_TURN:-0}" ] || [ -n "${DL_TEST_FULL:-}" ]; }

# on_layout WANT STRUCTS BUFFERS LAUNCHES KERNEL LAYOUT TILE PROGRAM ARGUMENT...
on_layout() {
    local want=$1 structs=$2 buffers=$3 launches=$4 kernel=$5 layout=$6 tile=$7
    shift 7
    local name=ASTA
    [ "$layout" = da ] && name=DA
    # On a CPU one tile of all structs, unless a tile is asked for.
    [ "$layout$tile" = da ] && name=SoA
    expect_checksum "$want" "$dl_run" --layout "$layout" ${tile:+--tile "$tile"} \
        --stats="$work/stats.json" -- "$@"
    expect_stats "$work/stats.json" kernel="$kernel" launches="$launches" native=0 \
        layout=$name buffers="$buffers" structs="$structs" marshals="$buffers" \
        back_at_most=1 ${tile:+$([ $layout = asta ] && echo tile=$tile)}
}

lbm_on_layouts() {
    local size=$1 steps=$2 structs=$3
    shift 3
    checksum_of "$lbm" --size "$size" --steps "$steps" --check
    local want=$sum tile
    for tile in "$@"; do
        on_layout "$want" "$structs" 2 $((steps + 1)) lbm_step asta "$tile" \
            "$lbm" --size "$size" --steps "$steps" --check
    done
    takes 1 && on_layout "$want" "$structs" 2 $((steps + 1)) lbm_step da 128 \
        "$lbm" --size "$size" --steps "$steps" --check
    on_layout "$want" "$structs" 2 $((steps + 1)) lbm_step da "" \
        "$lbm" --size "$size" --steps "$steps" --check
    [ "$structs" -gt 100 ] || return
    # The program's own kernels, and the rewritten ones on the program's layout.
    expect_checksum "$want" "$dl_run" --layout aos --stats="$work/stats.json" -- \
        "$lbm" --size "$size" --steps "$steps" --check
    expect_stats "$work/stats.json" kernel=lbm_step launches=0 native=$((steps + 1)) \
        marshals=0 back_at_most=0
    expect_checksum "$want" "$dl_run" --layout asta --tile 1 --stats="$work/stats.json" -- \
        "$lbm" --size "$size" --steps "$steps" --check
    expect_stats "$work/stats.json" kernel=lbm_step launches=$((steps + 1)) native=0 \
        marshals=0 back_at_most=0
}

# Tiles and sizes by turns, all with DL_TEST_FULL: what takes long is that each is a kernel to be compiled.
tiles=(8) counts="63 10007" flat_tiles=32 agents_counts=10007
takes 0 || tiles=(64) counts="65 10007" flat_tiles=8 agents_counts=63
[ -z "${DL_TEST_FULL:-}" ] || tiles=(8 16 32 64) counts="63 65 10007" flat_tiles="8 32" agents_counts="63 10007"
takes 0 && lbm_on_layouts 31x29x13 20 11687 "${tiles[@]}"
takes 1 && lbm_on_layouts 32x32x32 20 32768 "${tiles[@]}"
lbm_on_layouts 5x3x2 3 30 "${tiles[@]}"

for count in $counts; do
    checksum_of "$black_scholes" --options $count --steps 3 --check
    want=$sum
    for tile in "${tiles[@]}"; do
        on_layout "$want" $count 1 4 black_scholes asta $tile \
            "$black_scholes" --options $count --steps 3 --check
    done
    on_layout "$want" $count 1 4 black_scholes da "" \
        "$black_scholes" --options $count --steps 3 --check
done

for count in $agents_counts; do
    checksum_of "$agents" --agents $count --steps 9 --check
    want=$sum
    on_layout "$want" $count 1 10 season asta 32 "$agents" --agents $count --steps 9 --check
    on_layout "$want" $count 1 10 season da "" "$agents" --agents $count --steps 9 --check
done

# The flat variant: the same cells as a float buffer, addressed through macros.
checksum_of "$lbm" --size 31x29x13 --steps 5
for tile in $flat_tiles; do
    on_layout "$sum" 11687 2 6 lbm_step asta "$tile" \
        "$lbm" --size 31x29x13 --steps 5 --variant flat --check
done
takes 1 && on_layout "$sum" 11687 2 6 lbm_step da "" \
    "$lbm" --size 31x29x13 --steps 5 --variant flat --check

# The soa variant: kernel and host have an array for each direction, for tiles alone. Optimised it takes PoCL's
# compiler three times as long: with DL_TURN=1 and DL_TEST_FULL.
(
    [ "${DL_TURN:-0}" = 1 ] || [ -n "${DL_TEST_FULL:-}" ] ||
        export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable POCL_WORK_GROUP_METHOD=loops DL_CACHE="$work/quick"
    on_layout "$sum" 11687 2 6 lbm_step asta 32 \
        "$lbm" --size 31x29x13 --steps 5 --variant soa --check
    exit $failures
)
failures=$?

# Without a file name the statistics are a table on standard error, after the program's output.
expect_checksum "$sum" "$dl_run" --layout asta --stats -- "$lbm" --size 31x29x13 --steps 5
for word in lbm_step src dst ASTA; do
    grep -q "$word" "$work/err" || fail "the table does not mention $word: $err"
done
grep -q lbm_step "$work/out" && fail "the table is on standard output"

# Left to itself, DL may choose any layout.
expect_checksum "$sum" "$dl_run" -- "$lbm" --size 31x29x13 --steps 5

# The program's exit code is its own.
run "$dl_run" --layout asta -- "$lbm" --steps 0
[ $code -eq 2 ] || fail "exit code $code of a program that exits with 2"
finish
