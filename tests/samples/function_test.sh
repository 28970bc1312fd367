# SPDX-License-Identifier: MIT
# lbm in place through an index function of two integer types and helpers that load and store: found without an
# annotation in all four forms, nothing divided, and the same bytes on every layout.
. "$DL_SOURCE/tests/samples/common.sh"
shape="--variant function --size 33x17x9 --steps 7"
knobs="-DLBM_TILE=32u -DLBM_X=33u -DLBM_Y=17u -DLBM_Z=9u"

# shellcheck disable=SC2086
run "$lbm" $shape --form tiles --check
[ "$code" -eq 0 ] || fail "tiles: $out$err"
want=$(value checksum)
for wanted in cells,asta,ASTA cells,da,SoA arrays,asta,ASTA; do
    IFS=, read -r form layout kind <<<"$wanted"
    rm -f "$work/stats.json"
    # shellcheck disable=SC2086
    expect_checksum "$want" "$dl_run" --layout "$layout" --stats="$work/stats.json" -- "$lbm" $shape --form "$form"
    expect_stats "$work/stats.json" kernel=lbm_in_place native=0 layout="$kind"
done
# shellcheck disable=SC2086
checksum_of "$lbm" $shape --halves --form arrays
# shellcheck disable=SC2086
expect_checksum "$sum" "$dl_run" --layout asta --stats="$work/halves.json" -- "$lbm" $shape --halves
expect_stats "$work/halves.json" kernel=lbm_in_place native=0 layout=ASTA
for bits in 32 16; do
    # shellcheck disable=SC2086
    run "$DL_BUILD/bin/dl-annotate" --detect -DLBM_FORM=0 -DLBM_BITS=$bits $knobs \
        "$DL_SOURCE/samples/lbm/function.cl" -o "$work/out.cl"
    grep -q '_19_in(fi, j\[i\], t % 2ul ? i + 1u : i DL_ARGS' "$work/out.cl" || fail "$bits bits: not split: $err"
    grep -q 'dl_[ei] [/%]' "$work/out.cl" && grep -v 'dl_i % dl_tile' "$work/out.cl" | grep 'dl_[ei] [/%]' &&
        fail "$bits bits: something is divided"
done
finish
