# SPDX-License-Identifier: MIT
# Annotations beside the program, and bad ones: one clear line, and the program's own results.
. "$DL_SOURCE/tests/samples/common.sh"
kernel=$DL_SOURCE/samples/lbm/lbm.cl
size=(--size 31x29x13 --steps 3)

checksum_of "$lbm" "${size[@]}" --check
want=$sum

# A side file alone, `[]` for as many structs as fit.
grep -v '^//DL:' "$kernel" >"$work/bare.cl"
cat >"$work/side" <<'END'
# the fluid
lbm_step: AoS: src[nx * ny * nz], dst[]   # twice the same struct
END
(cd "$work" && expect_checksum "$want" "$dl_run" --layout asta --annotations side \
    --stats=stats.json -- "$lbm" "${size[@]}" --check --kernel bare.cl && finish) ||
    fail "annotations beside the program"
expect_stats "$work/stats.json" kernel=lbm_step launches=4 native=0 layout=ASTA structs=11687 \
    marshals=2

# on_bad PATTERN: $work/bad.cl still gives the right bytes, natively, and says what is wrong.
on_bad() {
    local pattern=$1
    expect_checksum "$want" "$dl_run" --layout asta --stats="$work/stats.json" -- \
        "$lbm" "${size[@]}" --check --kernel "$work/bad.cl"
    expect_stats "$work/stats.json" marshals=0
    grep -Eq "$pattern" "$work/err" || fail "want a line like '$pattern', got: $err"
}
annotation() {
    sed "s|^//DL:.*|//DL: $1|" "$kernel" >"$work/bad.cl"
}
line=$(grep -n -m1 '^//DL:' "$kernel" | cut -d: -f1)
annotation 'AoS: src[nx * ny * nz'
on_bad ":$line"
annotation 'AoS: grid[nx * ny * nz]'
on_bad "$line.*grid"
annotation 'AoS: src[nx * mz]'
on_bad "$line.*mz"
annotation 'AoS: src[nx - nx], dst[nx - nx]'
on_bad 'lbm_step'
annotation 'AoS: src[0 - nx], dst[0 - nx]'
on_bad 'lbm_step'
annotation 'AoS: src[nx / (ny - ny)], dst[nx]'
on_bad 'lbm_step'

# A layout covers the whole buffer, whatever the count: more structs than it holds are warned of, fewer are not.
for count in '+ 1' '- 1' '/ 2'; do
    annotation "AoS: src[nx * ny * nz $count], dst[nx * ny * nz]"
    expect_checksum "$want" "$dl_run" --layout asta --stats="$work/stats.json" -- \
        "$lbm" "${size[@]}" --check --kernel "$work/bad.cl"
    expect_stats "$work/stats.json" kernel=lbm_step native=0 structs=11687 marshals=2
    [ "$(grep -c "'src': the count in brackets is 11688, but the buffer holds 11687 structs" "$work/err")" = \
        "$([ "$count" = '+ 1' ] && echo 1 || echo 0)" ] || fail "$count: $err"
done

# Settings that the library meets without dl-run's checks.
for setting in DL_ANNOTATIONS=/nonexistent/side DL_TILE=many DL_LAYOUT=diagonal; do
    expect_checksum "$want" env LD_PRELOAD="$library" $setting \
        "$lbm" "${size[@]}" --check
    grep -q "${setting#*=}" "$work/err" || fail "no line about $setting: $err"
done
finish
