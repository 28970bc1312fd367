# SPDX-License-Identifier: MIT
# The grid cut over several devices of one context gives one device's bytes, natively and under DL, on every
# layout and however planes travel between the devices: each slab's grids are converted once, and what
# goes through staging areas is the planes, to the byte, and no more.
. "$DL_SOURCE/tests/samples/common.sh"
export POCL_DEVICES="pthread pthread"
size=31x12x11 steps=6 plane_bytes=$((31 * 12 * 80))

# number KEY: of the statistics.
number() {
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/stats.json"
}

# on_devices SLABS HALO OPTION...: in tiles from the first step to the last.
on_devices() {
    local slabs=$1 halo=$2
    shift 2
    expect_checksum "$want" "$dl_run" "$@" --stats="$work/stats.json" -- \
        "$lbm" --size $size --steps $steps --devices "$slabs" --halo "$halo"
    # Two planes a slab and step, and one step ahead, out and in, and at the end all cells once.
    local parts=$((slabs * (steps + 1) * 4))
    [ "$(number marshal_count) $(number bring_back_count)" = "$((2 * slabs)) 0" ] ||
        fail "$*, $slabs by $halo: $(number marshal_count) conversions, $(number bring_back_count) of them back"
    [ "$(number part_count) $(number part_bytes)" = \
        "$((parts + slabs)) $(((parts + 11) * plane_bytes))" ] ||
        fail "$*, $slabs by $halo: $(number part_bytes) bytes in $(number part_count) parts"
}

# Every other way of the planes a turn (tests/common/turn.h) but for tiles.
halos="copy rect overlap"
[ "${DL_TURN:-0}" = 0 ] || halos="read map"
takes() { [ -n "${DL_TEST_FULL:-}" ] || [[ " $halos " = *" $halo "* ]]; }

checksum_of "$lbm" --size $size --steps $steps --check
want=$sum
for halo in copy read rect map overlap; do
    expect_checksum "$want" "$lbm" --size $size --steps $steps --devices all --halo $halo
    [ "$(value devices)" = 2 ] || fail "$(value devices) devices, not 2"
    on_devices 2 $halo --layout asta --tile 8
    takes && on_devices 3 $halo --layout da
    takes || continue
    expect_checksum "$want" "$dl_run" --policy-test 12 --stats="$work/stats.json" -- \
        "$lbm" --size $size --steps $steps --devices 3 --halo $halo
    [ "$(number marshal_count)" -gt 0 ] || fail "auto, by $halo: nothing was ever in tiles"
done
on_devices 2 copy --layout asta
# As many slabs as planes; slabs of a float buffer; and two on one device.
expect_checksum "$want" "$dl_run" --layout asta --tile 8 -- \
    "$lbm" --size $size --steps $steps --devices 11 --halo read
expect_checksum "$want" "$dl_run" --layout asta --tile 8 -- \
    "$lbm" --size $size --steps $steps --devices 2 --variant flat --check
POCL_DEVICES=pthread on_devices 2 copy --layout asta --tile 8
POCL_DEVICES=pthread expect_checksum "$want" "$dl_run" -- \
    "$lbm" --size $size --steps $steps --devices 2

# What it can't do it says, and exits with 2.
for wrong in "--devices 0" "--devices two" "--devices 12" "--devices 2 --halo fast" \
    "--devices 2 --probe 1" "--devices 2 --variant soa"; do
    # shellcheck disable=SC2086 # options and their values
    run "$lbm" --size $size $wrong
    [ $code -eq 2 ] && [ -n "$err" ] || fail "exit code $code, '$err': $wrong"
done
finish
