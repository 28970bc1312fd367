#!/bin/bash
# SPDX-License-Identifier: MIT
# Removes what `make install` has put, by the list that cmake keeps, and the folders that are DL's own.
#
# usage: scripts/uninstall.sh BUILD_FOLDER    DESTDIR in the environment stands in front of all paths
set -eu
list=$1/install_manifest.txt
[ -f "$list" ] || {
    echo "$list is not there: nothing was installed from $1/" >&2
    exit 1
}
# cmake ends the list without a newline.
{ cat "$list"; echo; } | while read -r file; do
    case $file in
    '') continue ;;
    *.py) name=${file##*/} && rm -f "${DESTDIR:-}${file%/*}/__pycache__/${name%.py}".*.pyc ;; # Python's own
    esac
    rm -f "${DESTDIR:-}$file"
done
sed -nE 's:^(.*/(dl|dl_transpose|doc/dl-[a-z]*|doc/libdl-[^/]*))/.*:\1:p' "$list" | sort -u |
    while read -r folder; do
        [ ! -d "${DESTDIR:-}$folder" ] || find "${DESTDIR:-}$folder" -depth -type d -empty -delete
    done
# A prefix of its own keeps no empty folders; those of /usr and /usr/local are the distribution's.
prefix=$(sed -n 's:/bin/dl-run$::p' "$list")
case ${prefix%/} in
'' | /usr | /usr/local) ;;
*)
    { cat "$list"; echo; } | while read -r file; do
        folder=${file%/*}
        while [ "${folder#"${prefix%/}"/}" != "$folder" ]; do
            rmdir "${DESTDIR:-}$folder" 2>/dev/null || [ ! -d "${DESTDIR:-}$folder" ] || break
            folder=${folder%/*}
        done
    done
    ;;
esac
rm -f "$list"
