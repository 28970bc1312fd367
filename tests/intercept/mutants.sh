#!/bin/bash
# SPDX-License-Identifier: MIT
# Shows that the tests need every hook and thunk: mutants.sh BUILD [HOOK...] makes, for each name, a
# library in which that hook only forwards (or that thunk is not handed out), runs the tests on it
# and says which fails first, and at what. Fails when a mutant passes them all. Not run by ctest: it takes some
# minutes for all names, which are the default.
set -u
build=$(realpath "$1")
shift
source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR=$build/tests/pocl-mutants DL_CACHE=off DL_SOURCE=$source
extensions=$source/libdl_intercept/entry/extensions.c
survivors=0

hooks=$(grep -oE 'X\([a-z_ *]+, cl[A-Za-z]+' "$source/libdl_intercept/hooks/hook_list.h" | sed 's/.*[ *]//')
thunks=$(grep -oE '^    \{"cl[A-Za-z0-9]+", (PIN|ORDER|FORGET|ADOPT)' "$extensions" | grep -oE 'cl[A-Za-z0-9]+')
[ $# -gt 0 ] || set -- $hooks $thunks

# A build directory with libraries of its own, the rest shared.
mkdir -p "$work"/{mutant/{bin,lib,tests},objects,counting}
ln -s "$build/CMakeCache.txt" "$work/mutant/"
ln -s "$build"/tests/* "$work/mutant/tests/"
cp "$build/bin/dl-run" "$work/mutant/bin/"
cp "$build/lib/dl-builder" "$work/mutant/lib/" # it loads the library beside it

# objects FOLDER...: those of files that are there; a build folder keeps those of files that are gone.
objects() {
    local folder object
    for folder; do
        for object in "$build/libdl_intercept/CMakeFiles/$folder.dir"/*/*.o; do
            object=${object#*/$folder.dir/}
            [ ! -e "$source/libdl_intercept/${object%.o}" ] || echo "$build/libdl_intercept/CMakeFiles/$folder.dir/$object"
        done
    done
}

compile() {
    cc -w -std=gnu11 -fPIC -O1 -DCL_TARGET_OPENCL_VERSION=300 -D_GNU_SOURCE \
        -I"$source" -I"$source/include" -c "$@"
}

link() { # LIBRARY OBJECTS...
    cc -shared -o "$@" "$build"/lib/libdl_{notes,marshal,engine,layout,options}.a -lpthread -ldl \
        -Wl,-z,nodelete -Wl,-z,defs "-Wl,--version-script=$source/libdl_intercept/exports.map"
}

# make NAME: libdl_intercept.so and libdl_counting.so without the hook or thunk NAME.
make() {
    local name=$1 object
    local entry=$build/libdl_intercept/CMakeFiles/dl_intercept_entry.dir
    rm -f "$work"/{objects,counting}/* "$work"/mutant/tests/libdl_counting.so
    cp $(objects dl_intercept_entry) "$work/objects/"
    if [[ " $(echo $thunks) " == *" $name "* ]]; then
        sed "/^    {\"$name\"/d" "$extensions" >"$work/extensions.c"
        compile -I"$source/libdl_intercept/entry" "$work/extensions.c" -o "$work/objects/extensions.c.o" || return 1
    else
        # Where a hook is defined it gets another name; those who refer to it find the mutant.
        for object in "$entry"/entry/extensions.c.o $(objects dl_intercept); do
            if nm "$object" | grep -q " T dl__hook_$name\$"; then
                objcopy "--redefine-sym" "dl__hook_$name=dl__unused_$name" "$object" \
                    "$work/objects/$(basename "$object")"
            fi
        done
        cat >"$work/forward.c" <<END
#include "libdl_intercept/hooks/hooks.h"
#define X(result, name, parameters, arguments) \\
    __attribute__((unused)) static result CL_API_CALL forward_##name parameters \\
    { return dl__next.name arguments; }
DL_HOOK_MAP(X)
#undef X
extern __typeof__(dl__hook_$name) dl__hook_$name __attribute__((alias("forward_$name")));
END
        compile "$work/forward.c" -o "$work/objects/forward.o" || return 1
    fi
    # The counting library has hooks of its own, but for those of extensions.c.
    for object in $(objects dl_intercept_entry); do
        cp "$work/objects/$(basename "$object")" "$work/counting/"
    done
    case $name in clGetExtensionFunctionAddress*) cp "$work/objects/forward.o" "$work/counting/" ;; esac
    link "$work/mutant/tests/libdl_counting.so" "$work"/counting/*.o \
        "$build"/tests/intercept/CMakeFiles/dl_counting.dir/hooks_counting.c.o || return 1
    for object in $(objects dl_intercept); do
        [ -e "$work/objects/$(basename "$object")" ] || cp "$object" "$work/objects/"
    done
    link "$work/mutant/lib/libdl_intercept.so" "$work"/objects/*.o
}

# failing NAME OUTPUT: the name and the first claims that the output says are broken.
failing() {
    printf '%s (%s)' "$1" "$(grep -oE '^FAIL: [a-z0-9_-]+|:[FE]:[a-z_]+' <<<"$2" |
        sed 's/^FAIL: //; s/.*://' | sort -u | head -n 4 | paste -sd,)"
}

# catch: the first test that fails on the mutant.
catch() {
    local out test
    for test in tiles extensions discrete_arrays stats_seen; do
        out=$(DL_BUILD=$work/mutant timeout 300 bash "$source/tests/intercept/${test}_test.sh" 2>&1) ||
            { failing "intercept_$test" "$out"; return; }
        [ $test != tiles ] || out=$(DL_COUNTING=$work/mutant/tests/libdl_counting.so \
            "$build/tests/intercept_thunks" 2>&1) || { failing intercept_thunks "$out"; return; }
    done
    for test in transfers maps mapped views launches objects order; do
        out=$(timeout 120 "$work/mutant/bin/dl-run" --layout asta --tile 8 --detect off --log quiet -- \
            "$build/tests/test_memory_$test" 2>&1) || { failing "memory_$test" "$out"; return; }
    done
    out=$(DL_BUILD=$work/mutant timeout 600 bash "$source/tests/memory/discrete_binary_test.sh" 2>&1) ||
        { failing memory_discrete_binary "$out"; return; }
    return 1
}

# Tests that fail without a mutant, too, would find each of them.
cp $(objects dl_intercept_entry dl_intercept) "$work/objects/"
link "$work/mutant/lib/libdl_intercept.so" "$work"/objects/*.o && ! caught=$(catch) || {
    echo "without a mutant the library is not made, or fails: ${caught:-}"
    exit 1
}

for name; do
    if ! make "$name"; then
        echo "$name: can't be made"
    elif caught=$(catch); then
        echo "$name: $caught"
        continue
    else
        echo "$name: SURVIVED"
    fi
    survivors=$((survivors + 1))
done
exit $((survivors > 0))
