#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""privacy.py ROOT: fails on a function or table of the product that other files can name and none does: it
is to be static. What looks like a name (dl_...) that a macro pastes together counts as named, and so does
what the version script exports, or what its own file keeps for an assembler's text."""
import os
import re
import sys

import arrows
import c_text

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)]*)\))?(?:[^\n]*\\\n)*[^\n]*", re.M)
PASTED = re.compile(r"\bdl_\w*(?:\s*##\s*\w+)+")
KEPT = re.compile(r"__attribute__\(\(used\b[^;{]*")
NOT_PRODUCT = ("tests", "include", "samples", "examples", "bench")


def pasted(macro):
    """What each name that a macro pastes together looks like: a parameter may be anything."""
    parameters = c_text.WORD.findall(macro.group(1) or "")
    for chain in PASTED.findall(macro.group()):
        yield "".join(r"\w+" if part in parameters else part for part in re.split(r"\s*##\s*", chain))


def main():
    root = sys.argv[1]
    rooms = arrows.rooms_read(os.path.join(root, "tests", "house", "rooms.txt"))
    tops = {room.split("/")[0] for room in rooms} | {"tests"}
    files = c_text.sources(root, sorted(tops), (".c", ".h", ".clh"))
    with open(os.path.join(root, "libdl_intercept", "exports.map"), encoding="utf-8") as file:
        alike = {name.replace("*", r"\w*") for name in re.findall(r"^\s+([\w\[\]-]+\*?);", file.read(), re.M)}
    named, kept = {}, {}
    for path, source in files.items():
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = c_text.SKIP.sub(c_text.blank, file.read())
        words = set(source.words)
        for macro in DEFINE.finditer(text):
            words.update(c_text.WORD.findall(macro.group()))
            alike.update(pasted(macro))
        for word in words:
            named.setdefault(word, set()).add(path)
        kept[path] = c_text.WORD.findall(" ".join(KEPT.findall(text)))
    alike = re.compile("|".join(sorted(alike)))
    alone = [(path, line, name) for path, source in files.items()
             if path.endswith(".c") and not path.startswith(NOT_PRODUCT)
             for name, (line, _) in source.defines.items()
             if name != "main" and not named.get(name, {path}) - {path}
             and name not in kept[path] and not alike.fullmatch(name)]
    for path, line, name in alone:
        print(f"{path}:{line}: no other file names {name}: it is to be static")
    sys.exit(1 if alone else 0)


if __name__ == "__main__":
    main()
