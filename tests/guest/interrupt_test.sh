#!/bin/bash
# SPDX-License-Identifier: MIT
# A program that SIGINT or SIGTERM end has its statistics, trace and advice, and ends by that signal; one that
# handles them itself, or asked for nothing, is as without DL.
. "$(dirname "$0")/common.sh"
set -m # what runs in the background does not ignore SIGINT

# ended NAME SIGNAL COMMAND...: is started, sent the signal when it says that it is ready, and waited for.
ended() {
    local name=$1 signal=$2 pid code
    shift 2
    rm -f "$work/$name.out"
    : >"$work/$name.out"
    (trap - EXIT && cd "$work" && exec "$@") >>"$work/$name.out" 2>"$work/$name.err" </dev/null &
    pid=$!
    until grep -q ready "$work/$name.out"; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.02
    done
    kill "-$signal" $pid
    wait $pid 2>/dev/null
    echo $? >"$work/$name.code"
}

for signal in INT TERM; do
    ended native $signal "$guest/habits" ends
    ended dl $signal "$dl_run" --layout asta -- "$guest/habits" ends
    same "$signal" native dl
    ended dl $signal "$dl_run" --layout asta --stats -- "$guest/habits" ends
    cmp -s "$work/native.code" "$work/dl.code" || fail "$signal, --stats: ends with $(cat "$work/dl.code")"
    [ "$(grep -c '^dl: statistics of habits, process [0-9]* (' "$work/dl.err")" = 1 ] &&
        [ "$(grep -c 'advance  *rewritten' "$work/dl.err")" = 1 ] &&
        [ "$(grep -c "^  in short: SIG$signal.* ended the run early; until then 1 of 1 kernel ran in tiles" "$work/dl.err")" = 1 ] || fail "$signal: $(cat "$work/dl.err")"
    rm -f "$work"/*.json
    ended dl $signal "$dl_run" --layout asta --stats=stats.json --trace trace.json -- "$guest/habits" ends
    for file in stats trace; do
        python3 -m json.tool "$work/$file.json" >/dev/null || fail "$signal: no $file"
    done
    grep -q '"summary":"SIG.* ended the run early; until then 1 of 1 kernel ran in tiles' "$work/stats.json" &&
        grep -q "\"ended_by\":\"SIG$signal" "$work/stats.json" || fail "$signal: no summary"
    ended dl $signal "$dl_run" --advise -- "$guest/habits" ends
    grep -q 'advance: AoS' "$work/dl.err" || fail "$signal: no advice: $(cat "$work/dl.err")"
done

# A shell's job ignores SIGINT, which is no end and is told as none.
ignoring() { trap '' INT; exec "$dl_run" --layout asta --stats -- "$guest/habits" ends; }
: >"$work/late.out"
(trap - EXIT && cd "$work" && ignoring) >>"$work/late.out" 2>"$work/late.err" </dev/null &
pid=$!
until grep -q ready "$work/late.out" || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -INT $pid
sleep 0.3
kill -TERM $pid
wait $pid 2>/dev/null
[ $? = 143 ] && ! grep -q 'SIGINT' "$work/late.err" || fail "an ignored SIGINT: $(cat "$work/late.err")"
for habit in ends_itself ends_later; do
    ended native TERM "$guest/habits" $habit
    ended dl TERM "$dl_run" --stats=stats.json -- "$guest/habits" $habit
    same "$habit" native dl
done
run native "$guest/habits" ends_child
run dl "$dl_run" --stats=stats.json -- "$guest/habits" ends_child
same "a forked child" native dl
finish
