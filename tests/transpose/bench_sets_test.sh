#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: dl-bench transpose has every set that --sets help names, in miniature: each case is right, whatever its axes and its batch,
# in place and out of place, and has its line in the CSV, from which the landscape is drawn. Without --bytes every set has sizes.
set -u
bench=$DL_BUILD/bin/dl-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# measure NAME CASES ARGS...: so many cases at least, all of them right.
measure() {
    local name=$1 cases=$2 ok
    shift 2
    "$bench" transpose --elements 4 --reps 1 --bytes 48K --csv "$work/transpose-$name.csv" "$@" >"$work/log" 2>&1 ||
        fail "$name: $(grep -v ' ok ' "$work/log" | tail -3)"
    ok=$(grep -c ',ok,0,' "$work/transpose-$name.csv")
    [ "$ok" -ge "$cases" ] || fail "$name: $ok cases are right, not $cases"
    [ "$(grep -vc '^#\|^set' "$work/transpose-$name.csv")" = "$ok" ] || fail "$name: $ok of more"
}

measure in 20 --sets nearsquare,axes,small,batch --sizes 2 --caps default
measure out 415 --sets outofplace,axes,landscape --sizes 3 --place out
measure square 1 --sets square --bytes 4M --algorithms square-v1b
grep -q '^axes,.*,0,16x16x16>2\.1\.0\|^axes,.*>2\.1\.0$' "$work/transpose-in.csv" || fail "no turned axes in the table"
awk -F, '$1 == "batch" && $(NF - 1) > 100' "$work/transpose-in.csv" | grep -q . || fail "no batch of hundreds"
"$bench" transpose --sets landscapes >"$work/log" 2>&1 && fail "a set that there is not"
# What is chosen is explained, and so is what is refused.
"$bench" transpose --shapes 10x20 --elements 4 --reps 1 --algorithms none,auto --explain >"$work/log" 2>&1
grep -q '^  10 x 20 of 4 bytes: none moves nothing: ' "$work/log" || fail "a refusal is not explained: $(cat "$work/log")"
grep -qx 'set          rows x columns   item cap     algorithm     taken         check         speed of copy workspace' "$work/log" ||
    fail "no headings: $(cat "$work/log")"
grep -q '^  10 x 20 of 4 bytes: [a-z0-9-]*: ' "$work/log" || fail "a choice is not explained: $(cat "$work/log")"
# In plain words, without those of DL's source.
"$bench" transpose --shapes 720x180 --elements 4 --reps 1 --algorithms panel-rows,cycles --explain >"$work/log" 2>&1
grep -q ': each column of 720 elements is [0-9]* blocks of [0-9]* with [0-9]* elements left over; the workspace holds ' "$work/log" &&
    grep -q 'cycles that are cut at one place in [0-9]* so that ' "$work/log" && ! grep -qw 'strip\|hole' "$work/log" ||
    fail "panels or cycles are not explained: $(cat "$work/log")"
# No case is of so late a part: nothing runs, and each set says how many of its matrices are too large.
"$bench" transpose --part 99999998/99999999 --sets \
    random,table,skinny,primes,whole,small,tiles,square,nearsquare,outofplace,axes,batch,landscape,involutions,kilos >"$work/log" 2>&1
grep -q 'no case is left of --sets, --shapes, --part and --bytes' "$work/log" || fail "the last part: $(cat "$work/log")"
awk '/matrices are larger than --bytes/ && $3 == $5' "$work/log" | grep . && fail "sets without sizes"

cp "$work/transpose-out.csv" "$work/transpose-landscape-out.csv"
for python in python3 /usr/bin/python3; do
    $python -c 'import matplotlib' 2>/dev/null && break
    python=
done
if [ -n "$python" ]; then
    $python "$DL_SOURCE/bench/figures.py" --results "$work" --out "$work" transpose-landscape-out ||
        fail "the landscape is not drawn"
    [ "$(grep -c 'id="size: ' "$work/transpose-landscape-out.svg")" = 400 ] || fail "not 400 sizes are drawn"
else
    echo "matplotlib is not installed: no picture is drawn"
fi
echo "$failures failures"
[ $failures -eq 0 ]
