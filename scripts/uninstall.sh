#!/bin/bash
# SPDX-License-Identifier: MIT
# Removes what install.sh has put below a prefix, and the folders that it made where nothing else is in them.
#
# usage: scripts/uninstall.sh PREFIX    DESTDIR in the environment stands in front of all paths
set -eu
prefix=$1
case $prefix in "~/"*) prefix=$HOME/${prefix#"~/"} ;; esac
prefix=$(realpath -ms "$prefix")
top=${DESTDIR:-}
list=$top${prefix%/}/share/dl/installed.txt
[ -f "$list" ] || {
    echo "Nothing is removed: $list is not there, so \`make install\` has not put DL below $top$prefix." \
        "PREFIX=FOLDER names another place." >&2
    exit 1
}
count=0
mapfile -t lines <"$list"
for file in "${lines[@]}"; do
    case $file in
    */) continue ;;
    *.py) name=${file##*/} && rm -f "$top${file%/*}/__pycache__/${name%.py}".*.pyc ;; # Python's own
    esac
    if [ -e "$top$file" ] || [ -L "$top$file" ]; then
        rm -f "$top$file"
        count=$((count + 1))
    fi
done
rm -f "$list"
# The list is sorted: backwards, a folder comes after what is in it.
for ((i = ${#lines[@]} - 1; i >= 0; i--)); do
    case ${lines[i]} in
    */)
        rmdir "$top${lines[i]}__pycache__" 2>/dev/null || true
        rmdir "$top${lines[i]}" 2>/dev/null || true
        ;;
    esac
done
echo "removed $count files from $top$prefix; the cache ~/.cache/dl stays"
