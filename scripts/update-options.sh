#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes the lists of options that follow the table (options/options.def): docs/options.md's and dl-run(1)'s.
#
# usage: scripts/update-options.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
cmake --build "$build" --target option_rows >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/tests/option_rows" >"$work/rows"
"$build/tests/option_rows" man >"$work/man"

# A list goes from the line that begins it to the one that ends it.
awk -v list="$work/rows" '
    /^\| option, / { while ((getline line < list) > 0) print line; skip = 1 }
    /^$/ { skip = 0 }
    !skip' docs/options.md >"$work/options.md"
awk -v list="$work/man" '
    /^\.\\" End of the options/ { skip = 0 }
    !skip
    /^\.\\" From here on/ { while ((getline line < list) > 0) print line; skip = 1 }' docs/dl-run.1 >"$work/dl-run.1"
cat "$work/options.md" >docs/options.md
cat "$work/dl-run.1" >docs/dl-run.1
