#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random programs with commands that are cancelled (random_cancelled.c) print the same record
# natively and under DL, on several layouts: what each call gives, how each event ends, every byte.
# On its own:
#
#   DL_BUILD=build tests/memory/cancelled_test.sh
#
# DL_SEQUENCES sets how many (40; 500 in make test-full), DL_FIRST the first seed (0), DL_MOST_BAD
# after how many that hang or crash a layout is given up (10), DL_LIMITS what counts as a hang.
#
# The rule:
# - A sequence that the driver itself hangs or crashes on, or does not do twice alike, is left out
#   and counted; half of them at most.
# - A sequence that ends otherwise under DL is run alone, 40 times natively (two at a time) and 10
#   times under DL. All that it ever did under DL, the first time as well, it must have done natively,
#   too: the same record, or an end by the same signal, or a hang. Then the driver varies, and it is
#   left out and counted; of all layouts, one in twenty of the sequences at most, and two. A single
#   run under DL that no native run is like fails the test, however seldom it comes.
# - Only a death by PoCL's race (pocl_race.sh) is no ending: the run is done once more.
# - A hang is 20 s in which nothing runs nor could run, or 20 s of processor time without a line (with
#   cold caches the first takes up to 2): tests/watched.c.
set -u
# The claims are about annotated kernels beside others that run as written.
export DL_DETECT=off
. "$(dirname "$0")/pocl_race.sh"
program=$DL_BUILD/tests/random_cancelled
first=${DL_FIRST:-0}
count=${DL_SEQUENCES:-$([ -n "${DL_TEST_FULL:-}" ] && echo 500 || echo 40)}
read -r -a limits <<<"${DL_LIMITS:--i 20 -s 20}"
native_repeats=40 dl_repeats=10
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Processes that fill one cache of PoCL's together may find each other's files half written, and abort:
# what runs beside this does not count (docs/notes/cache.md).
export POCL_CACHE_DIR=$work/pocl
mkdir "$POCL_CACHE_DIR"
failed=0
watched() { "$DL_BUILD/tests/watched" "${limits[@]}" "$@"; }
# What failed is told at the end: there a log is read first, and kept longest.
fail() { echo "FAILED: $*" >>"$work/report"; failed=1; }
detail() { sed 's/^/    /' >>"$work/report"; }

# What this driver can't do, see random_cancelled.c.
flags=()
for flag in no-late-waits no-broken-queues; do
    watched "$program" probe $flag >/dev/null 2>&1 || flags+=("$flag")
done
echo "seeds $first to $((first + count - 1)), flags: ${flags[*]:-none}"

# record NAME FIRST COUNT COMMAND...: a file $work/NAME/SEED for each seed, with what became of it in
# the end, and $work/err-NAME/SEED of one that hung or crashed. Stops when too much went wrong.
record() {
    local name=$1 seed=$2 end=$(($2 + $3)) bad=0 status raced='' out=$work/$1.out err=$work/$1.stderr
    shift 3
    mkdir "$work/$name" "$work/err-$name"
    while [ "$seed" -lt "$end" ]; do
        watched "$@" "$seed" $((end - seed)) "${flags[@]}" >"$out" 2>"$err"
        status=$?
        # Each sequence is a file; a seed that was not ended is the last.
        awk -v folder="$work/$name" '/^seed /{ file = folder "/" $2 } file { print >file }' "$out"
        [ "$status" -eq 0 ] && break
        seed=$(sed -n 's/^seed //p' "$out" | tail -n 1)
        if [ -z "$seed" ]; then
            fail "$name: no sequence begins, status $status"
            tail -n 8 "$err" | detail
            return
        fi
        if [ "$raced" != "$seed" ] && is_pocl_race "$err"; then
            raced=$seed
            rm -f "$work/$name/$seed"
            continue
        fi
        echo "ENDS WITH $status (124: a hang)" >>"$work/$name/$seed"
        tail -n 8 "$err" >"$work/err-$name/$seed"
        seed=$((seed + 1))
        bad=$((bad + 1))
        [ "$bad" -lt "${DL_MOST_BAD:-10}" ] || { echo "$name: stopped before seed $seed: $bad hung or crashed"; return; }
    done
}

# ending FILE: what two runs that did the same have in common.
ending() { grep -s '^ENDS WITH' "$1" || sha256sum <"$1"; }

# is_native SEED NAME COMMAND...: whether all that the seed does under DL the driver does by itself.
# Leaves what it does in $work/NAME-SEED.*.
is_native() {
    local seed=$1 base=$2-$1 all=$work/$2-$1 i run
    shift 2
    { ending "$work/native/$seed"; ending "$work/again/$seed"; } >"$all.native"
    for ((i = 0; i < native_repeats; i += 2)); do
        record "$base-native-$i" "$seed" 1 "$program" &
        record "$base-native-$((i + 1))" "$seed" 1 "$program"
        wait $!
    done
    for run in "$work/$base-native"-*/"$seed"; do ending "$run"; done >>"$all.native"
    ending "$work/${base%-*}/$seed" >"$all.dl"
    for ((i = 0; i < dl_repeats; i++)); do
        record "$base-dl-$i" "$seed" 1 "$@"
    done
    for run in "$work/$base-dl"-*/"$seed"; do ending "$run"; done >>"$all.dl"
    sort -u "$all.native" -o "$all.native-set"
    sort -u "$all.dl" -o "$all.dl-set"
    [ -z "$(comm -13 "$all.native-set" "$all.dl-set")" ]
}

