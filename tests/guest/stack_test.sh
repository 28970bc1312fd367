#!/bin/bash
# SPDX-License-Identifier: MIT
# No hook takes more than 16 KB of the stack of the thread that calls it, the driver's functions left out (stack.c),
# whatever the layout and even where DL tells all it does: every entry point (host_linked) and the cases of
# intercept_tiles over the fake driver, of these a sixth a layout and turn, all with DL_TEST_FULL; and programs on
# the machine's own.
. "$(dirname "$0")/../intercept/common.sh"
dl=$tests/libdl_stack.so
[ -z "$runtime" ] || {
    echo "skipped: a sanitizer takes stack of its own"
    exit 77
}
export DL_TILE=8 DL_LOG=debug STACK_LOG=$work/log

# on NAME LOADER [SETTING...] COMMAND...: no hook of the program takes more than it may.
on() {
    local name=$1 loader=$2 hook bytes
    shift 2
    guard=$watched under "$loader" preload "$@" >"$work/out" 2>&1 || fail "$name: $(tail -n 3 "$work/out")"
    while read -r hook bytes; do
        [ "$bytes" -le 16384 ] || fail "$name${DL_LAYOUT:+, $DL_LAYOUT}: $hook takes $bytes bytes of stack"
    done <"$work/log"
    cat "$work/log" >>"$work/all"
    rm "$work/log"
}

number=0
for layout in auto asta da; do
    export DL_LAYOUT=$layout
    on calls ocl-icd "$tests/host_linked"
    while read -r case _ _ _ _ setting _; do
        number=$((number + 1))
        [[ $((number % 6)) = "${DL_TURN:-0}" || -n ${DL_TEST_FULL:-} || $case = *image* ]] || continue # no other has those
        IFS=';' read -ra settings <<<"$setting"
        on "$case" ocl-icd "${settings[@]}" "$tests/host_tiles" "$case"
    done < <(sed -n '/^done <<.END.$/,/^END$/p' "$DL_SOURCE/tests/intercept/tiles_test.sh" | sed '1d;$d')
    DL_CACHE=$work/cache on limits device "$DL_BUILD/tests/guest/limits" work
    DL_CACHE=$work/cache on lbm2d device "$DL_BUILD/samples/lbm2d" --size 128x128
done
for hook in $(grep -oE 'X\([a-z_ *]+, cl[A-Za-z0-9]+' "$DL_SOURCE/libdl_intercept/hooks/hook_list.h" | sed 's/.*[ *]//'); do
    grep -q "^$hook " "$work/all" || fail "$hook was not called"
done
sort -k2 -nr "$work/all" | head -n 1
finish
