#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spdx.py ROOT [--add]: fails on a source file that does not say its license in its first two lines;
with --add, adds the line."""
import os
import re
import sys

# Of these folders. What is left is swept, and gets its name here, when nobody works on it.
FOLDERS = (".ci annotate bench cmake docs engine examples include layout libdl_intercept marshal_kernels options samples "
           "scripts tools transpose "
           "tests/docs tests/drivers tests/engine tests/headers tests/house tests/layout tests/marshal "
           "tests/options tests/transpose").split()
# Their texts become part of the texts of users.
LEFT_OUT = {"layout/formula.h", "layout/grid_formula.h", "annotate/accessors/prelude.cl", "annotate/accessors/grids.cl",
            "annotate/coalesce/group.cl"}
C = re.compile(r"\.(c|h|cl|def|map)$")
HASH = re.compile(r"\.(py|sh|cmake)$|(^|/)(CMakeLists\.txt|Makefile|run|completion/dl-run)$")
LINE = "SPDX-License-Identifier: MIT"


def sources(root):
    for top in FOLDERS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(name for name in folders if not name.startswith(("build", "__")))
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), root)
                if path not in LEFT_OUT and (C.search(path) or HASH.search(path)):
                    yield path


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
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        seen += 1
        if LINE in "\n".join(text.split("\n", 2)[:2]):
            continue
        without.append(path)
        if adds:
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(add(text, path))
    for path in without:
        print(f"{path}: {'now says' if adds else 'does not say'} {LINE}")
    if without and not adds:
        print("python3 tests/house/spdx.py . --add adds it")
    sys.exit(1 if seen < 10 or (without and not adds) else 0)


if __name__ == "__main__":
    main()
