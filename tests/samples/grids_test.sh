# SPDX-License-Identifier: MIT
# heat, cfd and lbm2d: right at odd sizes, able to notice a wrong kernel, and the same bytes on every layout; lbm on
# a layout of bits, too.
. "$DL_SOURCE/tests/samples/common.sh"

# One step less or more, such as the launch that warms up, would fail the check.
for wanted in "heat 3x17x5 33x35x37" "cfd 3x4x3 31x5x37" "lbm2d 3x17 133x35"; do
    read -r name small large <<<"$wanted"
    checksum_of "$DL_BUILD/samples/$name" --size $small --steps 7 --check
    checksum_of "$DL_BUILD/samples/$name" --size=$large --steps=4 --check
    [ "$(tail -n 3 "$work/out" | cut -d: -f1 | xargs)" = "checksum time_s mlups" ] ||
        fail "$name must end with checksum, time_s and mlups"
done

want=$sum # lbm2d's
for layout in "asta --tile 32" da; do
    # shellcheck disable=SC2086 # a layout and its tile
    expect_checksum "$want" "$dl_run" --layout $layout --stats="$work/stats.json" -- \
        "$DL_BUILD/samples/lbm2d" --size 133x35 --steps 4 --check
    expect_stats "$work/stats.json" kernel=lbm2d_step launches=5 native=0 buffers=2
done

# on_grid KERNEL EXTENTS STRIPS "BUFFERS" SAMPLE ARGUMENT...: the same bytes in a layout of bits, each launch on it.
on_grid() {
    local kernel=$1 extents=$2 strips=$3 buffers=$4 sample=$5 buffer
    shift 5
    checksum_of "$DL_BUILD/samples/$sample" "$@"
    for buffer in $buffers; do
        echo "$kernel: grid: $buffer$extents as $strips"
    done >"$work/side"
    expect_checksum "$sum" "$dl_run" --layout grid --annotations "$work/side" --verify --stats="$work/stats.json" -- \
        "$DL_BUILD/samples/$sample" "$@" --check
    expect_stats "$work/stats.json" kernel="$kernel" native=0 buffers=2
    grep -q 'verify: \([0-9]*\) launches compared: \1 equal' "$work/err" || fail "$kernel: $err"
}
# One of the four, the others with DL_TURN=1, all with DL_TEST_FULL: what takes long is that each is rewritten and compiled.
if [ "${DL_TURN:-0}" = 0 ] || [ -n "${DL_TEST_FULL:-}" ]; then
    # The thesis's own (6.3.2)
    on_grid lbm2d_step '[ny][nx][4]' 'y[*] x[*] k y[4:0] x[6:0]' "a0 anext" lbm2d --size 333x45 --steps 3
fi
# A layout that is derived, and auto in and out of it by chance.
if [ "${DL_TURN:-0}" = 0 ] || [ -n "${DL_TEST_FULL:-}" ]; then
    echo 'lbm2d_step: grid: a0[ny][nx][4], anext[ny][nx][4]' >"$work/side"
    checksum_of "$DL_BUILD/samples/lbm2d" --size 133x35 --steps 60
    for layout in grid "auto --policy-test 2"; do
        # shellcheck disable=SC2086 # a layout and its option
        expect_checksum "$sum" "$dl_run" --layout $layout --annotations "$work/side" --verify \
            --stats="$work/stats.json" -- "$DL_BUILD/samples/lbm2d" --size 133x35 --steps 60
        grep -q 'verify: \([0-9]*\) launches compared: \1 equal' "$work/err" || fail "lbm2d, $layout: $err"
        grep -q '"layout":"grid' "$work/stats.json" || grep -q '"to":"grid' "$work/stats.json" ||
            fail "lbm2d, $layout: nothing lay in a grid's layout"
    done
fi
if [ "${DL_TURN:-0}" != 0 ] || [ -n "${DL_TEST_FULL:-}" ]; then
    on_grid heat_step '[nz][ny][nx]' 'z[*] y[*] x[*] y[2:0] x[4:0]' "now next" heat --size 67x19x5 --steps 3
    on_grid cfd_sweep '[nz][ny][nx]' 'y[*] z[*] x[*] z[1:0] y[2:0] x[4:0]' "pressure divergence" cfd \
        --size 67x19x5 --steps 3
    on_grid lbm_step '[nz][ny][nx][20]' 'z[*] y[*] x[*] k y[1:0] x[3:0]' "src dst" lbm --variant flat \
        --size 33x7x5 --steps 3
fi

# notices SAMPLE SED_EXPRESSION ARGUMENT...
notices() {
    local name=$1 expression=$2
    shift 2
    sed "$expression" "$DL_SOURCE/samples/$name/$name.cl" >"$work/wrong.cl"
    cmp -s "$work/wrong.cl" "$DL_SOURCE/samples/$name/$name.cl" && fail "$expression changes nothing"
    run "$DL_BUILD/samples/$name" "$@" --check --kernel "$work/wrong.cl"
    [ $code -eq 1 ] || fail "a wrong kernel passes --check (exit code $code): $expression"
}
notices heat 's/AT(now, x, y, z - 1)/AT(now, x, y, z + 1)/' --size 9x8x7 --steps 1
notices cfd 's/!= colour/== colour/' --size 9x8x7 --steps 1
notices lbm2d 's/AT(anext, j - 1, i, NORTH)/AT(anext, j - 1, i, EAST)/' --size 9x8 --steps 1

# Bad input: one line and exit code 2.
for wrong in "heat --size 3x3" "heat --size 2x9x9" "heat --size 2048x2048x2048" "cfd --size 9x9x9x9" "cfd --steps 0" \
    "lbm2d --size 9x9x9" "lbm2d --size 9x2" "lbm2d --size 9x" "cfd surplus"; do
    # shellcheck disable=SC2086 # a sample and its arguments
    run "$DL_BUILD/samples/"$wrong
    [ $code -eq 2 ] && [ -n "$err" ] || fail "exit code $code, '$err': $wrong"
done
finish
