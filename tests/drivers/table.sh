#!/bin/bash
# SPDX-License-Identifier: MIT
# DL on every driver that can be had here, by every loader, preloaded and as a layer: two programs and one
# of the memory tests, whose results must be those of a run without DL and whose kernels must have run
# transformed. The last lines are a table of what ran where. What a driver does not do without DL is left
# out, and the table says so.
#
# usage: scripts/with-opencl.sh BUILD tests/drivers/table.sh BUILD [DRIVER]...      1: something failed
set -u
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
shift
[ $# -gt 0 ] || set -- pocl intel oclgrind rusticl
on_driver=$source/scripts/on-driver.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
unset LD_PRELOAD OPENCL_LAYERS

cc -o "$work/particles" "$source/docs/examples/particles.c" -lOpenCL 2>"$work/cc" || { cat "$work/cc"; exit 1; }
sed '/^__kernel/i //DL: AoS: particles[count]' "$source/docs/examples/particles.cl" >"$work/particles.cl"
agents="$build/samples/agents --agents 2000 --steps 2"
particles="$work/particles $work/particles.cl 3001 3"
memory="$build/tests/test_memory_transfers"

# on NAME COMMAND...: runs it on the driver and loader of the moment; what it prints is in NAME.out.
on() {
    local name=$1
    shift
    "$build/tests/watched" -i 60 -c 120 "$on_driver" "${loader_option[@]}" "$driver" "$@" \
        >"$work/$name.out" 2>"$work/$name.err"
}
results() { grep -E '^(checksum:|[0-9]+ particles)' "$work/$1.out"; } # what must be equal
cases() { sed -n 's/^[^:]*:[0-9]*:P:[^:]*:\([^:]*:[0-9]*\):.*/\1/p' "$work/$1.out" | sort; }
reason() { tail -n 1 "$work/$1.err" | cut -c1-100; }

# natively: which programs this driver runs by itself, into $programs; why not the others into $left_out.
natively() {
    local name
    programs='' left_out='' layout=asta
    for name in agents particles; do
        # shellcheck disable=SC2086 # a command with its arguments
        if on "$name" ${!name} && [ -n "$(results "$name")" ]; then
            programs+=" $name"
            results "$name" >"$work/$name.native"
        else
            left_out+="; not $name: without DL, too, it fails"
        fi
    done
    CK_VERBOSITY=verbose on memory $memory
    cases memory >"$work/memory.native"
    if [ -s "$work/memory.native" ]; then
        programs+=' memory'
    else
        left_out+='; not memory: without DL, too, no case passes'
    fi
}

# Where DL says that its conversions crash in dl-builder, and they kill the driver in a program that DL is not in,
# too, the rewritten kernels run on the program's own layout.
conversions_kill_the_driver() {
    grep -q 'could not build its conversion: it crashed' "$work/dl.err" && [ "$layout" = asta ] || return 1
    on marshal "$build/bin/dl-bench" marshal --bytes 64K --cases asta --words 16 --reps 1
    [ $? -ge 128 ] || return 1
    layout='asta --tile 1'
    left_out+='; no conversions: without DL, too, the driver dies in dl-bench marshal'
}

# transformed NAME: a kernel ran in the layout, by the statistics.
transformed() {
    local where=':ASTA/'
    [ "$layout" = asta ] || where=':AoS'
    grep -qE "^  [a-z_]+ +rewritten +[1-9].*$where" "$work/$1.err" && ! grep -qE '^  [a-z_]+ +as written ' "$work/$1.err"
}

# under_dl WAY: the cell's text into $cell.
under_dl() {
    local way=$1 name code options=() passed='' wrong=''
    [ "$way" = layer ] && options=(--layer)
    for name in $programs; do
        if [ "$name" = memory ]; then
            [ "$layout" = asta ] || continue
            CK_VERBOSITY=verbose on dl "$build/bin/dl-run" "${options[@]}" --layout asta --tile 8 --log error -- $memory
            cases dl | comm -23 "$work/memory.native" - >"$work/lost"
            if [ -s "$work/lost" ]; then wrong+=" memory: $(head -n 1 "$work/lost") of $(wc -l <"$work/lost");"; else passed+=" $name"; fi
            continue
        fi
        # shellcheck disable=SC2086
        run() { on dl "$build/bin/dl-run" "${options[@]}" --layout $layout --stats -- ${!name}; }
        run
        code=$?
        if [ $code -eq 0 ] && conversions_kill_the_driver; then
            run
            code=$?
        fi
        if [ $code -ne 0 ]; then
            wrong+=" $name ends with an error: $(reason dl);"
        elif [ "$(results dl)" != "$(cat "$work/$name.native")" ]; then
            wrong+=" $name: other results;"
        elif ! transformed dl; then
            wrong+=" $name ran as written;"
        else
            passed+=" $name"
        fi
    done
    if [ -n "$wrong" ]; then
        cell="FAILED:$wrong"
        failed=1
    elif [ -z "$passed" ]; then
        cell="skipped${left_out}"
    else
        cell="passed:$passed${left_out}"
    fi
}

: >"$work/table"
row() { printf '%-9s %-8s %-8s %s\n' "$@" | tee -a "$work/table"; }
for driver in "$@"; do
    for loader in ocl-icd khronos; do
        loader_option=()
        [ $loader = khronos ] && loader_option=(--loader khronos)
        if ! on there true; then
            row "$driver" $loader - "skipped: $(reason there)"
            continue
        fi
        natively
        for way in preload layer; do
            under_dl $way
            row "$driver" $loader $way "$cell"
        done
    done
done
echo "== DL by driver, loader and way"
cat "$work/table"
grep -q ' passed' "$work/table" || failed=1
exit $failed
