# SPDX-License-Identifier: MIT
"""Reads C and OpenCL C as text: what a file includes, defines and names. No preprocessor runs, so
a call that only a macro of another file writes is not seen; the macro's own file has the arrow."""
import os
import re

WORD = re.compile(r"[A-Za-z_]\w*")
KEYWORDS = set("if for while switch return sizeof else do case _Alignof".split())
SKIP = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)


def blank(match):
    """Spaces in place of a comment or literal; the lines stay where they are."""
    return re.sub(r"[^\n]", " ", match.group())


class Source:
    """One file: `includes` [(line, name)], `defines` {name: (first line, last line)} of what other
    files can name, `statics` the same of what they cannot, `words` {name: line of its first use},
    `declares` what a header names outside of braces."""

    def __init__(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        self.path = path
        self.includes = [(text.count("\n", 0, m.start()) + 1, m.group(1))
                         for m in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, re.M)]
        # A function that a program asks for by its name, where DL is loaded, is no arrow.
        code = re.sub(r"DL_FIND_FUNCTION\([^)]*\)", blank, SKIP.sub(blank, text))
        self.words = self._words(code)
        self.declares = set()
        if path.endswith(".h"):
            # What a header declares may stand in any room above; only its inline bodies reach.
            inside = self._bodies(code)
            declared = self._words("".join(c if b == " " else " " if c != "\n" else c
                                           for b, c in zip(inside, code)))
            self.declares = set(declared)
            self.words = {w: line for w, line in self._words(inside).items() if w not in declared}
        # Definitions are found without directives; a branch that is not taken is read, too.
        self.defines, self.statics = self._definitions(
            re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M))

    @staticmethod
    def _bodies(code):
        """What stands in braces, the rest blank."""
        depth, out = 0, []
        code = re.sub(r'\bextern\s*\{', blank, code)
        for char in code:
            depth += (char == "{") - (char == "}")
            out.append(char if depth > 0 or char == "\n" else " ")
        return "".join(out)

    @staticmethod
    def _words(code):
        words = {}
        for line, content in enumerate(code.split("\n"), 1):
            for match in WORD.finditer(content):
                before = content[:match.start()].rstrip()
                if not before.endswith((".", "->", "struct", "enum", "union")):
                    words.setdefault(match.group(), line)
        return words

    def _definitions(self, code):
        defines, statics = {}, {}
        depth, start, line, head_line = 0, 0, 1, 1
        name, target = None, None
        for at, char in enumerate(code):
            if char == "\n":
                line += 1
            elif char == "{":
                if depth == 0:
                    head = code[start:at]
                    name, target = self._defined(head, defines, statics)
                    blank_lines = len(head) - len(head.lstrip())
                    head_line = line - head[blank_lines:].count("\n")
                depth += 1
            elif char == "}":
                depth -= 1
                if depth == 0:
                    if name:
                        target[name] = (head_line, line)
                    another = re.match(r"\s*,", code[at + 1:at + 40])  # declarator of the same variables
                    if not another and (target is not None or not Source._is_open(code, at)):
                        start = at + 1
                    name, target = None, None
            elif char == ";" and depth == 0:
                start = at + 1
        return defines, statics

    @staticmethod
    def _is_open(code, at):
        """After a `}` that ends no function: a declarator or a `;` follows."""
        return re.match(r"\s*(\w|\*|;|,|\))", code[at + 1:at + 40]) is not None

    def _defined(self, head, defines, statics):
        """The function or variable whose body or list follows, and where it is listed."""
        target = statics if re.search(r"\bstatic\b", head) else defines
        variable = re.search(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*=\s*$", head)
        if variable:
            return variable.group(1), target
        if re.search(r"\b(struct|enum|union)\s*\w*\s*$", head) or not head.rstrip().endswith(")"):
            return None, None
        depth = 0
        for at in range(len(head.rstrip()) - 1, -1, -1):
            depth += (head[at] == ")") - (head[at] == "(")
            if depth == 0:
                name = re.search(r"([A-Za-z_]\w*)\s*$", head[:at])
                if name and name.group(1) == "__attribute__":
                    continue
                return (name.group(1), target) if name and name.group(1) not in KEYWORDS else (None, None)
        return None, None


def sources(root, tops, suffixes=(".c", ".h", ".cl")):
    """Every source file below the folders `tops` of `root`, by its path from there."""
    found = {}
    for top in tops:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
            for file in sorted(files):
                if file.endswith(suffixes):
                    path = os.path.join(folder, file)
                    found[os.path.relpath(path, root)] = Source(path)
    return found
