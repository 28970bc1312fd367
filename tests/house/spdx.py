#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spdx.py ROOT [--add]: fails on a source file that does not say its license in its first two lines;
with --add, adds the line."""
import os
import re
import sys

# Their texts become part of the texts of users.
LEFT_OUT = {"layout/formula.h", "layout/grid_formula.h", "annotate/accessors/prelude.cl", "annotate/accessors/grids.cl",
            "annotate/coalesce/group.cl", "annotate/coalesce/shuffle.cl"}
# Inputs and what comes out of them, where a line more would be another input: of folders, README.md says it.
LEFT_OUT_FOLDERS = {"tests/cases"}
# Others' files, which say whose they are.
OTHERS_FOLDERS = {"annotate/opencl"}
C = re.compile(r"\.(c|h|cl|def|map)$")
HASH = re.compile(r"\.(py|sh|cmake|bash|fish|zsh)$|(^|/)(CMakeLists\.txt|Makefile)$|^\.ci/run$|^debian/rules$")
LINE = "SPDX-License-Identifier: MIT"


def sources(root):
    for folder, folders, names in os.walk(root):
        here = os.path.relpath(folder, root)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(("build", "__"))
            and (not name.startswith(".") or name == ".ci")
            and os.path.normpath(os.path.join(here, name)) not in LEFT_OUT_FOLDERS | OTHERS_FOLDERS
        )
        for name in sorted(names):
            path = os.path.normpath(os.path.join(here, name))
            if path not in LEFT_OUT and (C.search(path) or HASH.search(path)):
                yield path
    for folder in sorted(LEFT_OUT_FOLDERS):
        if os.path.isdir(os.path.join(root, folder)):
            yield os.path.join(folder, "README.md")


def add(text, path):
    line = f"# {LINE}\n" if HASH.search(path) else f"/* {LINE} */\n"
    if text.startswith("#!"):
        first, rest = text.split("\n", 1)
        return f"{first}\n{line}{rest}"
    return line + text


def main():
    root, adds = sys.argv[1], "--add" in sys.argv[2:]
    seen, without = 0, []
    for path in sources(root):
        text = ""
        if os.path.exists(os.path.join(root, path)):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
        seen += 1
        if LINE in (text if path.endswith(".md") else "\n".join(text.split("\n", 2)[:2])):
            continue
        without.append(path)
        if adds and not path.endswith(".md"):
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(add(text, path))
    for path in without:
        print(f"{path}: {'now says' if adds else 'does not say'} {LINE}")
    if without and not adds:
        print("python3 tests/house/spdx.py . --add adds it")
    sys.exit(1 if seen < 10 or (without and not adds) else 0)


if __name__ == "__main__":
    main()
