#!/bin/bash
# The figures of docs/figures/ from the tables of bench/results/:
#     bash bench/marshal_plots.sh BUILD
bench=$1/bin/dl-bench
cd "$(dirname "$0")/.." || exit 1
mkdir -p docs/figures
failed=0

# plot TABLE TITLE X SERIES [even]
plot() {
    local table=bench/results/marshal-h200-$1.csv
    "$bench" plot "$table" "docs/figures/marshal-$1.svg" "${@:2}" || { echo "$1"; failed=1; }
}

plot asta "AoS and ASTA, tiles of 32, by struct size" words from
plot super "100! by cut cycles, by super-element" words columns,from
plot da "AoS and DL's own DA, 60 random shapes, by leaves" leaves from
plot soa "AoS and exact SoA, 60 random shapes, by leaves" leaves from
plot tiles "Barrier-sync (family 1) and PTTWAC (2), by tile (tables 5.2, 5.3)" tile words,family
plot spreading "PTTWAC: flags in a word, padded or not (figures 4.11 to 4.16)" cycle_flags \
    words,cycle_pad even
plot remapped "PTTWAC: flags remapped (4.5.1)" cycle_flags words,cycle_remap even
plot groups "PTTWAC: work-items that share a tile (figure 4.17)" cycle_group words even
plot pipt "P-IPT (family 5), PTTWAC (2), barrier-sync (1) (figure 4.18)" words family,from
plot held "PTTWAC: elements held in registers" words cycle_held,from
plot maps "Barrier-sync: plain, padded, exclusive-or, diagonal tiles (tile_pad 0 to 3)" words \
    tile_pad,from even
plot access "Reading every word of a struct, by layout (figure 3.7)" words from
plot thesis "100! as in the thesis: barriers, local, register tiling (figures 4.19, 4.20)" words \
    super_mode even
plot cut "100! by cut cycles, the same sizes" words from even
plot cycles "100! by P-IPT (5), PTTWAC (6), cut cycles (3), 64 MiB (figure 5.7)" words family,tile \
    even
exit $failed
