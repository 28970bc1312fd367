#!/bin/bash
# SPDX-License-Identifier: MIT
# Once OpenCL is in use nobody sees that DL was in OPENCL_LAYERS: not getenv, not environ (the
# order kept), not children. The user's own layers stay and see the calls they saw without DL.
. "$(dirname "$0")/common.sh"
one=$tests/libsecond_layer.so
two=$tests/libthird_layer.so

# seen: what the program printed, LD_PRELOAD and the harness's own variables aside. ocl-icd cuts
# the list at its first ':' in its own process, without DL; with DL it cuts only DL's.
seen() {
    grep -vE '(own )?(LD_PRELOAD|DL_LOG|_|SHLVL|SECOND_LAYER_LOG|FAKE_LOG)=' "$1"
}

for loader in $loaders; do
    for layers in unset "" "$one" "$one:$two" "/nonexistent.so:$one" "$one::" "$dl" "$one:$dl" \
        "$dl:$one"; do
        set -- HOME=/nonexistent A=1
        [ "$layers" = unset ] || set -- HOME=/nonexistent "OPENCL_LAYERS=$layers" A=1
        rm -f "$work"/*
        SECOND_LAYER_LOG=$work/native.layers under "$loader" native "$@" \
            "$tests/host_environment" >"$work/native.out" 2>/dev/null
        SECOND_LAYER_LOG=$work/dl.layers FAKE_LOG=$work/dl.log DL_LOG=debug \
            under "$loader" preload "$@" "$tests/host_environment" \
            >"$work/dl.out" 2>"$work/dl.err" || fail "$loader '$layers': fails"
        what="$loader with OPENCL_LAYERS '$layers'"
        seen "$work/native.out" |
            sed "s|OPENCL_LAYERS is .*|OPENCL_LAYERS is $([ "$layers" = unset ] &&
                echo not set || echo "$layers")|
                 s|OPENCL_LAYERS=.*|OPENCL_LAYERS=$layers|" >"$work/a"
        # Where DL need not be added, the list is the loader's to cut.
        case $layers in *"$dl"*) seen "$work/native.out" >"$work/a" ;; esac
        seen "$work/dl.out" >"$work/b"
        cmp -s "$work/a" "$work/b" || {
            fail "$what: the environment differs"
            diff "$work/a" "$work/b" | head -n 6
        }
        touch "$work/native.layers" "$work/dl.layers"
        cmp -s "$work/native.layers" "$work/dl.layers" || {
            fail "$what: the user's layers saw other calls"
            diff "$work/native.layers" "$work/dl.layers"
        }
        [ "$(grep -c caught "$work/dl.err")" = 1 ] || fail "$what: not caught once"
        [ "$(grep -c '^clCreateBuffer' "$work/dl.log")" = 1 ] || fail "$what: driver calls"
    done
done

# A process that never uses OpenCL hands the changed list to its children. One that is preloaded
# too must still find the user's; one that is not must be left alone.
for layers in unset "$one" "$one:$two"; do
    set -- A=1
    [ "$layers" = unset ] || set -- "OPENCL_LAYERS=$layers"
    want="OPENCL_LAYERS is $([ "$layers" = unset ] && echo "not set" || echo "$layers")"
    got=$(under ocl-icd preload "$@" bash -c "$tests/host_environment" | grep '^OPENCL_LAYERS is')
    [ "$got" = "$want" ] || fail "child of a shell, '$layers': $got"
    DL_LOG=debug under ocl-icd preload "$@" \
        bash -c "LD_PRELOAD=$runtime exec $tests/host_environment" >"$work/out" 2>"$work/err"
    # ocl-icd cuts what it was given, so only the first entry of the user's is left here.
    got=$(grep '^OPENCL_LAYERS is' "$work/out")
    case $got in *dl_intercept*) fail "child without the preload sees $got" ;; esac
    grep -q caught "$work/err" && fail "child without the preload, '$layers': caught"
done

# Programs that have a setenv and getenv of their own, and ones that do nothing.
[ "$(under ocl-icd preload bash -c 'A=1; export A; echo $A')" = 1 ] || fail "bash"
[ "$(under ocl-icd preload sh -c 'echo hello')" = hello ] || fail "sh"
[ "$(under ocl-icd preload env -i LD_PRELOAD="${runtime:+$runtime:}$dl" /bin/echo x)" = x ] ||
    fail "an empty environment"
finish
