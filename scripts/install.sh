#!/bin/bash
# SPDX-License-Identifier: MIT
# Copies what is built to a prefix, and keeps the list of it in PREFIX/share/dl/installed.txt for uninstall.sh: files,
# and with a / at the end the folders that were not there before.
#
# usage: scripts/install.sh BUILD_FOLDER PREFIX    DESTDIR in the environment stands in front of all paths
set -eu
build=$1 prefix=$2
# Where the shell has left it, as dash and zsh do in PREFIX=~/dl.
case $prefix in "~/"*) prefix=$HOME/${prefix#"~/"} ;; esac
prefix=$(realpath -ms "$prefix")
top=${DESTDIR:-}
list=$top${prefix%/}/share/dl/installed.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What it will be is only known from a copy elsewhere: cmake's own list has no folders.
DESTDIR=$work/copy cmake --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
{
    [ ! -f "$list" ] || cat "$list"
    find "$work/copy" ! -type d -printf '/%P\n'
    find "$work/copy" -mindepth 1 -type d -printf '/%P\n' | while IFS= read -r folder; do
        [ -d "$top$folder" ] || printf '%s/\n' "$folder"
    done
} | LC_ALL=C sort -u >"$work/list" # a folder before what is in it
python=$(find "$work/copy" -path '*/dl_transpose/__init__.py' -printf '/%P\n')
cmake --install "$build" --prefix "$prefix"
install -m 644 "$work/list" "$list"
rm -f "$build/install_manifest.txt" # which may be root's, and would stop the next user
if [ -z "$top" ]; then
    [ -z "$python" ] || printf 'For Python, import dl_transpose: put %q in PYTHONPATH, if python3 does not look there.\n' "${python%/*/*}"
    printf 'DL is in %s. To check what it needs on this machine: %q --doctor\n' "$prefix" "${prefix%/}/bin/dl-run"
fi
