# SPDX-License-Identifier: MIT
# dl-annotate's output, shipped with a program: as before without DL, tiled under DL without
# libclang.
. "$DL_SOURCE/tests/samples/common.sh"
annotate=$DL_BUILD/bin/dl-annotate

ship() {
    run "$annotate" "$DL_SOURCE/samples/$1/$1.cl" -o "$work/$1.cl"
    [ $code -eq 0 ] || fail "dl-annotate exits with $code: $err"
    grep -q 'AOS2ASTA_' "$work/$1.cl" || fail "the output does not carry the tables"
}

ship lbm
for size in 31x29x13 7x5x3; do
    checksum_of "$lbm" --size $size --steps 20
    want=$sum
    expect_checksum "$want" "$lbm" --size $size --steps 20 --check --kernel "$work/lbm.cl"
    for layout in asta da; do
        name=ASTA
        [ $layout = asta ] || name=SoA # a CPU's discrete arrays
        expect_checksum "$want" "$dl_run" --libclang none --layout $layout \
            --stats="$work/stats.json" -- \
            "$lbm" --size $size --steps 20 --check --kernel "$work/lbm.cl"
        expect_stats "$work/stats.json" kernel=lbm_step launches=21 native=0 buffers=2 \
            layout=$name marshals=2
    done
done

ship black_scholes
checksum_of "$black_scholes" --options 10007 --steps 3
want=$sum
expect_checksum "$want" "$black_scholes" --options 10007 --steps 3 --check \
    --kernel "$work/black_scholes.cl"
expect_checksum "$want" "$dl_run" --libclang none --layout asta --tile 8 \
    --stats="$work/stats.json" -- \
    "$black_scholes" --options 10007 --steps 3 --check --kernel "$work/black_scholes.cl"
expect_stats "$work/stats.json" kernel=black_scholes native=0 layout=ASTA tile=8 marshals=1

# The text that was not rewritten needs libclang; without it the program runs as it is.
expect_checksum "$want" "$dl_run" --libclang none --layout asta --stats="$work/stats.json" -- \
    "$black_scholes" --options 10007 --steps 3 --check
expect_stats "$work/stats.json" marshals=0
grep -q libclang "$work/err" || fail "no line about libclang: $err"
finish
