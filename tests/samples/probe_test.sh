# SPDX-License-Identifier: MIT
# A host that looks at one percent of the grid after each step, by reads or by maps, sees the same
# under DL, and each grid is marshaled once: no whole buffer goes to and fro.
. "$DL_SOURCE/tests/samples/common.sh"

steps=12
for size in 31x29x13 16x16x16; do
    for by in read map; do
        checksum_of "$lbm" --size $size --steps $steps --probe 1 --probe-by $by
        want=$sum
        seen=$(value probe)
        [[ $seen =~ ^[0-9a-f]{16}$ ]] || fail "no probe: $out"
        for layout in "asta --tile 8" da; do
            # shellcheck disable=SC2086 # an option and its value
            expect_checksum "$want" "$dl_run" --layout $layout --stats="$work/stats.json" -- \
                "$lbm" --size $size --steps $steps --probe 1 --probe-by $by
            [ "$(value probe)" = "$seen" ] || fail "$layout, by $by: the host saw $(value probe), not $seen"
            expect_stats "$work/stats.json" kernel=lbm_step launches=$((steps + 1)) native=0 \
                marshals=2 back_at_most=0 parts_at_least=$steps
        done
    done
done

# What the host sees is what the step made: one step more, and it is something else.
checksum_of "$lbm" --size 9x8x7 --steps 3 --probe 100
three=$(value probe)
checksum_of "$lbm" --size 9x8x7 --steps 4 --probe 100
[ "$(value probe)" != "$three" ] || fail "the probe does not see the steps"
# Over the staging bound a map brings the grid back: rightly, and at a price.
checksum_of "$dl_run" --layout asta --tile 8 --staging 1000 --stats="$work/stats.json" -- \
    "$lbm" --size 9x8x7 --steps 3 --probe 100 --probe-by map
[ "$(value probe)" = "$three" ] || fail "over the bound the host saw $(value probe), not $three"
grep -q '"bring_back_count":[1-9]' "$work/stats.json" || fail "nothing was brought back"
finish
