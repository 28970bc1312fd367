#!/usr/bin/env bash
# Random programs with commands that are cancelled (random_cancelled.c) print the same record
# natively and under DL, on several layouts: what each call gives, how each event ends, every byte.
# A sequence that the driver itself hangs or crashes on, or does not do twice alike, is left out and
# counted. On its own:
#
#   DL_BUILD=build tests/memory/cancelled_test.sh
#
# DL_SEQUENCES sets how many (40; 500 in make test-full), DL_FIRST the first seed (0), DL_MOST_BAD
# after how many that hang or crash a layout is given up (10).
set -u
. "$(dirname "$0")/pocl_race.sh"
program=$DL_BUILD/tests/random_cancelled
first=${DL_FIRST:-0}
count=${DL_SEQUENCES:-$([ -n "${DL_TEST_FULL:-}" ] && echo 500 || echo 40)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
watched() { "$DL_BUILD/tests/watched" -i 5 -s 3 "$@"; }

# What this driver can't do, see random_cancelled.c.
flags=()
for flag in no-late-waits no-broken-queues; do
    watched "$program" probe $flag >/dev/null 2>&1 || flags+=("$flag")
done
echo "seeds $first to $((first + count - 1)), flags: ${flags[*]:-none}"

# record NAME COMMAND...: a file $work/NAME/SEED for each seed, with what became of it in the end.
# Stops when too much went wrong.
record() {
    local name=$1 seed=$first bad=0 status raced=
    shift
    mkdir "$work/$name"
    while [ "$seed" -lt $((first + count)) ]; do
        watched "$@" "$seed" $((first + count - seed)) "${flags[@]}" >"$work/out" 2>"$work/err"
        status=$?
        # Each sequence is a file; a seed that was not ended is the last.
        awk -v folder="$work/$name" '/^seed /{ file = folder "/" $2 } file { print >file }' "$work/out"
        [ "$status" -eq 0 ] && break
        seed=$(sed -n 's/^seed //p' "$work/out" | tail -n 1)
        [ -n "$seed" ] || { echo "FAILED: $name: no sequence begins"; cat "$work/err"; failed=1; return; }
        if [ "$raced" != "$seed" ] && is_pocl_race "$work/err"; then
            raced=$seed
            rm -f "$work/$name/$seed"
            continue
        fi
        { echo "ENDS WITH $status (124: a hang)"; tail -n 2 "$work/err"; } >>"$work/$name/$seed"
        seed=$((seed + 1))
        bad=$((bad + 1))
        [ "$bad" -lt "${DL_MOST_BAD:-10}" ] || { echo "$name: stopped before seed $seed: $bad hung or crashed"; return; }
    done
}

record native "$program"
record again "$program"
kept=()
for ((seed = first; seed < first + count; seed++)); do
    cmp -s "$work/native/$seed" "$work/again/$seed" || continue
    grep -q -e '^ENDS WITH' -e 'never ends' "$work/native/$seed" || kept+=("$seed")
done
echo "${#kept[@]} sequences compared, $((count - ${#kept[@]})) left out: the driver hangs, crashes or varies on them"
[ "${#kept[@]}" -ge $((count / 2)) ] || { echo "FAILED: too few"; failed=1; }

for layout in "asta --tile 8" "asta --tile 32 --staging 0" "da --tile 8"; do
    name=${layout// /_}
    differing=0 hung=0 crashed=0
    # shellcheck disable=SC2086 # an option and its value
    record "$name" "$DL_BUILD/bin/dl-run" --log quiet --layout $layout -- "$program"
    for seed in "${kept[@]}"; do
        cmp -s "$work/native/$seed" "$work/$name/$seed" && continue
        [ -e "$work/$name/$seed" ] || continue
        differing=$((differing + 1))
        case $(grep -s '^ENDS WITH' "$work/$name/$seed") in
        "ENDS WITH 124 "*) hung=$((hung + 1)) ;;
        ENDS*) crashed=$((crashed + 1)) ;;
        esac
        [ "$differing" -le 5 ] || continue
        echo "FAILED: seed $seed, $layout (< natively, > under DL):"
        diff "$work/native/$seed" "$work/$name/$seed" 2>&1 | grep -A 9 -B 3 '^>' | head -n 9 | sed 's/^/    /'
        echo "    dl-run --layout $layout -- tests/random_cancelled $seed 1 ${flags[*]}"
    done
    ran=$(find "$work/$name" -type f | wc -l)
    echo "$layout: $ran run, $differing differ, $hung of them hang and $crashed crash"
    [ "$differing" -eq 0 ] && [ "$ran" -eq "$count" ] || failed=1
done
# A program that is never in tiles shows nothing.
if [[ " ${flags[*]} " != *no-broken-queues* ]]; then
    "$DL_BUILD/bin/dl-run" --log quiet --layout asta --tile 8 --stats="$work/stats.json" -- \
        "$program" 0 20 "${flags[@]}" >"$work/out" 2>&1
    marshals=$(sed -n 's/.*"marshal_count":\([0-9]*\).*/\1/p' "$work/stats.json")
    echo "conversions in 20 sequences: ${marshals:-none}"
    [ "${marshals:-0}" -ge 40 ] || { echo "FAILED: hardly anything is in tiles"; failed=1; }
fi
exit $failed
