#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sizes.py ROOT: fails on a file of more than 500 lines or a function of more than 60. Tables may be
longer, and so may functions that only dispatch, which dispatch.txt names with their reason."""
import os
import sys

import c_text

FILE_LINES, FUNCTION_LINES = 500, 60
TOPS = ("include layout options engine annotate marshal_kernels transpose libdl_intercept "
        "tools samples examples bench tests").split()


def dispatchers(path):
    with open(path, encoding="utf-8") as file:
        return {line.split()[0] for line in file if line.strip() and not line.startswith("#")}


def main():
    root = sys.argv[1]
    allowed = dispatchers(os.path.join(root, "tests", "house", "dispatch.txt"))
    wrong, seen = 0, 0
    for path, source in c_text.sources(root, TOPS).items():
        if path.startswith(os.path.join("tests", "cases")):
            continue
        seen += 1
        if source.lines > FILE_LINES:
            print(f"{path}: {source.lines} lines; a file has {FILE_LINES} at most")
            wrong += 1
        for name, (first, last) in {**source.defines, **source.statics}.items():
            lines = last - first + 1
            if lines > FUNCTION_LINES and not source.is_table(name) and f"{path}:{name}" not in allowed:
                print(f"{path}:{first}: {name} has {lines} lines; a function has {FUNCTION_LINES} at most")
                wrong += 1
    if not seen:
        sys.exit("no file found: the tree was not read")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
