#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: dl-run --words prints the glossary, and whoever says one of its harder words first in a run points there, once.
. "$DL_SOURCE/tests/samples/common.sh"
cd "$work" || exit 1
export DL_CACHE=$work/cache
annotate=$DL_BUILD/bin/dl-annotate
pointer='dl-run --words explains the words'

# The glossary, without marks, in lines that fit a terminal.
run "$dl_run" --words
[ "$code" = 0 ] && [ -z "$err" ] || fail "exit code $code: $err"
rows=$(grep -c '^| ' "$DL_SOURCE/docs/glossary.md")
[ "$(grep -c '^[^ ]' out)" = $((rows - 1)) ] || fail "not each row is a word: $out"
grep -qx '    a comment //DL: AoS: buffer\[count\] above a kernel, or a line in a file for' out || fail "marks: $out"
grep -qx 'DA, --layout da or soa' out || fail "a word is not as it is written: $out"
! grep -nE '^.{80}|`|\*|\]\(' out || fail "too long, or marked up"
grep -A3 -x gain out | tr -s ' \n' ' ' | grep -q 'without conversions' || fail "what gain leaves out is not said"
# Each word that points there is in it.
words=$(sed -n '/words\[\] = {/,/};/p' "$DL_SOURCE/layout/words.c" | grep -oE '"[^"]+"' | tr -d '"')
[ "$(wc -l <<<"$words")" -ge 10 ] || fail "the words are not found: $words"
while read -r word; do
    grep -qE "(^|[^a-z])${word%s}" out || fail "'$word' is not explained"
done <<<"$words"

points() { # COUNT WHAT: so often in what was said last
    [ "$(cat out err | grep -ci "$pointer")" = "$1" ] || fail "$2: not $1 times '$pointer': $out$err"
}
small=("$agents" --agents 2048 --steps 4)
run "$dl_run" --layout asta --stats -- "${small[@]}"
points 1 statistics
tail -n 2 err | head -n 1 | grep -qx "  $pointer" || fail "it is not in front of the last line: $err"
run "$dl_run" --layout asta --stats --explain-policy --log debug -- "${small[@]}"
points 1 'all that can be said'
run "$dl_run" --explain-policy --policy-test 1 -- "$agents" --agents 20000 --steps 40
points 1 'the policy'
run "$dl_run" --layout aos --stats -- "${small[@]}"
points 0 'no word'
sed '/^\/\/DL:/d' "$DL_SOURCE/samples/agents/agents.cl" >plain.cl
run "$dl_run" --advise -- "${small[@]}" --kernel plain.cl
points 1 advice
run "$dl_run" --layout asta --doctor -- "${small[@]}"
points 1 'the doctor'
run "$dl_run" --doctor
points 0 'the doctor without a program'

# What the program's own text says is not DL's.
sed 's/^\/\/DL:.*/\/\/DL: AoS: none[count]/' "$DL_SOURCE/samples/agents/agents.cl" >wrong.cl
run "$dl_run" -- "${small[@]}" --kernel wrong.cl
grep -q 'there is no argument' err || fail "no warning: $err"
points 0 'a line of the program'
sed 's/^\/\/DL:.*/\/\/DL: SaO: agents[count]/' "$DL_SOURCE/samples/agents/agents.cl" >wrong.cl
run "$dl_run" -- "${small[@]}" --kernel wrong.cl
points 1 'a warning'
grep -qE "^dl: .*\($pointer\)$" err || fail "not at the end of its line: $err"
run "$annotate" wrong.cl -o -
points 1 dl-annotate
run "$annotate" --explain "$DL_SOURCE/samples/agents/agents.cl"
points 0 'no word of dl-annotate'
finish
