#!/bin/bash
# SPDX-License-Identifier: MIT
# What takes hours or needs other drivers, each part with a log in BUILD/nightly/; all parts, or those named.
#
#   full      every shape of the tests of which `make test` takes a sample, and the tests of tests
#   fuzz      random programs, and arbitrary text
#   mutants   each planted fault of tests/mutants.txt, and each hook that does nothing, fails a test
#   intel     what passes natively on Intel's runtime passes under DL
#   drivers   every driver and loader that can be had, preloaded and as a layer: a table of what ran where
#   remote    PoCL's remote driver, where there is a server of it
#
# usage: scripts/nightly.sh BUILD [PART]...     `make nightly` builds the tests first
set -u
build=$(cd "${1:?usage: scripts/nightly.sh BUILD [PART]...}" && pwd)
shift
cd "$(dirname "$0")/.."
all='full fuzz mutants intel drivers remote'
# shellcheck disable=SC2086 # words
[ $# -ne 0 ] || set -- $all
logs=$build/nightly
mkdir -p "$logs"

full() {
    DL_TEST_FULL=1 scripts/with-opencl.sh "$build" ctest --test-dir "$build" -C full --output-on-failure -j2
}
fuzz() { scripts/with-opencl.sh "$build" scripts/fuzz.sh "$build" "${SECONDS_EACH:-600}"; }
mutants() {
    local status=0
    scripts/with-opencl.sh "$build" bash tests/mutants.sh "$build" || status=1
    scripts/with-opencl.sh "$build" bash tests/intercept/mutants.sh "$build" || status=1
    return $status
}
intel() {
    local status=0 on_intel="scripts/on-driver.sh intel scripts/with-opencl.sh $build"
    $on_intel true || return
    $on_intel tests/memory/differential.sh "$build" || status=1
    DL_BUILD=$build $on_intel tests/memory/cancelled_test.sh || status=1
    $on_intel scripts/demo.sh "$build" || status=1
    return $status
}
drivers() { scripts/with-opencl.sh "$build" tests/drivers/table.sh "$build"; }
remote() { scripts/remote-test.sh "$build"; }

status=0
for part; do
    [[ " $all " = *" $part "* ]] || {
        sed -n 's/^# usage: /usage: /p' "$0" >&2
        exit 2
    }
    start=$SECONDS
    "$part" >"$logs/$part.log" 2>&1 </dev/null
    case $? in
    0) echo "nightly: $part: passed in $((SECONDS - start)) s" ;;
    77) echo "nightly: $part: skipped: $(tail -n 1 "$logs/$part.log")" ;;
    *)
        echo "nightly: $part: FAILED after $((SECONDS - start)) s ($logs/$part.log)"
        tail -n 40 "$logs/$part.log"
        status=1
        ;;
    esac
done
[[ " $* " != *" drivers "* ]] || sed -n '/^== DL by driver/,$p' "$logs/drivers.log"
exit $status
