#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arrows.py [--list] ROOT: fails on an include, a call or a use of another file's table that
rooms.txt does not allow. --list prints every arrow between rooms with its number of uses."""
import os
import re
import sys

import c_text


def rooms_read(path):
    """[(room, rooms it may reach)], lowest first."""
    rooms = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            room, _, targets = line.partition(":")
            reach = set()
            for target in targets.split():
                named = [r for r in rooms if r == target or
                         (target.endswith("/*") and (r + "/").startswith(target[:-1]))]
                if not named:
                    sys.exit(f"{path}:{number}: {room} reaches {target}, which no line above has")
                reach.update(named)
            if room in rooms:
                sys.exit(f"{path}:{number}: {room} has a line already")
            rooms[room] = reach
    return rooms


def room_of(path, rooms):
    """The line for the file itself, or for the nearest folder around it."""
    folder = path
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder or None


def included(path, name, files):
    """The file of the tree that an include means, or None for one from elsewhere."""
    for base in (os.path.dirname(path), "", "include", path.split(os.sep)[0]):
        candidate = os.path.normpath(os.path.join(base, name))
        if candidate in files:
            return candidate
    named = [f for f in files if f.endswith("/" + name)]
    return named[0] if len(named) == 1 else None


def is_kernel(path):
    """OpenCL C and C call none of each other's functions."""
    return path.endswith(".cl")


def embedded(files):
    """{symbol: file} of texts that CMake turns into arrays: name.cl is dl_name_cl."""
    symbols = {}
    for path in files:
        if path.endswith(".cl"):
            symbols["dl_" + os.path.basename(path)[:-3] + "_cl"] = path
    return symbols


def arrows(root, rooms):
    """Yields (from file, line, to file, what it names) for each use across files."""
    files = c_text.sources(root, sorted({room.split("/")[0] for room in rooms}))
    owners = {}
    for path, source in files.items():
        for name in source.defines:
            owners.setdefault((is_kernel(path), name), []).append(path)
    texts = embedded(files)
    faces = {room: files[room].declares for room in rooms if room in files}
    for path, source in files.items():
        for line, name in source.includes:
            target = included(path, name, files)
            if target and target != path:
                yield path, line, target, f'"{name}"'
        for word, line in source.words.items():
            if word in source.defines or word in source.statics:
                continue
            homes = owners.get((is_kernel(path), word), [])
            if word in texts:
                homes = [texts[word]]
            # A name that several programs define is each one's own.
            if len(homes) == 1 and homes[0] != path:
                yield path, line, face_of(homes[0], word, path, faces), word


def face_of(home, word, path, faces):
    """The header that shows `word` to other rooms, where rooms.txt has such a header for a folder
    around its definition; else the definition's file."""
    for header, declares in faces.items():
        folder = os.path.dirname(header) + os.sep
        if word in declares and home.startswith(folder) and not path.startswith(folder):
            return header
    return home


def main():
    listing = "--list" in sys.argv
    root = [a for a in sys.argv[1:] if not a.startswith("--")][0]
    rooms = rooms_read(os.path.join(root, "tests", "house", "rooms.txt"))
    counts, wrong = {}, 0
    for path, line, target, what in arrows(root, rooms):
        own, other = room_of(path, rooms), room_of(target, rooms)
        if own is None or other is None:
            print(f"{path if own is None else target}: no line of tests/house/rooms.txt has its folder")
            wrong += 1
            continue
        if own == other:
            continue
        counts[own, other] = counts.get((own, other), 0) + 1
        if other not in rooms[own]:
            print(f"{path}:{line}: {own} may not reach {other}: {what} of {target}")
            wrong += 1
    if listing:
        for (own, other), count in sorted(counts.items()):
            print(f"{own} -> {other}: {count}")
    if not counts:
        sys.exit("no arrow found: the tree was not read")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
