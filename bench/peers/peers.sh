#!/bin/bash
# SPDX-License-Identifier: MIT
# libdl_transpose beside its peers, on the same shapes, GPU and day:
#     bash bench/peers/peers.sh BUILD DEVICE OUT [SETS]
# DEVICE is a part of the device's name. Needs CUDA's nvcc, and its libraries where it runs; cuTENSOR is taken
# where its header is. Leaves peers.txt, the table of docs/transpose.md, beside the lines that it is of.
set -u
bench=$1/bin/dl-bench device=$2 out=$3 sets=${4:-outofplace} here=$(cd "$(dirname "$0")" && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
mkdir -p "$out"

"$bench" transpose --sets "$sets" --elements 4,8,16 --device "$device" --csv "$out/dl_out.csv" >"$out/dl_out.txt" ||
    exit 1
"$bench" transpose --sets random --caps 6,any --elements 4,8,16 --device "$device" --csv "$out/dl_in.csv" \
    >"$out/dl_in.txt" || exit 1
# Beyond the cache, as dl-bench counts them.
awk -F, '!/^#/ && $2 ~ /^[0-9]+$/ && $2 * $3 * $4 > 64e6 && !seen[$2, $3, $4]++ { print $2, $3, $4 }' \
    "$out/dl_out.csv" >"$out/shapes.txt"
for peer in geam cutensor; do
    library=$peer
    [ $peer = geam ] && library=cublas
    if "$nvcc" -O2 -std=c++17 -o "$out/$peer" "$here/$peer.cu" -l$library 2>"$out/$peer.log"; then
        "$out/$peer" <"$out/shapes.txt" >"$out/$peer.csv" || echo "$peer: failed"
        rm -f "$out/$peer"
    else
        echo "$peer: not built ($(grep -m 1 error "$out/$peer.log"))"
    fi
done
{
    date -u +%F
    grep -h '^#' "$out"/*.csv | sort -u
    echo "who                                    bytes  shapes  median  least, % of a copy"
    {
        awk -F, '!/^#/ && $2 ~ /^[0-9]+$/ && $2 * $3 * $4 > 64e6 { print "dl, out of place," $4 "," $11 }' "$out/dl_out.csv"
        awk -F, '!/^#/ && $2 ~ /^[0-9]+$/ && $2 * $3 * $4 > 64e6 { print "dl, in place, cap " $5 "," $4 "," $11 }' "$out/dl_in.csv"
        for peer in geam cutensor; do
            [ -s "$out/$peer.csv" ] && awk -F, '/,ok$/ { print $1 ", out of place," $4 "," $6; print $1 ", and copied back," $4 "," $7 }' \
                "$out/$peer.csv"
        done
    } | sed 's/, /; /g' | sort -t, -k1,1 -k2,2n -k3,3n | awk -F, '
        function flush() { if (n) printf "%-40s %3s  %6d  %6.1f  %5.1f\n", who, bytes, n, v[int((n + 1) / 2)], v[1] }
        $1 "," $2 != key { flush(); key = $1 "," $2; who = $1; bytes = $2; n = 0 }
        { v[++n] = $3 }
        END { flush() }'
} | tee "$out/peers.txt"
grep -l WRONG "$out"/*.csv && exit 1
exit 0
