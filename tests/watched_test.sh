#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tests/watched ends and what it lets be: a command that sleeps or turns for ever is ended; one
# that goes on, however slowly the machine lets it, is not.
set -u
watched=$DL_BUILD/tests/watched
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; sed 's/^/    /' "$work/err"; failed=1; }
# expect STATUS WHAT OPTIONS... -- COMMAND...
expect() {
    local wanted=$1 what=$2 status
    local -a options=()
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    "$watched" "${options[@]}" "${@:2}" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$what: $status, not $wanted"
}
# Uses so much processor time, in hundredths of a second, whatever else the machine does.
cat >"$work/burn" <<'END'
burn() {
    local -a fields
    while read -r -a fields </proc/$BASHPID/stat && [ $((fields[13] + fields[14])) -lt "$1" ]; do :; done
}
END
# shellcheck source=/dev/null
. "$work/burn"

expect 7 "an exit code" -- bash -c 'exit 7'
expect 139 "a signal" -- bash -c 'kill -SEGV $$'
expect 124 "a sleeper" -i 1 -- sleep 1000
[ "$(tail -n 1 "$work/err")" = "watched: nothing done in 1 s" ] || fail "no word of a sleeper"
grep -q '^watched: process [0-9]*: sleep 1000' "$work/err" && grep -q '^watched:     thread [0-9]*: S ' "$work/err" ||
    fail "not told what the sleeper waited for"
expect 124 "turning for ever" -c 1 -- bash -c 'while :; do :; done'
expect 124 "turning in silence" -s 1 -- bash -c 'while :; do :; done'
grep -q 'of processor time without output$' "$work/err" || fail "no word of the silence"
expect 0 "turning with output" -s 1 -- bash -c ". $work/burn; for t in 40 80 120 160 200; do burn \$t; echo; done"
[ "$(wc -l <"$work/out")" -eq 5 ] || fail "output is lost"

# Which runs build without optimising.
for run in "-q A=1 yes" "-q DL_TURN=1 no" "-q DL_TEST_FULL=1 no" "-Q A=1 yes" "-Q DL_TURN=1 yes" "-Q DL_TEST_FULL=1 no"; do
    read -r option setting wanted <<<"$run"
    env -u DL_TURN -u DL_TEST_FULL -u POCL_EXTRA_BUILD_FLAGS "$setting" "$watched" "$option" \
        printenv POCL_EXTRA_BUILD_FLAGS >"$work/out"
    [ "$(cat "$work/out")" = "$([ $wanted = no ] || echo -cl-opt-disable)" ] || fail "$option, $setting: not $wanted"
done

# Which runs have the PoCL with fewer functions; where there is none, none.
small=$(dirname "$watched")/pocl/vendors
[ -r "$small/pocl.icd" ] || small=
for run in "A=1 $small" "DL_TEST_FULL=1 " "OCL_ICD_VENDORS=/mine /mine"; do
    read -r setting wanted <<<"$run"
    env -u DL_TEST_FULL -u OCL_ICD_VENDORS "$setting" "$watched" printenv OCL_ICD_VENDORS >"$work/out"
    [ "$(cat "$work/out")" = "$wanted" ] || fail "$setting: $(cat "$work/out") and not $wanted"
done

# And the linker; not where another is named.
linker=$(dirname "$watched")/linker
for run in "A=1 $linker" "DL_TEST_FULL=1 " "COMPILER_PATH=/mine /mine"; do
    read -r setting wanted <<<"$run"
    env -u DL_TEST_FULL -u COMPILER_PATH "$setting" "$watched" printenv COMPILER_PATH >"$work/out"
    [ "$(cat "$work/out")" = "$wanted" ] || fail "$setting: linker $(cat "$work/out") and not $wanted"
done

# An orphan's time goes with it: the sum is smaller after the output than it was before.
expect 0 "an orphan that ends" -s 5 -- bash -c "
    . $work/burn
    bash -c '. $work/burn; (burn 60; : >$work/burnt; sleep 1) &'
    until [ -e $work/burnt ]; do sleep 0.1; done
    echo; sleep 2"

# A machine that stands still: nobody runs, so nobody is idle.
"$watched" -i 4 sleep 6 2>"$work/err" &
sleep 0.5
kill -STOP $!
sleep 4.5
kill -CONT $!
wait $! || fail "ended although the watcher itself stood still"
exit $failed
