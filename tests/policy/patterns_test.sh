#!/bin/bash
# SPDX-License-Identifier: MIT
# An ordinary program (pattern.c) gives the same bytes natively, with layout auto, and where auto
# changes layouts at random moments; queues with profiling and without, made early and late. What was
# decided is explained where that is asked for, remembered, and made anew when its file is damaged.
set -u
program=$DL_BUILD/tests/policy_pattern
dl_run="$DL_BUILD/tests/watched -c 600 $DL_BUILD/bin/dl-run"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DL_CACHE=$work/cache
failed=0

fail() {
    printf 'FAIL: %s\n' "$*"
    failed=1
}

same() { # PATTERN, then OPTION... of dl-run
    local pattern=$1
    shift
    # shellcheck disable=SC2086 # words
    [ "$($dl_run "$@" -- "$program" $pattern 2>"$work/err")" = "$want" ] || {
        fail "$pattern under $*: not the bytes as without DL"
        tail -n 3 "$work/err"
    }
}

# Half of them a turn (common/turn.h), all with DL_TEST_FULL.
patterns=("few 40 2000 wait" "gather 10 500 profiling" "probe 40 2000" "rewritten 20 1999")
others=("few 40 2011 early" "between 20 2000 profiling wait" "poke 40 2000 early" "few 20 2000 relaxed profiling wait")
[ "${DL_TURN:-0}" = 0 ] || patterns=("${others[@]}")
[ -z "${DL_TEST_FULL:-}" ] || patterns+=("${others[@]}")
tiled=0
for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2086 # words
    want=$("$program" $pattern) || fail "$pattern natively: $want"
    same "$pattern"
    for seed in 1 2; do
        same "$pattern" --policy-test $seed --stats="$work/stats.json"
        tiled=$((tiled + $(grep -oE '"launches":[0-9]+' "$work/stats.json" | tr -dc '0-9\n' |
            awk '{ n += $1 } END { print n + 0 }')))
    done
done
[ "$tiled" -gt 50 ] || fail "only $tiled launches were made on tiles at random moments"

# Looks by parts, by reads or by writes a turn, cost what they take: a large buffer stays converted, if it is at all, and a small one as written. What is wanted is
# built beforehand.
DL_CACHE=$work/looks
looks=probe
[ "${DL_TURN:-0}" = 0 ] || looks=poke
[ -z "${DL_TEST_FULL:-}" ] || looks='probe poke'
for pattern in $looks; do
    for structs in 100000 200; do
        want=$("$program" $pattern 100 $structs early)
        same "$pattern 100 $structs early" --layout asta --tile 256
        same "$pattern 100 $structs early" --layout da
        same "$pattern 100 $structs early" --log debug
        there=$(grep -c ': AoS -> ' "$work/err")
        back=$(grep -c ' -> AoS' "$work/err")
        { [ "$there" -le 2 ] && [ "$back" -le "$there" ]; } ||
            fail "$pattern: $there conversions, and $back back"
        [ $structs != 200 ] || [ "$there" = 0 ] || fail "$pattern, with little to gain: $there conversions"
        # A demanded layout shows what that has measured as written.
        [ $structs != 200 ] || continue
        same "$pattern 100 $structs early" --layout da --stats
        grep -qE ' ran in arrays: [0-9.]+ instead of [0-9.]+ ms \(as written in an earlier run\)' "$work/err" ||
            fail "$pattern: the demanded layout's time stands alone: $(tail -n 1 "$work/err")"
        # Changed at random, it is looked at in another layout, too.
        same "$pattern 100 $structs early" --policy-test 1 --log debug --stats
        grep -qE 'policy: a look at 256 bytes took [0-9.]+ us, buffer in (ASTA|DA)' "$work/err" ||
            fail "$pattern: no look by parts was timed"
        grep -qE '  looked at in place: [0-9]+ bytes, in [0-9]+ pieces?, [0-9.]+ ms longer than as written' "$work/err" ||
            fail "$pattern: looks by parts are not in the statistics: $(cat "$work/err")"
    done
    # The same commands are timed on a buffer as written, where there is little to gain.
    same "$pattern 100 200 profiling" --log debug
    grep -qE 'policy: a look at 256 bytes took [0-9.]+ us, buffer in native' "$work/err" ||
        fail "$pattern: no look at a buffer as written was timed"
