# SPDX-License-Identifier: MIT
# What the sample tests share. A test sources this and ends with `finish`.
set -u
lbm=$DL_BUILD/samples/lbm
black_scholes=$DL_BUILD/samples/black_scholes
spmv=$DL_BUILD/samples/spmv
agents=$DL_BUILD/samples/agents
dl_run=$DL_BUILD/bin/dl-run
library=$DL_BUILD/lib/libdl_intercept.so
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$DL_BUILD/pocl-cache}
export DL_CACHE=${DL_CACHE:-$DL_BUILD/dl-cache}
mkdir -p "$POCL_CACHE_DIR"
# The machine's own DL settings must not decide a test.
unset DL_LAYOUT DL_TILE DL_ANNOTATIONS DL_DETECT DL_STATS DL_MEMORY_CAP DL_LOG DL_LIBCLANG OPENCL_LAYERS

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# run COMMAND...: keeps its output in $out and $err, its exit code in $code.
run() {
    "$@" >"$work/out" 2>"$work/err"
    code=$?
    out=$(cat "$work/out")
    err=$(cat "$work/err")
}

# value KEY: the value of a `key: value` line of the last run.
value() {
    sed -n "s/^$1: //p" "$work/out"
}

# checksum_of COMMAND...: runs it, fails the test unless it exits 0 with a checksum.
checksum_of() {
    run "$@"
    sum=$(value checksum)
    if [ "$code" -ne 0 ] || ! [[ $sum =~ ^[0-9a-f]{16}$ ]]; then
        fail "exit code $code, checksum '$sum': $*"
        echo "$out$err"
    fi
}

# expect_checksum WANT COMMAND...
expect_checksum() {
    local want=$1
    shift
    checksum_of "$@"
    [ "$sum" = "$want" ] || fail "checksum $sum, want $want: $*"
}

# expect_stats FILE EXPECTATION...: see check_stats.py.
expect_stats() {
    python3 "$DL_SOURCE/tests/samples/check_stats.py" "$@" || fail "statistics: $*"
}

# find_matrix NAME: prints the path of a matrix that is not part of the tree, if it is there.
find_matrix() {
    local folder
    for folder in ${DL_MATRICES:+"$DL_MATRICES"} "$DL_SOURCE/../shared/matrices"; do
        [ -r "$folder/$1" ] && echo "$folder/$1" && return
    done
    return 1
}

finish() {
    echo "$failures failures"
    [ "$failures" -eq 0 ]
}

# is_one_message: what DL said last is one message. Lines that quote the source, "dl:   7 | ...", belong to it.
is_one_message() {
    [ "$(grep -cvE '^dl: +[0-9]* +\| ' "$work/err")" -eq 1 ]
}
