#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutants.py ROOT: the line of each mutant of tests/mutants.txt stands in its file once, and where a function is named,
once in it; a mutant of a line that has changed tests nothing, and mutants.sh, which would say so, takes too long to be
a test."""
import os
import re
import sys


def mutants(path):
    """(name, file, function or "", line) of each."""
    name = None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("mutant "):
                name = line.split() + [""]
            elif line.startswith("- ") and name:
                yield name[1], name[2], name[3], line[2:].rstrip("\n")


def places(path, function, wanted):
    """How often the line stands there, as mutants.sh looks for it."""
    count, inside = 0, not function
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if re.match(r"[a-z].*\(", line) and not line.endswith(";"):
                inside = not function or f"{function}(" in line
            if line.startswith("}"):
                inside = not function
            count += inside and line.lstrip(" ") == wanted
    return count


def main():
    root, wrong = sys.argv[1], 0
    for name, path, function, line in mutants(os.path.join(root, "tests", "mutants.txt")):
        path = os.path.join(root, path)
        count = places(path, function, line) if os.path.exists(path) else 0
        if count != 1:
            print(f"tests/mutants.txt: {name}: the line stands there {count} times: {line}")
            wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
