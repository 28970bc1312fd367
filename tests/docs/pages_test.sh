#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: links between documents lead somewhere, commands stand where a test runs them, and the
# pictures of layouts are those that the script draws.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
python3 "$DL_SOURCE/tests/docs/pages.py" "$DL_SOURCE" || status=1
python3 "$DL_SOURCE/docs/draw_layouts.py" "$work" || status=1
for picture in "$work"/*.svg; do
    diff "$picture" "$DL_SOURCE/docs/figures/${picture##*/}" >/dev/null || {
        echo "FAIL: docs/figures/${picture##*/} is not what docs/draw_layouts.py draws"
        status=1
    }
done
exit $status
