#!/bin/bash
# SPDX-License-Identifier: MIT
# mutants.sh BUILD [NAME...]: shows that the tests see one-line changes in staging, state, order, maps,
# caches and accessors. For each mutant of mutants.txt (all of them by default; some minutes) it makes a
# libdl_intercept.so with the line changed, in a folder of its own, runs the tests that the table
# names and, when they all pass, the others until one fails, and says which it was. A mutant that
# the table explains as equivalent must pass them all. Fails when another survives. Not run by ctest.
set -u
build=$(realpath "$1")
shift
source=$(realpath "$(dirname "$0")/..")
table=$source/tests/mutants.txt
clang=$(sed -n 's/^DL_CLANG_INCLUDE_DIR:PATH=//p' "$build/CMakeCache.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR=$build/tests/pocl-mutants DL_CACHE=off DL_SOURCE=$source DL_BUILD=$work/mutant
mkdir -p "$POCL_CACHE_DIR"
# The claims are about annotated kernels beside others that run as written.
export DL_DETECT=off
unset LD_PRELOAD OPENCL_LAYERS

# When the tests that the table names pass, these follow: a minute or two for all.
others="tiles faults random random+none cancelled memory_mapped memory_mapped+small memory_staged
    memory_staged+small memory_launches memory_maps memory_cancelled memory_held memory_views
    memory_order memory_transfers memory_host_layout memory_host_refusals memory_objects memory_programs
    memory_sub_buffers memory_devices sub_buffers discrete_binary faults_device builds cache store marshal queues"

# A build directory with a library of its own, the rest shared.
mkdir -p "$work"/{mutant/{bin,lib,tests},objects}
ln -s "$build/CMakeCache.txt" "$work/mutant/"
ln -s "$build"/tests/* "$work/mutant/tests/"
cp "$build"/bin/dl-{run,annotate} "$work/mutant/bin/"
cp "$build/lib/dl-builder" "$work/mutant/lib/" # it loads the library beside it
lib=$work/mutant/lib/libdl_intercept.so

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

compile() { # SOURCE OBJECT OPTION...
    cc -w -std=gnu11 -fPIC -O1 -DCL_TARGET_OPENCL_VERSION=300 -D_GNU_SOURCE -DDL_VERSION='"0"' \
        -iquote "$(dirname "$source/$file")" -I"$source" -I"$source/include" -I"$clang" "${@:3}" -c "$1" -o "$2"
}

link() {
    cc -shared -o "$lib" "$work"/objects/*.o "$build"/lib/libdl_{notes,marshal,engine,layout,options}.a \
        -lpthread -ldl -Wl,-z,nodelete -Wl,-z,defs -Wl,--build-id=sha1 \
        "-Wl,--version-script=$source/libdl_intercept/exports.map"
}

# change: the file with the line changed, which must be there once (in the function, if one is named).
change() {
    old=$old new=$new awk -v within="$function" '
        /^[a-z]/ && /\(/ && !/;$/ { inside = within == "" || index($0, within "(") }
        /^}/ { inside = within == "" }
        {
            line = $0
            sub(/^ */, "", line)
            if (inside && line == ENVIRON["old"]) { found++; print ENVIRON["new"]; next }
            print
        }
        BEGIN { inside = within == "" }
        END { exit found != 1 }' "$source/$file" >"$work/mutated.c"
}

