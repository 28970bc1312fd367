#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench/main_job.sh [DEVICE]: the samples natively and under DL on AoS, DA and ASTA, beside the
# device's copy speed, all in one run. DEVICE is a part of the device's name (NVIDIA if not
# given); DL_BUILD is the build folder (build). Medians of RUNS runs (5). Text for
# bench/results/; exit 1 when a checksum differs or a sample's own check fails.
#
# GB/s counts what a step must move: 20 floats read and 20 written a cell, 3 read and 2 written
# an option, a column and a value of each place of a row of spmv's matrix, of the shape of bcsstk31,
# s3dkq4m2 and, where the file is, of bcsstk32 itself (DL_MATRICES, ../shared/matrices).
set -u
cd "$(dirname "$0")/.." || exit 1
device=${1:-NVIDIA}
build=${DL_BUILD:-build}
export DL_CACHE=${DL_CACHE:-$build/dl-cache}
runs=${RUNS:-5}
size=${LBM_SIZE:-256x256x256}
options=${BS_OPTIONS:-64000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

# seconds KEY COMMAND...: the median of `KEY: seconds` over the runs; the checksum in $checksum
seconds() {
    local key=$1 i
    shift
    for ((i = 0; i < runs; i++)); do
        "$@" >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err" >&2; failed=1; }
        sed -n "s/^$key: //p" "$work/out" >>"$work/times.$$"
        checksum=$(sed -n 's/^checksum: //p' "$work/out")
    done
    time_s=$(median <"$work/times.$$")
    rm -f "$work/times.$$"
}

# row NAME LAYOUT ITEMS BYTES UNIT COMMAND...: ITEMS and BYTES of all steps together; in $time_s
# its time. The row of layout `native` is what the next ones are compared with.
row() {
    local name=$1 layout=$2 items=$3 bytes=$4 unit=$5
    shift 5
    seconds device_s "$@"
    [ "$layout" != native ] || native_s=$time_s native_sum=$checksum
    [ "$checksum" = "$native_sum" ] || { checksum="$checksum DIFFERS"; failed=1; }
    awk -v name="$name" -v layout="$layout" -v s="$time_s" -v items="$items" -v bytes="$bytes" \
        -v unit="$unit" -v copy="$copy" -v native="$native_s" -v sum="$checksum" 'BEGIN {
        rate = bytes / s / 1e9
        printf "%-14s %-7s %10.1f %-20s %8.1f GB/s %6.1f %% of copy %6.2f x native  %s\n",
            name, layout, items / s / 1e6, unit, rate, 100 * rate / copy, native / s, sum }'
}

# rows NAME ITEMS BYTES UNIT PROGRAM...: a row a layout; DL's time on tiles in $asta_s
rows() {
    local name=$1 items=$2 bytes=$3 unit=$4 layout
    shift 4
    row "$name" native "$items" "$bytes" "$unit" "$@"
    for layout in aos da asta; do
        row "$name" $layout "$items" "$bytes" "$unit" \
            "$build/bin/dl-run" --layout $layout -- "$@"
    done
    asta_s=$time_s
}

echo "date: $(date -u +%F)"
echo "commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "command: RUNS=$runs LBM_SIZE=$size BS_OPTIONS=$options bench/main_job.sh $device"
# The copy, and the conversion that LBM's buffers take.
"$build/bin/dl-bench" marshal --device "$device" --cases asta --words 5,20 --bytes 1G \
    >"$work/bench" || failed=1
cat "$work/bench"
copy=$(sed -n 's/^copy, by [a-z]*: \([0-9.]*\) GB\/s/\1/p' "$work/bench" | sort -g | tail -n 1)
steps=50
cells=$(echo "$size" | awk -Fx '{print $1 * $2 * $3}')
echo "device time of $steps steps, medians of $runs runs:"
lbm=(--device "$device" --size "$size" --steps "$steps")
lbm_row=("$((cells * steps))" "$((cells * steps * 160))" "million updates/s")
rows lbm "${lbm_row[@]}" "$build/samples/lbm" "${lbm[@]}" --profile
# The same step from a flat buffer through macros, and ported to tiles by hand, without DL.
row lbm_flat asta "${lbm_row[@]}" "$build/bin/dl-run" --layout asta -- \
    "$build/samples/lbm" "${lbm[@]}" --profile --variant flat
flat_s=$time_s
row lbm_by_hand asta "${lbm_row[@]}" "$build/bench/lbm_by_hand" "${lbm[@]}"
awk -v asta="$asta_s" -v flat="$flat_s" -v hand="$time_s" 'BEGIN {
    printf "device time beside the kernel written by hand: lbm %+.1f %%, lbm_flat %+.1f %%\n",
        100 * (asta / hand - 1), 100 * (flat / hand - 1) }'
rows black_scholes "$((options * steps))" "$((options * steps * 20))" "million options/s" \
    "$build/samples/black_scholes" --device "$device" --options "$options" --steps $steps --profile
spmv_rows() { # NAME ROWS WIDTH ARGUMENT...
    local name=$1 places=$(($2 * $3))
    shift 3
    rows "$name" "$((places * steps))" "$((places * steps * 8))" "million places/s" \
        "$build/samples/spmv" --device "$device" "$@" --steps $steps --profile
}
spmv_rows spmv-bcsstk31 35588 197 --shape bcsstk31
spmv_rows spmv-s3dkq4m2 90449 59 --shape s3dkq4m2
spmv_rows spmv-wide 1000000 100 --rows 1000000 --width 100
for folder in ${DL_MATRICES:+"$DL_MATRICES"} ../shared/matrices; do
    [ -r "$folder/bcsstk32.mtx.gz" ] || continue
    spmv_rows spmv-bcsstk32 44609 216 --matrix "$folder/bcsstk32.mtx.gz"
    break
done
echo "checks against the scalar references:"
for layout in aos da asta; do
    for sample in "lbm --size 64x48x31 --steps 20" "black_scholes --options 1000003 --steps 2" \
        "spmv --shape e40r000 --steps 2"; do
        # shellcheck disable=SC2086 # a program and its arguments
        "$build/bin/dl-run" --layout $layout -- "$build"/samples/$sample --device "$device" \
            --check >"$work/out" 2>&1 || failed=1
        echo "$layout, $sample: $(grep check: "$work/out")"
    done
done
exit $failed
