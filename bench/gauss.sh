#!/bin/bash
# SPDX-License-Identifier: MIT
# The recursive Gaussian with each of Khan et al.'s transpositions (their figures 9 and 10), on grey pictures of noise:
#     bash gauss.sh TABLE.csv [SIDE...] [--device NAME] [--small]
# `deriche` lies beside this script; NAME is a part of the device's name, else a GPU is taken where there is one.
set -u
here=$(dirname "$0") table=$1
shift
device=() sides=()
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=(--device "$2") && shift ;;
    --small) sides=(64) ;;
    *) sides+=("$1") ;;
    esac
    shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
printf '# %s, shortest of 5\n# %s, bench/gauss.sh\nside,way,status,us,mpixels_per_s\n' "${device[1]:-a GPU where there is one}" "$(date -u +%F)" >"$table"
for side in "${sides[@]:-512}"; do
    printf 'P5\n%d %d\n255\n' "$side" "$side" >"$work/in.pgm"
    head -c $((side * side)) /dev/urandom >>"$work/in.pgm"
    if "$here/deriche" "${device[@]}" 8 "$work/in.pgm" "$work/out.pgm" out-padded out-selective out-parallel >"$work/said"; then
        awk -v side="$side" '{ ms = $(NF - 1); $NF = $(NF - 1) = ""; sub(/ +$/, "")
            printf "%d,%s,ok,%.1f,%.1f\n", side, $0, ms * 1000, side * side / ms / 1000 }' "$work/said" >>"$table"
    else
        failed=1
    fi
done
# 1: some sides could not be run; 2: none, so that the table is to be measured again.
grep -q ',ok,' "$table" || failed=2
exit $failed
