#!/bin/bash
# SPDX-License-Identifier: MIT
# Looks for what breaks the transformer, by chance: random annotated programs on PoCL, and, where
# clang has libFuzzer, arbitrary text through the reader of annotations and tables and through the
# rewriter's text layer. Each gets SECONDS. What it finds is left in BUILD/fuzz and named.
#
# usage: scripts/fuzz.sh BUILD SECONDS [random|scan|preprocess]...
set -u
build=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- random scan preprocess
source=$(cd "$(dirname "$0")/.." && pwd)
work=$build/fuzz
failed=0
mkdir -p "$work"

has_libfuzzer() {
    echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n; }' |
        clang -x c - -fsanitize=fuzzer,address,undefined -o "$work/probe" 2>/dev/null
}

run_random() {
    echo "random programs, $seconds s"
    POCL_CACHE_DIR=$work/pocl DL_SECONDS=$seconds "$build/tests/annotate_random" || failed=1
    rm -rf "$work/pocl"
}

run_harness() { # NAME
    local corpus=$work/corpus_$1 clang_headers
    if ! has_libfuzzer; then
        echo "$1: skipped, there is no clang with libFuzzer"
        return
    fi
    clang_headers=$(sed -n 's/^DL_CLANG_INCLUDE_DIR:PATH=//p' "$build/CMakeCache.txt")
    if ! clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
        -D_GNU_SOURCE -I"$source" -I"$source/include" -isystem "$clang_headers" \
        "$source/tests/annotate/fuzz_$1.c" $(find "$source/annotate" -name '*.c' ! -name main.c) "$build"/annotate/dl_*.c \
        "$source"/layout/*.c -o "$work/fuzz_$1" -ldl -lpthread; then
        failed=1
        return
    fi
    mkdir -p "$corpus"
    cp "$source"/tests/cases/*.cl "$source"/tests/annotate/macros.c "$corpus"
    echo "$1, $seconds s"
    (cd "$work" && "./fuzz_$1" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=4096 -max_len=20000 \
        -artifact_prefix="$1-" -print_final_stats=1 "$(basename "$corpus")") 2>&1 |
        grep -vE '^#[0-9]+.*(NEW|REDUCE|RELOAD|pulse|INITED)' | tail -40
    [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
}

build=$(cd "$build" && pwd)
work=$build/fuzz
for what in "$@"; do
    case $what in
    random) run_random ;;
    *) run_harness "$what" ;;
    esac
done
exit $failed
