# SPDX-License-Identifier: MIT
# The grid cut over the ranks of an MPI job gives one device's bytes, natively and under DL, for any number
# of ranks, layout and way of the planes. A rank that fails or dies ends the job: no rank hangs in DL.
. "$DL_SOURCE/tests/samples/common.sh"
lbm_mpi=$DL_BUILD/samples/lbm_mpi
[ -x "$lbm_mpi" ] || { echo "no MPI to build with"; exit 77; }
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5 has its launcher's own
export OMPI_MCA_btl=self,vader,tcp TMPDIR=$work
size=31x12x11 steps=6 plane_bytes=$((31 * 12 * 80))

# ranks COUNT COMMAND...
ranks() {
    "$DL_BUILD/tests/watched" -i 120 -c 300 mpirun -np "$@"
}

# number KEY: over the statistics of all ranks.
number() {
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work"/stats-*.json | awk '{ n += $1 } END { print n }'
}

checksum_of "$lbm" --size $size --steps $steps --check
want=$sum number=0
for halo in read rect map overlap; do
    expect_checksum "$want" ranks 2 "$lbm_mpi" --size $size --steps $steps --halo $halo
    for layout in "asta --tile 8" da "auto --policy-test 12"; do
        number=$((number + 1)) # every fourth a turn (tests/common/turn.h): each layout once
        [ -n "${DL_TEST_FULL:-}" ] || [ $((number % 4)) = $((1 - ${DL_TURN:-0})) ] || continue
        rm -f "$work"/stats-*.json
        # shellcheck disable=SC2086 # an option and its value
        expect_checksum "$want" ranks 2 "$dl_run" --layout $layout --stats="$work/stats-%r.json" -- \
            "$lbm_mpi" --size $size --steps $steps --halo $halo
        [ "$(value ranks)" = 2 ] || fail "$(value ranks) ranks, not 2"
        case $layout in auto*) continue ;; esac
        [ "$(number marshal_count) $(number bring_back_count)" = "4 0" ] ||
            fail "$layout, by $halo: $(number marshal_count) conversions, $(number bring_back_count) of them back"
        [ "$(number part_bytes)" = $(((2 * (steps + 1) * 4 + 11) * plane_bytes)) ] ||
            fail "$layout, by $halo: $(number part_bytes) bytes through staging areas"
    done
done
expect_checksum "$want" ranks 1 "$dl_run" --layout asta -- "$lbm_mpi" --size $size --steps $steps
expect_checksum "$want" ranks 3 "$dl_run" --layout asta -- "$lbm_mpi" --size $size --steps $steps --flat
expect_checksum "$want" ranks 2 "$dl_run" -- "$lbm_mpi" --size $size --steps $steps

# Of ranks with parts of other sizes, which end together, each has what it measured kept for the next run: a single launch
# is not believed.
export DL_CACHE=$work/cache
for count in 1 "$steps" 1; do
    rm -f "$work"/stats-*.json
    checksum_of ranks 2 "$dl_run" --stats="$work/stats-%r.json" -- "$lbm_mpi" --size 31x12x7 --steps "$count" --halo read
    known="${known:-}$(grep -l '"why":"[^"]*as written [0-9]' "$work"/stats-*.json | wc -l) "
done
[ "$known" = "0 2 2 " ] || fail "times are known to $known of 2 ranks, not first to none and then to all"

# The program's own error, of one rank or of all.
run ranks 2 "$dl_run" --layout asta -- "$lbm_mpi" --size $size --kernel "$work/none.cl"
[ $code -ne 0 ] && [ $code -ne 124 ] || fail "exit code $code without a kernel"
grep -q "none.cl" "$work/err" || fail "without a kernel: $err"
long="--size $size --steps 100000000"
# shellcheck disable=SC2086
run ranks 1 "$dl_run" --layout asta -- "$lbm_mpi" $long : \
    -np 1 timeout -s KILL 1 "$dl_run" --layout asta -- "$lbm_mpi" $long
[ $code -ne 0 ] && [ $code -ne 124 ] || fail "exit code $code when a rank is killed"
finish
