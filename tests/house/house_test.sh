#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# house_test.sh arrows|privacy|spdx|versions|mutants|planted: the tree keeps to rooms.txt, each file keeps to itself what no
# other names, says its license, and names one version, and the lines that mutants change are there;
# and the checks find what is planted in a copy of the tree.
set -u
here=$DL_SOURCE/tests/house
case $1 in
arrows | privacy | spdx | versions | mutants) exec python3 "$here/$1.py" "$DL_SOURCE" ;;
esac

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0

# Rooms enough for what is planted: all of the tree takes five times as long.
(cd "$DL_SOURCE" && find include layout engine marshal_kernels annotate/*.[ch] libdl_intercept/base libdl_intercept/exports.map tests/house \
    CHANGELOG.md CITATION.cff debian packaging docs/*.[135] python -type f -print) | tar -C "$DL_SOURCE" -cf - -T - | tar -C "$copy" -xf -
for check in arrows spdx versions; do
    python3 "$copy/tests/house/$check.py" "$copy" || {
        echo "FAILED: $check finds something before anything is planted"
        failed=1
    }
done

planted='layout/leaf.c marshal_kernels/marshal.c annotate/main.c tests/house/rooms.txt CITATION.cff'
fresh() { # what was planted before is gone
    local file
    rm -f "$copy/libdl_intercept/planted.h"
    for file in $planted; do cp "$DL_SOURCE/$file" "$copy/$file"; done
}

# finds CHECK WHAT EXPECTED: the check fails in the copy, and says EXPECTED.
finds() {
    local output
    output=$(python3 "$copy/tests/house/$1.py" "$copy" 2>&1) && {
        echo "FAILED: $1 does not see $2"
        failed=1
    }
    grep -qE "$3" <<<"$output" || {
        echo "FAILED: of $2, $1 says: $output"
        failed=1
    }
}

fresh
echo '#include "libdl_intercept/planted.h"' >>"$copy/layout/leaf.c"
touch "$copy/libdl_intercept/planted.h"
finds arrows 'an include that runs up' 'layout/leaf.c:[0-9]+: layout may not reach libdl_intercept'

fresh
printf 'void dl__planted_above(void)\n{\n}\n' >>"$copy/marshal_kernels/marshal.c"
printf 'void dl__planted_above(void);\nstatic void planted(void)\n{\n    dl__planted_above();\n}\n' >>"$copy/layout/leaf.c"
finds arrows 'a call that runs up' 'layout/leaf.c:[0-9]+: layout may not reach marshal_kernels: dl__planted_above'

fresh
printf 'const int dl__planted_table[] = {1};\n' >>"$copy/annotate/main.c"
printf 'extern const int dl__planted_table[];\nstatic int planted(void)\n{\n    return dl__planted_table[0];\n}\n' >>"$copy/marshal_kernels/marshal.c"
finds arrows 'a table of a room that is not to be seen' 'marshal_kernels may not reach annotate: dl__planted_table'

fresh
printf 'void dl__planted_alone(void);\nvoid dl__planted_alone(void)\n{\n}\n' >>"$copy/layout/leaf.c"
finds privacy 'a function that no other file names' 'layout/leaf.c:[0-9]+: no other file names dl__planted_alone'

fresh
echo 'layout: include' >>"$copy/tests/house/rooms.txt"
finds arrows 'a room with two lines' 'rooms.txt:[0-9]+: layout has a line already'

fresh
sed -i 's/^layout: include$/layout: include annotate/' "$copy/tests/house/rooms.txt"
finds arrows 'a room that may reach a higher one' 'rooms.txt:[0-9]+: layout reaches annotate, which no line above has'

fresh
sed -i '/SPDX/d' "$copy/layout/leaf.c"
finds spdx 'a file without its license' 'layout/leaf.c: does not say SPDX'

fresh
mkdir -p "$copy/room/nobody/knows" && echo 'int dl__planted;' >"$copy/room/nobody/knows/planted.c"
finds spdx 'a file of a new folder without its license' 'room/nobody/knows/planted.c: does not say SPDX'

fresh
sed -i 's/^version: .*/version: 0.0.1/' "$copy/CITATION.cff"
finds versions 'another version' 'CITATION.cff: does not name version'
exit $failed
