#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pages.py [--links] ROOT: of every document in the tree, that its links lead somewhere, to the heading too where
one is named; that a command stands in a block ```sh, where a test runs it; that an option in a line
that begins with dl-run is one, in manual pages too; that a file of the tree that it names is there; that the examples of dl.h are lines of a
program; and that the site has all pages of docs/. With --links in front of ROOT only the first, of what is installed."""
import os
import re
import sys

LINK = re.compile(r"(?<!`)\]\(([^)\s]+)\)")
FENCED = re.compile(r"^(```+)(\w*)[^\n]*\n(.*?)^\1\s*$", re.S | re.M)
COMMAND = re.compile(r"^(?: {4}|\t)\s*(?:\$ |[A-Z_]+=\S+ .*|(?:\./|build/|sudo |make |cmake |ctest |bash |"
                     r"python3 |scripts/|bench/|dl-|mkdocs |mpirun |for .* in )\S*.*)$", re.M)
SKIPPED = ("build", "cases", "figures", "results")


def documents(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".",) + SKIPPED)]
        for name in names:
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def anchors(text):
    """The headings' names, as GitHub and mkdocs make them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*?)\s*$", FENCED.sub("", text), re.M):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower())
        found.add(name.strip().replace(" ", "-"))
    return found


def broken_links(root, path, text):
    for target in LINK.findall(FENCED.sub("", text)):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(os.path.join(root, to)):
            yield f"{path}: a link to {target}, which is not there"
        elif anchor and to.endswith(".md") and anchor not in anchors(read(root, to)):
            yield f"{path}: a link to {target}, which has no such heading"


def missing_sources(path, text, sources):
    """Files of the tree are named from its top, or from a room on."""
    for name in set(re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:c|h|cl|def|sh|py))`", text)):
        if not name.startswith(("CL/", "clang-c/")) and "/NAME." not in name and not any(
                source == name or source.endswith("/" + name) for source in sources):
            yield f"{path}: there is no file {name}"


def stray_commands(path, text):
    for line in COMMAND.findall(FENCED.sub("", text)):
        yield f"{path}: a command outside of a block ```sh: {line.strip()}"
    for _ in re.findall(r"<!--\s*not run:\s*-->", text):
        yield f"{path}: a block is not run and says no reason"
    for _, kind, body in FENCED.findall(text):
        if kind in ("", "bash", "shell", "console") and re.search(r"^(\$ |dl-|make |build/bin/)", body, re.M):
            yield f"{path}: commands in a block that is not ```sh: {body.splitlines()[0]}"


def manuals(root):
    for name in sorted(os.listdir(os.path.join(root, "docs"))):
        if re.search(r"\.[1-9]$", name):
            yield f"docs/{name}"


def wrong_in_manual(root, path):
    """A command that no test runs, since it is not between .EX and .EE, or an unknown option in a sentence."""
    text = read(root, path).replace("\\-", "-")
    for body in re.findall(r"^\.nf\n(.*?)^\.fi", text, re.S | re.M):
        for line in re.findall(r"^(?:\$ |dl-|cc |make |\./).*", body, re.M):
            yield f"{path}: a command that is not between .EX and .EE: {line}"
    for _ in re.findall(r'^\.\\" not run:\s*$', text, re.M):
        yield f"{path}: a block is not run and says no reason"
    yield from unknown_options(root, path, re.sub(r'^\.[A-Z]+ [(" ]*|"', "", text, flags=re.M))


def unknown_options(root, path, text):
    known = set(re.findall(r'\.flag = "([a-z-]+)"', read(root, "options/options.def")))
    for line in re.findall(r"(?:^|`)(?:build/bin/)?dl-run ([^`\n]*)", text, re.M):
        before = re.split(r" -- | [A-Z.]+\b| \./", line + " ")[0]
        for name in re.findall(r"(?:^| )--([a-z-]+)", before):
            if name not in known and name != "layuot":  # which a page misspells to show the answer
                yield f"{path}: dl-run has no option --{name}"


def missing_in_site(root):
    site = read(root, "mkdocs.yml")
    for path in documents(root):
        if path.startswith("docs/") and f": {path[len('docs/'):]}\n" not in site:
            yield f"mkdocs.yml: its navigation lacks {path}"
    for path in manuals(root):
        name = os.path.basename(path)
        if f": man/{name}.md\n" not in site:
            yield f"mkdocs.yml: its navigation lacks the manual page {name}"


def strange_examples(root):
    """The examples of dl.h are lines of a program that a page builds and runs, in its order."""
    for path, found in (("docs/c-programs.md", r"```c\n#include <dl.h>\n(.*?)```"),
                        ("docs/dl.h.3", r"\.SH EXAMPLES\n.*?\.EX\n(.*?)\.EE"),
                        ("include/dl.h", r"#include <dl.h>\n \*\n(.*?)\n \*\n")):
        example = re.search(found, read(root, path), re.S)[1]
        program = re.sub(r"\s+", " ", read(root, "docs/examples/cells.c"))
        at = 0
        for line in example.splitlines():
            words = line.removeprefix(" *").split("(without")[0].split("/*")[0].strip()
            at = program.find(words, at)
            if at < 0:
                yield f"{path}: docs/examples/cells.c has no line: {words}"
                break


def main():
    root, links_only = sys.argv[-1], sys.argv[1] == "--links"
    wrong, seen = [] if links_only else [*missing_in_site(root), *strange_examples(root)], 0
    sources = [os.path.relpath(os.path.join(folder, name), root) for folder, folders, names in os.walk(root)
               if not folder.startswith(os.path.join(root, "build")) for name in names]
    for path in documents(root):
        text = read(root, path)
        seen += 1
        wrong += broken_links(root, path, text)
        if not links_only:
            wrong += [*stray_commands(path, text), *unknown_options(root, path, text), *missing_sources(path, text, sources)]
    if not links_only:
        for path in manuals(root):
            wrong += wrong_in_manual(root, path)
    print("\n".join(wrong + [f"{seen} documents, {len(wrong)} findings"]))
    sys.exit(1 if wrong or seen < 10 else 0)


if __name__ == "__main__":
    main()
