#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report.py ROOT: what the house is measured by: lines of each room, functions that other files can name
and how many of them one other file alone uses, circles of files, lines over 90 columns, comments that
open without a subject, committed results, and lines of the changelog. It prints and never fails."""
import collections
import os
import re
import sys

import arrows
import c_text

PRODUCT = (".c", ".h", ".cl", ".def")
NOT_PRODUCT = ("tests", "docs", "bench", "samples", "examples", "build")
FOREIGN = os.path.join("annotate", "opencl")


def product(root):
    for folder, folders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        folders[:] = [n for n in folders if not n.startswith(".") and n != "__pycache__"
                      and not (inside == "." and n.startswith(NOT_PRODUCT))
                      and os.path.normpath(os.path.join(inside, n)) != FOREIGN]
        for name in names:
            if name.endswith(PRODUCT):
                yield os.path.normpath(os.path.join(inside, name))


def circles(edges):
    """Strongly connected components of more than one file (Tarjan, without recursion)."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for start in sorted(edges):
        if start in index:
            continue
        work = [(start, iter(sorted(edges[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on.add(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on.add(target)
                    work.append((target, iter(sorted(edges.get(target, ())))))
                    break
                if target in on:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while True:
                        member = stack.pop()
                        on.discard(member)
                        component.add(member)
                        if member == node:
                            break
                    if len(component) > 1:
                        found.append(sorted(component))
    return sorted(found, key=len, reverse=True)


def main():
    root = sys.argv[1]
    rooms = arrows.rooms_read(os.path.join(root, "tests", "house", "rooms.txt"))
    lines, wide, without_subject, headers = collections.Counter(), 0, collections.Counter(), collections.Counter()
    for path in product(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        parts = path.split(os.sep)
        lines[os.sep.join(parts[:2]) if parts[0] in ("libdl_intercept", "annotate") and len(parts) > 2
              else parts[0]] += text.count("\n")
        wide += sum(len(line) > 90 for line in text.splitlines())
        for opening in re.findall(r"/\*\s+(What|So many)\b", text):
            without_subject[opening] += 1
        if path.endswith(".h"):
            headers[path] = len(re.findall(r"^(?!typedef|static|#|\s|\}|/)[\w \*]+\([^;{]*\)[^;{]*;", text, re.M))

    files = {path: source for path, source in c_text.sources(root, sorted({r.split("/")[0] for r in rooms})).items()
             if not path.split(os.sep)[0].startswith(NOT_PRODUCT) and path.endswith((".c", ".h"))}
    homes = collections.defaultdict(list)
    for path, source in files.items():
        for name in source.defines:
            if path.endswith(".c"):
                homes[name].append(path)
    users, edges = collections.defaultdict(set), collections.defaultdict(set)
    for path, source in files.items():
        edges[path] = set()
        for word in source.words:
            if len(homes.get(word, ())) == 1 and homes[word][0] != path and word not in source.statics:
                users[word].add(path)
                if path.endswith(".c"):
                    edges[path].add(homes[word][0])
    external = [name for name in homes if name != "main" and not name.isupper()]  # DL_HOOK is a macro
    one = [name for name in external if len(users[name]) == 1]
    found = circles(edges)
    total = sum(lines.values())

    print(f"lines of product: {total}")
    for room, count in lines.most_common():
        print(f"  {room:32} {count:7}")
    print(f"functions and tables that other files can name: {len(external)}; "
          f"used by one other file alone: {len(one)}; by none: {sum(not users[n] for n in external)}")
    print(f"circles of files: {len(found)}, {sum(map(len, found))} files in them"
          + "".join(f"\n  {len(c):3}: {' '.join(c[:4])}{' ...' if len(c) > 4 else ''}" for c in found))
    print("headers with most functions: "
          + ", ".join(f"{path} {count}" for path, count in headers.most_common(5)))
    print(f"lines over 90 columns: {wide}; comments that open with 'What': {without_subject['What']}, "
          f"with 'So many': {without_subject['So many']}")
    results = os.path.join(root, "bench", "results")
    print(f"committed results: {len(os.listdir(results)) if os.path.isdir(results) else 0}")
    with open(os.path.join(root, "CHANGELOG.md"), encoding="utf-8") as file:
        print(f"lines of CHANGELOG.md: {file.read().count(chr(10))}")


if __name__ == "__main__":
    main()
