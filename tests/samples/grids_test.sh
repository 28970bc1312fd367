# heat, cfd and lbm2d: right at odd sizes, able to notice a wrong kernel, and the same bytes on every layout.
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
