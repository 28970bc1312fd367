#!/bin/bash
# SPDX-License-Identifier: MIT
# limits_test.sh CASE [full]: DL takes nothing of its process that the program needs. Under every layout no libclang
# is in it, the shim has no transformer, and the handlers of its signals are who they are natively; with little
# address space, stack, few descriptors or processes the program ends as natively: the same output and exit
# code, and no more on standard error than lines of DL's that say what runs as written. `full` tries all
# limits, else there is a sample.
. "$(dirname "$0")/common.sh"
what=$1 full=${2:-}
program=$guest/limits
layouts="auto asta da coalesced grid"
[ -z "$runtime" ] || [ "$what" = maps ] || skip "a sanitizer takes stack and address space of its own"
cold() {
    rm -rf "$work/cache" "$work/pocl"
}

# dl NAME LAYOUT COMMAND...: the command under DL, with nothing kept. `alone`: what is built is built in the program.
dl() {
    local name=$1 layout=$2
    shift 2
    cold
    case $layout in
    auto) run "$name" "$dl_run" -- "$@" ;;
    alone) run "$name" "$dl_run" --policy-test 9 -- "$@" ;;
    advise) run "$name" "$dl_run" --advise="$work/advice" -- "$@" ;;
    *) run "$name" "$dl_run" --layout "$layout" -- "$@" ;;
    esac
}

# limited LIMIT MODES COMMAND...: the command ends as natively where that runs at all within the limit, an option
# of ulimit; counted in $ran.
ran=0
limited() {
    local limit=$1 modes=$2 mode
    shift 2
    # Near its smallest the program itself runs by chance (PoCL's compiler, by when its threads have started).
    for _ in 1 2 3; do
        cold
        run native bash -c "ulimit $limit && exec \"\$@\"" limited "$@"
        [ "$(cat "$work/native.code")" = 0 ] || return 0
    done
    ran=$((ran + 1))
    for mode in $modes; do
        dl dl "$mode" bash -c "ulimit $limit && exec \"\$@\"" limited "$@"
        sed -i '/^dl: /d' "$work/dl.err"
        same "ulimit $limit, $mode" native dl
    done
}

# smallest STEP FROM LIMIT...: the smallest number, in steps, within which the program runs three times natively.
smallest() {
    local step=$1 number=$2 turns=0
    shift 2
    while [ $turns -lt 3 ]; do
        if (ulimit "$@" "$number" && exec "$program" work) >"$work/try" 2>&1 </dev/null; then
            turns=$((turns + 1))
        else
            turns=0
            number=$((number + step))
        fi
    done
    echo "$number"
}

case $what in
maps)
    # Functions of the transformer, those of annotate/tree among them, and some that the shim does have.
    functions_of() { nm "$@" 2>/dev/null | awk '$2 ~ /^[tT]$/ && $3 ~ /^dl_/ { print $3 }' | sort -u; }
    transformer=$(functions_of --defined-only "$DL_BUILD/lib/libdl_annotate.a")
    for function in dl__ast_parse dl__clang_load dl_annotate_rewrite; do
        grep -qx "$function" <<<"$transformer" || fail "$function is not seen where it is"
    done
    functions_of "$dl" | grep -qx dl__builder_ask || fail "the functions of the shim are not seen"
    both=$(comm -12 <(echo "$transformer") <(functions_of "$dl") | head -n 5 | xargs)
    [ -z "$both" ] || fail "the shim has functions of the transformer: $both"
    ldd "$dl" | grep libclang && fail "the shim is linked with libclang"
    # none_mapped WHAT: it has run so far, and without libclang. PoCL may bring one of its own: libclang-cpp,
    # another file.
    none_mapped() {
        [ "$(cat "$work/dl.code")" = 0 ] && grep -qx 'libclang-1 is mapped: 0' "$work/dl.out" ||
            fail "$1: $(cat "$work/dl.out" "$work/dl.err")"
    }
    for layout in $layouts advise; do
        dl dl "$layout" "$program" maps libclang-1
        none_mapped "$layout"
    done
    for layout in auto asta aos; do
        for kernel in annotated soa; do
            GUEST_KERNEL=$kernel dl dl $layout "$program" maps libclang-1
            none_mapped "$layout, $kernel"
        done
        run dl "$dl_run" --cache off --layout $layout -- "$program" maps libclang-1
        none_mapped "$layout, --cache off"
    done
    # It is seen where it is.
    libclang=$(ldconfig -p | awk '/libclang-1[0-9.]*so/ { print $NF; exit }')
    [ -z "$libclang" ] || {
        LD_PRELOAD=$libclang run native "$program" maps libclang-1
        grep -qx 'libclang-1 is mapped: 1' "$work/native.out" || fail "a libclang in the program is not seen"
    }
    ;;