# make: the library, and what tests of the room below are made of.
make() {
    local object

    object=$work/objects/$(basename "$file").o
    rm -f "$work"/objects/*
    change || { echo "$name: the line is not there once"; return 1; }
    cp $(objects dl_intercept_entry dl_intercept) "$work/objects/"
    compile "$work/mutated.c" "$object" || return 1
    [[ $file == annotate/* ]] || link
}

# relink PROGRAM MAIN: a test of the room below DL with the changed object in it, as $work/PROGRAM.
relink() {
    cc -o "$work/$1" "${@:2}" "$work/objects/$(basename "$file").o" "$build"/lib/lib{marshal_convert,dl_test_device,dl_marshal,dl_engine,dl_layout}.a \
        -lcheck -lsubunit -lm -lrt -lOpenCL -lpthread
}

# claims OUTPUT: the first claims that the output says are broken.
claims() {
    grep -oE '^FAIL: [a-z0-9_-]+|:[FE]:[a-z_]+|^FAILED[: ].*' <<<"$1" |
        sed 's/^FAIL: //; s/.*:[FE]://' | sort -u | head -n 3 | cut -c1-60 | paste -sd,
}

watched() { "$build/tests/watched" -i 60 -c 600 "$@"; }

# run TEST: NAME[/CASE][+small|+none|+da]; its output, and 1 when it fails.
run() {
    local test=${1%%+*} case="" options="--layout asta --tile 8 --log quiet"
    case $1 in *+small) options+=" --staging 200" ;; *+none) options+=" --staging 0" ;; esac
    case $1 in *+da) options="--layout da --tile 8 --log quiet" ;; esac
    case $test in */*) case=${test#*/} test=${test%%/*} ;; esac
    # shellcheck disable=SC2086 # options and their values
    case $test in
    tiles) DL_CASE=$case FAKE_DEADLOCK_SECONDS=3 bash "$source/tests/intercept/tiles_test.sh" ;;
    cache) watched bash "$source/tests/intercept/cache_test.sh" ;;
    memory_devices) watched env "POCL_DEVICES=basic pthread" "$work/mutant/bin/dl-run" $options -- "$build/tests/test_$test" ;;
    memory_*) watched env ${case:+"CK_RUN_CASE=$case"} "$work/mutant/bin/dl-run" $options -- "$build/tests/test_$test" ;;
    random) watched "$work/mutant/bin/dl-run" $options -- "$build/tests/random_program" 0 60 ;;
    cancelled) DL_SEQUENCES=40 bash "$source/tests/memory/cancelled_test.sh" ;;
    faults) bash "$source/tests/faults/faults_test.sh" fake ;;
    faults_device) bash "$source/tests/faults/faults_test.sh" device ;;
    sub_buffers) bash "$source/tests/memory/sub_buffers_test.sh" test_memory_sub_buffers ;;
    builds) watched bash "$source/tests/intercept/builds_test.sh" ;;
    discrete_binary) bash "$source/tests/memory/discrete_binary_test.sh" ;;
    store)
        [[ $file == */store.c ]] || return 0
        (cd "$work" && cc -w -std=gnu11 -D_GNU_SOURCE -I"$source" -iquote "$source/libdl_intercept/programs" -o store \
            "$source/tests/intercept/test_store.c" mutated.c "$source"/libdl_intercept/{programs/pack,base/processes}.c \
            -lcheck -lsubunit -lm -lrt -lpthread -lxxhash) && CK_TIMEOUT_MULTIPLIER=0 watched "$work/store"
        ;;
    marshal | queues)
        [[ $file == marshal_kernels/* || $file == engine/* ]] || return 0
        relink "test_$test" "$build"/tests/marshal/CMakeFiles/test_$test.dir/*.o &&
            CK_TIMEOUT_MULTIPLIER=0 watched "$work/test_$test"
        ;;
    cases)
        cc -o "$work/cases" "$work/objects/$(basename "$file").o" "$build"/tests/annotate/CMakeFiles/annotate_cases_run.dir/*.o \
            "$build"/lib/lib{annotate_case_run,annotate_case_file,dl_annotate,dl_notes,dl_test_device,dl_layout}.a \
            -lcheck -lsubunit -lm -lrt -lOpenCL -lpthread -ldl &&
            watched "$work/cases" ${case:+"$case"}
        ;;
    *) echo "FAILED: no test $test" ;;
    esac
}

# catch: the first test that fails on the mutant.
catch() {
    local test out others=$others
    [[ $file != annotate/* ]] || others=cases
    for test in $tests $others; do
        [[ $test == +* ]] && continue
        out=$(run "$test" 2>&1) || { printf '%s (%s)' "$test" "$(claims "$out")"; return; }
    done
    return 1
}

# Tests that fail without a mutant, too, would find each of them.
cp $(objects dl_intercept_entry dl_intercept) "$work/objects/"
link || { echo 'without a mutant the library is not made'; exit 1; }
for test in tiles cases $others; do
    case $test in
    cases) file=annotate/accessors/accessor.c ;;
    store) file=libdl_intercept/programs/store.c ;;
    marshal | queues) file=marshal_kernels/marshal.c ;;
    *) file= ;;
    esac
    if [ -n "$file" ]; then
        cp "$source/$file" "$work/mutated.c"
        compile "$work/mutated.c" "$work/objects/$(basename "$file").o"
    fi
    out=$(run "$test" 2>&1) || {
        echo "without a mutant $test fails: $(tail -n 5 <<<"$out")"
        bad=1
    }
done
[ -z "${bad:-}" ] || exit 1

killed=0 equal=0 survived=0 failed=0
# judge: what becomes of the mutant that has been read.
judge() {
    local by
    [ -n "$name" ] || return
    [[ -z $only || " $only " == *" $name "* ]] || return
    if ! make 2>&1; then
        echo "$name: CAN'T BE MADE"
        failed=$((failed + 1))
    elif by=$(catch); then
        echo "$name: $by"
        killed=$((killed + 1))
        [ -z "$why" ] || { echo "$name: is said to be equivalent"; failed=$((failed + 1)); }
    elif [ -n "$why" ]; then
        echo "$name: equivalent: $why"
        equal=$((equal + 1))
    else
        echo "$name: SURVIVED"
        survived=$((survived + 1))
    fi
}

only=$* name=''
while IFS= read -r line || { judge; false; }; do
    case $line in
    "mutant "*)
        judge
        read -r _ name file function <<<"$line"
        tests='' why='' old='' new=''
        ;;
    "- "*) old=${line#- } ;;
    "+ "*) new=${line#+ } ;;
    "by "*) tests=${line#by } ;;
    "equivalent "*) why=${line#equivalent } ;;
    esac
done <"$table"
echo "$killed killed, $equal equivalent, $survived survived, $failed not made or wrongly explained"
exit $((survived + failed > 0))
