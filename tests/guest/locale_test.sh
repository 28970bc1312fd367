#!/bin/bash
# SPDX-License-Identifier: MIT
# Files that DL writes have dots in a locale with a decimal comma, and DL reads them there.
. "$(dirname "$0")/common.sh"
command -v localedef >/dev/null || skip "there is no localedef"
mkdir "$work/locales"
localedef -i de_DE -f UTF-8 "$work/locales/comma.UTF-8" >/dev/null 2>&1
[ -e "$work/locales/comma.UTF-8" ] || skip "there are no descriptions of locales (package locales)"
export LOCPATH=$work/locales LC_ALL=comma.UTF-8

# A number with a comma, in what has numbers: "1,5", and not [1,5] of a list.
has_comma() {
    grep -nE '[0-9],[0-9]' "$1"
}

for layout in auto asta da coalesced; do
    run comma "$dl_run" --layout $layout --stats=stats.json --trace trace.json --report report.txt \
        --explain-policy --verify -- "$guest/host_locale"
    grep -q '^1,5 ' "$work/comma.out" || fail "the program has no decimal comma: $(cat "$work/comma.out" "$work/comma.err")"
    for file in stats trace; do
        python3 -m json.tool "$work/$file.json" >"$work/$file.read" || fail "$layout: $file is no JSON"
    done
    python3 "$DL_SOURCE/tests/common/check_trace.py" "$work/trace.json" >/dev/null || fail "$layout: the trace"
    has_comma "$work/report.txt" && fail "$layout: the report"
    has_comma "$work/comma.err" && fail "$layout: standard error"
    grep -q '"gb_per_s": [0-9]' "$work/trace.read" || [ $layout = auto ] || [ $layout = coalesced ] ||
        fail "$layout: the trace has no conversion's speed"
    run table "$dl_run" --layout $layout --stats -- "$guest/host_locale"
    grep -q 'rewritten\|as written' "$work/table.err" || fail "$layout: no table"
    has_comma "$work/table.err" && fail "$layout: the table"
done

# A file for --annotations, written and read; and what the cache keeps of decisions.
run advise "$dl_run" --advise=advice.txt -- "$guest/host_locale"
grep -q ': AoS: items' "$work/advice.txt" || fail "no advice: $(cat "$work/advice.txt" "$work/advise.err")"
grep -E '(^|[ (])[0-9]+,[0-9]' "$work/advice.txt" && fail "the advice has commas"
run side "$dl_run" --annotations "$work/advice.txt" --detect off --layout asta --stats=stats.json -- "$guest/host_locale"
[ -s "$work/side.err" ] && fail "reading the advice: $(cat "$work/side.err")"
grep -q '"rewritten":' "$work/stats.json" || fail "the advice is not followed: $(cat "$work/stats.json")"

# Device files are written and read by the tuner.
run numbers "$DL_BUILD/tests/test_tuning"
[ "$(cat "$work/numbers.code")" = 0 ] || fail "device files: $(cat "$work/numbers.out")"
finish