done
DL_CACHE=$work/cache

# Each decision is a line, where it is asked for and nowhere else.
want=$("$program" few 20 2000)
same "few 20 2000" --policy-test 1 --explain-policy
grep -qE '^dl: policy: group 1 \(few\): as written -> (ASTA|DA) at launch [0-9]+: at random' "$work/err" ||
    fail "nothing is explained: $(cat "$work/err")"
same "few 20 2000" --policy-test 1
! grep -q 'policy' "$work/err" || fail "explained, though nobody asked: $(cat "$work/err")"
same "few 20 2000" --layout asta --explain-policy
! grep -q 'policy' "$work/err" || fail "explained, though the layout is fixed: $(cat "$work/err")"
same "few 20 2000" --policy-test 1 --stats
grep -q '^  policy: group 1 ' "$work/err" || fail "not in the statistics: $(cat "$work/err")"

# What is remembered, and a file of it that is damaged. The rewritten texts are there beforehand: these
# runs are too short for the builder.
export DL_CACHE=$work/fresh
same "few 20 2000 profiling wait" --layout asta
same "few 20 2000 profiling wait" --log remark
! grep -q damaged "$work/err" || fail "damaged at first: $(cat "$work/err")"
kept=$(grep -l -a -P 'policy\x00' "$DL_CACHE"/*.dl)
[ "$(wc -w <<<"$kept")" = 1 ] || fail "not one file of decisions: $kept"
cp "$kept" "$work/kept"
# Damaged, another entry's, cut off, nothing at all: each is ignored, said once, and made anew.
for damage in "sed -i s/few/fwe/" foreign "truncate -s 100" "truncate -s 0"; do
    cp "$work/kept" "$kept"
    if [ "$damage" = foreign ]; then
        cp "$(grep -L -a -P 'policy\x00' "$DL_CACHE"/*.dl | head -n 1)" "$kept"
    else
        $damage "$kept"
    fi
    ! cmp -s "$work/kept" "$kept" || fail "$damage: nothing is damaged"
    same "few 20 2000 profiling wait" --log remark
    [ "$(grep -c 'ignored and rebuilt' "$work/err")" = 1 ] ||
        fail "$damage: damage is not said once: $(cat "$work/err")"
    grep -a -q few "$kept" || fail "$damage: the damaged file was not made anew"
    same "few 20 2000 profiling wait" --log remark
    ! grep -q 'rebuilt' "$work/err" || fail "$damage: still damaged: $(cat "$work/err")"
done

# Nothing at all is loaded for a few launches that take next to nothing: here by the text alone, as nothing is timed.
DL_CACHE=$work/soon
want=$("$program" few 3 200 early)
for layout in asta da; do
    same "few 3 200 early" --layout $layout --stats
    grep -q 'programs built: 1, kept: 0$' "$work/err" || fail "no program is counted: $(cat "$work/err")"
done
same "few 3 200 early" --stats
! grep -q 'kept: [1-9]$' "$work/err" || fail "loaded for three launches: $(cat "$work/err")"

# Where the host overwrites the buffer each time, no layout is to be demanded, even before that is measured.
want=$("$program" rewritten 20 1999)
same "rewritten 20 1999" --layout asta
same "rewritten 20 1999" --stats
grep -qE "Next: .*; --layout (da|asta) would convert buffer 'o' 19 times, as often as clEnqueueWriteBuffer overwrote it\$" \
    "$work/err" || fail "what the host does is not in the next step: $(tail -n 1 "$work/err")"

exit $failed
