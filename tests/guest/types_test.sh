#!/bin/bash
# SPDX-License-Identifier: MIT
# Structs that can't be taken apart: the bytes are those of native runs, what can be is rewritten, and each
# refusal has its line, at the default level where a layout is asked for.
. "$(dirname "$0")/common.sh"
host=$guest/host_types

modes=auto as_natively "structs" "$host"
run native "$host"
for layout in asta da; do
    for turn in cold warm; do
        run dl "$dl_run" --layout $layout -- "$host"
        for left in "'counts', buffer 'p' is left as it is: the struct has a volatile member" \
            "'follows', buffer 'p' is left as it is: the struct has an array without a length"; do
            [ "$(grep -c "^dl: .* warning: kernel $left" "$work/dl.err")" = 1 ] || fail "$layout, $turn: not said: $left"
        done
        # Each with its line of the text and a caret.
        [ "$(grep -c '^dl: ' "$work/dl.err")" = 6 ] || fail "$layout, $turn: $(cat "$work/dl.err")"
        sed -i '/^dl: /d' "$work/dl.err"
        same "structs, $layout, $turn" native dl
    done
done
for layout in asta da; do
    run dl "$dl_run" --cache off --layout $layout --log remark --stats -- "$host"
    grep -q "kernel 'counts', buffer 'p' is left as it is: the struct has a volatile member" "$work/dl.err" &&
        grep -q "kernel 'follows', buffer 'p' is left as it is: the struct has an array without a length" "$work/dl.err" ||
        fail "$layout: $(cat "$work/dl.err")"
    grep -q 'plains  *rewritten' "$work/dl.err" || fail "$layout: $(cat "$work/dl.err")"
done
finish
