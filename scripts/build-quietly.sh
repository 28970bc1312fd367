#!/bin/bash
# SPDX-License-Identifier: MIT
# Configures and builds with all output in a file; on a terminal one line says how far it is. What goes
# wrong is shown. Arguments behind the targets' name are CMake's.
#
# usage: scripts/build-quietly.sh BUILD_FOLDER JOBS TARGET [-DNAME=VALUE]...
set -uo pipefail
build=$1 jobs=$2 target=$3
shift 3
mkdir -p "$build"
log=$build/$target.log
export NINJA_STATUS='[%p] ' # as make has it

# Passes everything on to the log.
percent() {
    [ -t 2 ] || exec cat >"$log"
    tee "$log" | sed -un 's/^\[ *\([0-9]*\)%\] .*/\1/p' | while read -r share; do
        printf '\r\033[K%s %% ...' "$share" >&2
    done
    printf '\r\033[K' >&2
}

echo "Building DL and its samples in $build/ ..."
{ cmake -S . -B "$build" "$@" && cmake --build "$build" -j"$jobs" --target "$target"; } 2>&1 | percent && exit 0
tail -n 30 "$log"
echo "This did not build; $log has all of it."
exit 1
