# SPDX-License-Identifier: MIT
# spmv gives the same bytes on every layout, the real matrix's too, and each of its two arrays of
# entries moves once. The width of their rows is known to a launch only.
. "$DL_SOURCE/tests/samples/common.sh"

# on_layout ROWS LAYOUT TILE ARGUMENT...: as natively; $want and $steps are set. Discrete arrays
# without a tile are one tile of all structs on a CPU, which is SoA.
on_layout() {
    local rows=$1 layout=$2 tile=$3 name=${2^^}
    [ $layout$tile != da ] || name=SoA
    shift 3
    expect_checksum "$want" "$dl_run" --layout $layout ${tile:+--tile $tile} \
        --stats="$work/stats.json" -- "$spmv" "$@" --steps $steps --check
    expect_stats "$work/stats.json" kernel=spmv launches=$((steps + 1)) native=0 \
        layout=$name buffers=2 structs="$rows" marshals=2 back_at_most=0 \
        ${tile:+tile=$tile}
}

steps=3
# By turns (tests/common/turn.h); the last one goes on below.
shapes=("15 1" "17 20" "1009 31")
[ "${DL_TURN:-0}" = 0 ] || shapes=("1 3" "16 7" "33 2" "1009 31")
[ -z "${DL_TEST_FULL:-}" ] || shapes=("1 3" "15 1" "16 7" "17 20" "33 2" "1009 31")
for shape in "${shapes[@]}"; do
    set -- --rows ${shape% *} --width ${shape#* }
    checksum_of "$spmv" "$@" --steps $steps --check
    want=$sum
    on_layout ${shape% *} asta 16 "$@"
    on_layout ${shape% *} da 16 "$@"
done
on_layout 1009 asta 32 "$@"
# The rewritten kernel on the program's own layout, and the program's own kernel.
expect_checksum "$want" "$dl_run" --layout asta --tile 1 -- "$spmv" "$@" --steps $steps
expect_checksum "$want" "$dl_run" --layout aos -- "$spmv" "$@" --steps $steps
expect_checksum "$want" "$dl_run" --layout asta --tile 8 --verify -- "$spmv" "$@" --steps $steps
[[ "$err" =~ ^"dl: verify: "([0-9]+)" launches compared: "([0-9]+)" equal"$ && ${BASH_REMATCH[1]} = "${BASH_REMATCH[2]}" ]] ||
    fail "--verify has something else to say: $err"

# Shipped: without DL as before, under DL on tiles without libclang.
run "$DL_BUILD/bin/dl-annotate" "$DL_SOURCE/samples/spmv/spmv.cl" -o "$work/spmv.cl"
[ $code -eq 0 ] || fail "dl-annotate exits with $code: $err"
expect_checksum "$want" "$spmv" "$@" --steps $steps --kernel "$work/spmv.cl"
expect_checksum "$want" "$dl_run" --libclang none --layout asta --stats="$work/stats.json" -- \
    "$spmv" "$@" --steps $steps --kernel "$work/spmv.cl"
expect_stats "$work/stats.json" kernel=spmv native=0 layout=ASTA marshals=2

# A width that DL does not take: one line, and the program's own results.
sed 's/\[width\], values\[rows\]\[width\]/[width - 31], values[rows][width * 1100]/' \
    "$DL_SOURCE/samples/spmv/spmv.cl" >"$work/wrong.cl"
expect_checksum "$want" "$dl_run" --layout asta --stats="$work/stats.json" -- \
    "$spmv" "$@" --steps $steps --kernel "$work/wrong.cl" --check
expect_stats "$work/stats.json" marshals=0 kernel=spmv native=$((steps + 1)) launches=0
is_one_message && grep -q "columns.*width evaluates to 0" "$work/err" ||
    fail "want one line about a width of 0, got: $err"
sed -i 's/\[width - 31\]/[width]/' "$work/wrong.cl"
expect_checksum "$want" "$dl_run" --layout asta -- \
    "$spmv" "$@" --steps $steps --kernel "$work/wrong.cl" --check
is_one_message && grep -q "values.*evaluates to 34100, not from 1 to 32768" \
    "$work/err" || fail "want one line about a width of 34100, got: $err"

if matrix=$(find_matrix bcsstk32.mtx.gz); then
    steps=1
    checksum_of "$spmv" --matrix "$matrix" --steps 1 --check
    want=$sum
    on_layout 44609 asta 32 --matrix "$matrix"
    on_layout 44609 da "" --matrix "$matrix"
else
    echo "bcsstk32.mtx.gz is not here: left out"
fi
finish
