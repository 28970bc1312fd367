#!/bin/bash
# SPDX-License-Identifier: MIT
# Structs that can't be taken apart: the bytes are those of native runs, what can be is rewritten, and each
# refusal has its line.
. "$(dirname "$0")/common.sh"
host=$guest/host_types

as_natively "structs" "$host"
for layout in asta da members; do
    run dl "$dl_run" --cache off --layout $layout --log remark --stats -- "$host"
    grep -q "kernel 'counts', buffer 'p' is left as it is: the struct has a volatile member" "$work/dl.err" &&
        grep -q "kernel 'follows', buffer 'p' is left as it is: the struct has an array without a length" "$work/dl.err" ||
        fail "$layout: $(cat "$work/dl.err")"
    [ $layout = members ] || grep -q 'plains  *rewritten' "$work/dl.err" || fail "$layout: $(cat "$work/dl.err")"
done
finish