# tell SEED NAME LAYOUT: how a seed that is DL's own affair ends, and how to see that again.
tell() {
    local seed=$1 name=$2 all=$work/$2-$1 base
    base=$(head -n 1 "$all.native")
    fail "seed $seed, --layout $3: what no native run does (< natively, > under DL)"
    diff "$work/native/$seed" "$work/$name/$seed" 2>&1 | grep -E '^[0-9<>]' | head -n 9 | detail
    [ ! -s "$work/err-$name/$seed" ] || { echo "its last words:"; cat "$work/err-$name/$seed"; } | detail
    {
        echo "alone: $(grep -cxF "$base" "$all.dl") of $((dl_repeats + 1)) runs under DL as natively," \
            "$(wc -l <"$all.native-set") endings in $(wc -l <"$all.native") native runs"
        echo "again: scripts/with-opencl.sh build build/bin/dl-run --layout $3 --" \
            "build/tests/random_cancelled $seed 1 ${flags[*]}; without dl-run: natively"
        echo "or: DL_FIRST=$first DL_SEQUENCES=$count DL_BUILD=build tests/memory/cancelled_test.sh" \
            "(POCL_EXTRA_BUILD_FLAGS=${POCL_EXTRA_BUILD_FLAGS:-})"
    } | detail
}

record native "$first" "$count" "$program"
record again "$first" "$count" "$program"
kept=()
for ((seed = first; seed < first + count; seed++)); do
    cmp -s "$work/native/$seed" "$work/again/$seed" || continue
    grep -q -e '^ENDS WITH' -e 'never ends' "$work/native/$seed" || kept+=("$seed")
done
echo "${#kept[@]} sequences compared, $((count - ${#kept[@]})) left out: the driver hangs, crashes or varies on them"
[ "${#kept[@]}" -ge $((count / 2)) ] || fail "too few are left"

# Two of the layouts a turn (common/turn.h), all with DL_TEST_FULL.
layouts=("asta --tile 8" "auto --policy-test 7")
[ "${DL_TURN:-0}" = 0 ] || layouts=("asta --tile 32 --staging 0" "da --tile 8")
[ -z "${DL_TEST_FULL:-}" ] || layouts=("asta --tile 8" "asta --tile 32 --staging 0" "da --tile 8" "auto --policy-test 7")
varying=0
for layout in "${layouts[@]}"; do
    name=${layout// /_}
    differing=0 hung=0 crashed=0
    # shellcheck disable=SC2206 # an option and its value
    under_dl=("$DL_BUILD/bin/dl-run" --log quiet --layout $layout -- "$program")
    record "$name" "$first" "$count" "${under_dl[@]}"
    for seed in "${kept[@]}"; do
        cmp -s "$work/native/$seed" "$work/$name/$seed" && continue
        [ -e "$work/$name/$seed" ] || continue
        # That many are not by chance.
        if [ "$differing" -lt 5 ]; then
            if is_native "$seed" "$name" "${under_dl[@]}"; then
                varying=$((varying + 1))
                echo "seed $seed, $layout: left out: $(wc -l <"$work/$name-$seed.native-set") endings in" \
                    "$(wc -l <"$work/$name-$seed.native") native runs"
                continue
            fi
            tell "$seed" "$name" "$layout"
        fi
        differing=$((differing + 1))
        case $(grep -s '^ENDS WITH' "$work/$name/$seed") in
        "ENDS WITH 124 "*) hung=$((hung + 1)) ;;
        ENDS*) crashed=$((crashed + 1)) ;;
        esac
    done
    ran=$(find "$work/$name" -type f | wc -l)
    echo "$layout: $ran run, $differing differ, $hung of them hang and $crashed crash"
    [ "$differing" -le 5 ] || fail "$layout: $differing differ, of which 5 are told"
    [ "$ran" -eq "$count" ] || fail "$layout: only $ran of $count run"
done
[ "$varying" -le $((count / 20 > 2 ? count / 20 : 2)) ] || fail "the driver varies too often: $varying times"

# A program that is never in tiles shows nothing.
conversions() {
    watched "$DL_BUILD/bin/dl-run" --log quiet --layout asta --tile 8 --stats="$work/stats.json" -- \
        "$program" 0 20 "${flags[@]}" >"$work/out" 2>"$work/err"
    status=$?
    return $status
}
if [[ " ${flags[*]} " != *no-broken-queues* ]]; then
    conversions || { is_pocl_race "$work/err" && conversions; } || {
        fail "seeds 0 to 19, --layout asta --tile 8, --stats: status $status"
        tail -n 8 "$work/err" | detail
    }
    marshals=$(sed -n 's/.*"marshal_count":\([0-9]*\).*/\1/p' "$work/stats.json")
    echo "conversions in 20 sequences: ${marshals:-none}"
    [ "${marshals:-0}" -ge 40 ] || fail "hardly anything is in tiles"
fi
[ ! -e "$work/report" ] || cat "$work/report"
exit $failed
