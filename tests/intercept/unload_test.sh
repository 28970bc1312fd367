#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that close what brought OpenCL in and open it again, the loader itself too, are caught
# each time and see what they see without DL; children forked while DL is at work come to no harm,
# and the statistics are the parent's alone.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8 DL_LOG=quiet
plugin=$tests/libunload_work.so

for loader in $loaders; do
    for way in loader "plugin $plugin" "fork $plugin"; do
        # A sanitizer's runtime is not at its best after a fork of many threads.
        [ -z "$runtime" ] || [ "${way%% *}" != fork ] || continue
        printf 'right 4\n' >"$work/wanted"
        tables=1
        [ "${way%% *}" != fork ] || {
            for _ in 1 2 3 4; do printf 'right 4\n'; done >>"$work/wanted"
            printf 'ended 12\n' >>"$work/wanted"
            tables=5
        }
        for how in native $(ways_of "$loader"); do
            # shellcheck disable=SC2086
            DL_STATS=1 guard=$watched under "$loader" "$how" \
                "$tests/host_unload" $way >"$work/out" 2>"$work/err"
            what="$loader $how ${way%% *}"
            sort "$work/out" | cmp -s - <(sort "$work/wanted") ||
                fail "$what: $(tr '\n' ' ' <"$work/out"; tail -n 2 "$work/err")"
            [ "$how" = native ] || [ "$(grep -c 'fake_step' "$work/err")" = "$tables" ] ||
                fail "$what: $(grep -c fake_step "$work/err") tables, not $tables"
            [ "$how" = native ] || grep -qE 'fake_step +rewritten +12 ' "$work/err" ||
                fail "$what: $(grep -m 1 fake_step "$work/err")"
        done
    done
done
finish
