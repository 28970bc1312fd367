#!/bin/bash
# SPDX-License-Identifier: MIT
# DL's options are those of the environment when the program began, whatever it does to it later; and DL
# writes to standard error alone, never into a file of the program's that has got its descriptor.
. "$(dirname "$0")/common.sh"
daemon=$guest/host_daemon

for mode in clearenv environ unset gone; do
    run native "$daemon" $mode
    run dl "$dl_run" --layout asta --tile 8 --stats=stats.json --trace trace.json -- "$daemon" $mode
    same "$mode" native dl
    grep -q '"layout":"ASTA","tile":8' "$work/stats.json" || fail "$mode: the options are gone: $(head -c 600 "$work/stats.json")"
    python3 -m json.tool "$work/trace.json" >/dev/null || fail "$mode: no trace"
    rm -f "$work"/*.json
    # The builder, which is started later, has them too: the cache is where it was asked for.
    rm -rf "$work/elsewhere"
    run dl env DL_CACHE="$work/elsewhere" "$dl_run" --layout asta -- "$daemon" $mode
    same "$mode, a cache" native dl
    [ -n "$(ls "$work/elsewhere" 2>/dev/null)" ] || fail "$mode: nothing is in the cache that was asked for"
done

for mode in reused closed moved; do
    run native "$daemon" $mode
    for options in "--stats --explain-policy" "--advise --verify" "--layout asta --log debug --stats"; do
        rm -f "$work/data.bin"
        # shellcheck disable=SC2086 # options and their values
        run dl "$dl_run" $options -- "$daemon" $mode
        cmp -s "$work/native.out" "$work/dl.out" || fail "$mode, $options: prints $(cat "$work/dl.out")"
        cmp -s "$work/native.code" "$work/dl.code" || fail "$mode, $options: ends with $(cat "$work/dl.code")"
        [ $mode = closed ] || [ "$(cat "$work/data.bin")" = DATA ] ||
            fail "$mode, $options: wrote into the program's file: $(head -c 400 "$work/data.bin")"
        # What is standard error again at the end has the table.
        [ $mode != moved ] || [ "${options%--stats*}" = "$options" ] || grep -q 'advance' "$work/dl.err" ||
            fail "$mode, $options: no table on standard error: $(cat "$work/dl.err")"
    done
done
finish
