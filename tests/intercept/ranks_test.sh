#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: processes that start together, as the ranks of a job do, share a cold cache rightly: each of 20 gives
# what one gives alone, the text is rewritten twice at most, and the next run finds all of it. A
# process that is killed while it rewrites, or stands still, keeps no other from going on. Statistics and trace name
# the rank, whoever started it.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8 DL_CACHE=$work/cache
ranks=20
cat >"$work/a.cl" <<'END'
typedef struct { float x, y; int n; } particle;
//DL: AoS: p[n]
__kernel void fake_step(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }
END

# job: starts all ranks at once; $rewritten is how often, $kept how often the text came from the cache.
job() {
    local pids=() rank
    rm -f "$work"/stats-* "$work"/out-*
    for rank in $(seq $ranks); do
        PMI_RANK=$rank DL_STATS=$work/stats-%r guard=$watched under ocl-icd preload \
            "$tests/host_cache" "$work/a.cl" "" >"$work/out-$rank" 2>&1 &
        pids+=($!)
    done
    for rank in "${!pids[@]}"; do
        wait "${pids[$rank]}" || fail "$1: rank $((rank + 1)) fails: $(tail -n 1 "$work/out-$((rank + 1))")"
    done
    [ "$(ls "$work" | grep -c '^stats-')" = $ranks ] || fail "$1: not a file of statistics for each rank"
    rewritten=$(grep -ho '"texts_rewritten":[0-9]*' "$work"/stats-* | awk -F: '{ n += $2 } END { print n }')
    kept=$(grep -ho '"texts_kept":[0-9]*' "$work"/stats-* | awk -F: '{ n += $2 } END { print n }')
    for rank in $(seq $ranks); do
        diff <(grep -v ^libclang: "$work/alone") <(grep -v ^libclang: "$work/out-$rank") >"$work/diff" ||
            fail "$1: rank $rank gives something else: $(head -n 3 "$work/diff")"
    done
}

DL_CACHE=off guard=$watched under ocl-icd preload "$tests/host_cache" "$work/a.cl" "" >"$work/alone" 2>&1 ||
    fail "alone: $(tail -n 1 "$work/alone")"
job "cold"
[ "$rewritten" -ge 1 ] && [ "$rewritten" -le 2 ] && [ $((rewritten + kept)) = $ranks ] ||
    fail "a cold cache: $rewritten texts rewritten, $kept found"
job "warm"
[ "$rewritten $kept" = "0 $ranks" ] || fail "a warm cache: $rewritten texts rewritten, $kept found"
[ -z "$(find "$work/cache" -name 'tmp-*')" ] || fail "left behind: $(ls -a "$work/cache")"

# Killed at random moments of its rewriting, with a cold cache again.
for ms in 20 60 120; do
    rm -rf "$work/cache"
    timeout -s KILL 0.$(printf %03d $ms) env OCL_ICD_VENDORS="$tests/vendors" \
        LD_PRELOAD="${runtime:+$runtime:}$dl" "$tests/host_cache" "$work/a.cl" "" >/dev/null 2>&1
    guard=$watched under ocl-icd preload "$tests/host_cache" "$work/a.cl" "" >"$work/out" 2>&1 ||
        fail "behind one that was killed after $ms ms: $(tail -n 1 "$work/out")"
done

for variable in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK MV2_COMM_WORLD_RANK PALS_RANKID SLURM_PROCID; do
    guard=$watched under ocl-icd preload "$variable=7" DL_STATS=1 DL_TRACE="$work/trace" \
        "$tests/host_cache" "$work/a.cl" "" >/dev/null 2>"$work/err"
    grep -q '^dl: statistics of host_cache, rank 7, process [0-9]* (' "$work/err" ||
        fail "$variable: $(grep statistics "$work/err")"
    grep -q '"host_cache, rank 7 (host)"' "$work/trace" || fail "$variable: the trace has no rank"
done
guard=$watched under ocl-icd preload DL_STATS="$work/stats" PMI_RANK=7 "$tests/host_cache" "$work/a.cl" "" >/dev/null 2>&1
grep -q '"rank":7,' "$work/stats" || fail "the file of statistics has no rank"
finish