handlers)
    run native "$program" handlers
    for layout in $layouts advise; do
        dl dl "$layout" "$program" handlers
        sed -i '/^dl: /d' "$work/dl.err"
        same "$layout" native dl
    done
    ;;
address)
    # Else threads take address space of their own by chance, and one native run in twenty fails.
    export MALLOC_ARENA_MAX=1
    least=$(($(smallest 20480 102400 -v) + 32768))
    if [ -n "$full" ]; then
        for ((limit = least; limit <= 1536 << 10; limit += 20480)); do
            limited "-v $limit" "auto asta da advise" "$program" work
        done
    else
        for limit in $least $((least + 122880)); do
            limited "-v $limit" "auto asta" "$program" work
        done
    fi
    [ $ran -gt 0 ] || fail "the program runs in no address space from $least KB on"
    ;;
stack)
    least=16384
    until run native "$program" stack $least && [ "$(cat "$work/native.code")" = 0 ]; do
        least=$((least + 4096))
    done
    sizes=$((least + 12288))
    [ -z "$full" ] || sizes="$sizes $((least + 16384)) $((least + 24576)) $((least + 32768)) 65536 98304 131072 262144 524288 1048576 8388608"
    for bytes in $sizes; do
        for mode in auto asta da advise alone; do
            run native "$program" stack "$bytes"
            for turn in cold warm; do
                if [ $turn = cold ]; then
                    dl dl "$mode" "$program" stack "$bytes"
                elif [ "$mode" = auto ]; then
                    run dl "$dl_run" -- "$program" stack "$bytes"
                elif [ "$mode" != advise ] && [ "$mode" != alone ]; then
                    run dl "$dl_run" --layout "$mode" -- "$program" stack "$bytes"
                fi
                sed -i '/^dl: /d' "$work/dl.err"
                same "$bytes bytes of stack, $mode, $turn" native dl
            done
        done
    done
    ;;
descriptors)
    least=$(smallest 1 8 -n)
    most=$((least + 1))
    [ -z "$full" ] || most=$((least + 24))
    for ((limit = least; limit <= most; limit++)); do
        limited "-n $limit" "auto asta ${full:+da advise}" "$program" work
    done
    # A driver's linker may lack one by chance: nothing is compiled that the program does not have compiled.
    for limit in "$least" 28; do
        dl dl da bash -c "ulimit -n $limit && exec \"\$@\"" limited "$program" work
        grep -q 'few more files may be opened (ulimit -n)' "$work/dl.err" || fail "ulimit -n $limit: $(cat "$work/dl.err")"
    done
    dl dl da bash -c 'ulimit -n 128 && exec "$@"' limited "$program" work
    [ ! -s "$work/dl.err" ] || fail "ulimit -n 128: $(cat "$work/dl.err")"
    ;;
processes)
    # The limit is not for root: it is another user's, or that of a namespace.
    if [ "$(id -u)" = 0 ]; then
        as=(setpriv --reuid=54321 --regid=54321 --clear-groups)
        chmod 777 "$work"
        export POCL_CACHE_DIR=$work/pocl
    else
        as=(unshare -Ur)
    fi
    "${as[@]}" test -x "$program" 2>/dev/null || skip "no other user and no user namespaces here"
    for limit in $([ -n "$full" ] && seq 2 24 && echo 48 64 80 96 128 256 || echo 4 5 8 96); do
        limited "-u $limit" "auto asta advise ${full:+da}" "${as[@]}" "$program" work
    done
    [ $ran -gt 0 ] || skip "the limit of processes leaves nothing to start with"
    ;;
esac
finish
