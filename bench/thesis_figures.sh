#!/bin/bash
# SPDX-License-Identifier: MIT
# Figures 5.2 to 5.7 of the thesis (Sung 2013) on a device:
#     bash bench/thesis_figures.sh BUILD DEVICE OUT [OPTION...]
# DEVICE is a part of the device's name, empty for any; OPTIONs go to dl-bench apps, as --reps 3, or --small for
# all of it in miniature, or --rows lbm_128 for figure 5.4 alone (black_scholes: 5.5; spmv_bcsstk18: 5.6). OUT gets apps.csv, summary.csv and marshal-matrices.csv, and where python3 has matplotlib
# the figures, thesis-5.2.svg to thesis-5.6.svg and marshal-matrices.svg (5.7). Stopped, it goes on where it
# was when run again. Table 5.1's matrices are generated but for bcsstk32, if that is at hand
# (DL_MATRICES); their rows are called so.
set -u
build=$1 device=$2 out=$3
shift 3
here=$(dirname "$0")
mkdir -p "$out"
failed=0

"$build/bin/dl-bench" apps --out "$out" --device "$device" --rows thesis --states warm,remembered "$@" ||
    failed=1
how=(--tiles "16,32,64" --reps 3 --knobs family=5/6/3)
for option; do # in miniature: one matrix
    [ "$option" != --small ] || how=(--tiles 32 --reps 1 --knobs family=5/6 --part 0/6)
done
if [ ! -e "$out/marshal-matrices.csv" ]; then
    "$build/bin/dl-bench" tune --device "$device" --cases matrices "${how[@]}" --csv "$out/new.csv" || failed=1
    sed -i "1a # $(date -u +%F), dl-bench tune --cases matrices" "$out/new.csv" &&
        mv "$out/new.csv" "$out/marshal-matrices.csv"
fi
if python3 -c 'import matplotlib' 2>/dev/null; then
    python3 "$here/apps_figures.py" "$out" &&
        python3 "$here/figures.py" --results "$out" --out "$out" marshal-matrices || failed=1
else
    echo "python3 has no matplotlib here: $out has the tables; draw them elsewhere by" \
        "bench/apps_figures.py and bench/figures.py"
fi
exit $failed
