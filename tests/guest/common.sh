# SPDX-License-Identifier: MIT
# What the scripts here share. Sourced; DL_BUILD names the build folder.
set -u
guest=$DL_BUILD/tests/guest
dl_run=$DL_BUILD/bin/dl-run
dl=$DL_BUILD/lib/libdl_intercept.so
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
failures=0
export DL_CACHE=$work/cache
unset LD_PRELOAD OPENCL_LAYERS DL_LAYOUT DL_DETECT DL_STATS DL_TRACE DL_LOG DL_REPORT
# A library built with a sanitizer needs its runtime first, in programs built without.
runtime=$(ldd "$dl" | awk '/lib(asan|tsan)\.so/ { print $3; exit }')
[ -z "$runtime" ] || export LD_PRELOAD=$runtime

fail() {
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}
skip() {
    echo "skipped: $*"
    exit 77
}
finish() {
    [ "$failures" = 0 ] || exit 1
    exit 0
}

# run NAME COMMAND...: what it prints goes to $work/NAME.out, .err and .code.
run() {
    local name=$1
    shift
    (cd "$work" && exec "$@") >"$work/$name.out" 2>"$work/$name.err" </dev/null
    echo $? >"$work/$name.code"
    # On a busy machine the builder may take seconds, which is said.
    sed -i '/^dl: warning: the program waits for dl-builder, /d' "$work/$name.err"
}
# same WHAT A B: two runs printed the same and ended alike, and B has no line more on standard error.
same() {
    cmp -s "$work/$2.out" "$work/$3.out" ||
        fail "$1: prints $(head -c 300 "$work/$3.out"), natively $(head -c 300 "$work/$2.out")"
    cmp -s "$work/$2.code" "$work/$3.code" ||
        fail "$1: ends with $(cat "$work/$3.code"), natively $(cat "$work/$2.code"): $(tail -n 5 "$work/$3.err")"
    cmp -s "$work/$2.err" "$work/$3.err" ||
        fail "$1: says $(head -c 600 "$work/$3.err"), natively $(head -c 600 "$work/$2.err")"
}
# as_natively WHAT COMMAND...: the same natively and under each of $modes.
modes="auto asta da"
as_natively() {
    local what=$1 mode options
    shift
    run native "$@"
    for mode in $modes; do
        options=()
        [ "$mode" = auto ] || options=(--layout "$mode")
        run dl "$dl_run" "${options[@]}" -- "$@"
        same "$what, $mode" native dl
    done
}
