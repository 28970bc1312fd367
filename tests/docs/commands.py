#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""commands.py PAGE: runs the commands of a document, its blocks ```sh, in order, in a folder that looks
like the top of the tree. What a block prints, errors included, must be the block ```text that follows
it, if one does: line by line, `...` for any text in a line, and for any lines where it stands alone.
A page shows everything that its commands need. Comments in front of a block, which no reader sees, change this:

    <!-- needs: COMMAND -->       leaves the block out where COMMAND fails, and says so
    <!-- others: WHO -->          lets lines of a stranger's, as Python's warnings are, stand between and
                                  around the lines of the page, though none of DL's
    <!-- not run: REASON -->      what can't be run in a test

In a manual page, a line `$ COMMAND` between .EX and .EE is a command, and what it prints stands below it there. A block
without a command is code, and a comment names the file that it is for the commands below. They run in an installation's
folder of examples, as those of its README.md do. A synopsis in C is compiled behind its header:

    .\\" needs: COMMAND           and so on, as above
    .\\" file: NAME

usage: DL_BUILD=... DL_SOURCE=... commands.py PAGE      77: blocks were left out, none failed"""
import glob
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^(```+)(\w*)\s*$")
COMMENT = re.compile(r"<!--\s*(needs|others|not run):\s*(.*?)\s*-->", re.S)
MANUAL_COMMENT = re.compile(r"\.\\\"\s*(needs|others|not run|file):\s*(.*)")
TROFF = {r"\-": "-", r"\e": "\\", r"\&": "", r"\(aq": "'", r"\(dq": '"', r"\(ga": "`", r"\(ha": "^", r"\(ti": "~"}


class Block:
    def __init__(self, line):
        self.line, self.commands, self.expected = line, [], None
        self.needs, self.others, self.not_run = [], [], None

    def note(self, notes):
        for what, value in notes:
            if what == "not run":
                self.not_run = value
            elif what in ("needs", "others"):
                getattr(self, what).append(value)


def blocks_of(text):
    """The page's blocks of commands, each with its comments and with what it is to print."""
    found, notes, fence, kind, block, fresh = [], [], None, None, None, False
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if fence:
            if match and match[1] == fence and not match[2]:
                fence = None
            elif kind == "sh":
                block.commands.append(line)
            elif kind == "expected":
                block.expected.append(line)
        elif match:
            fence, kind = match[1], match[2]
            if kind == "sh":
                block, fresh = Block(number), True
                block.note(notes)
                found.append(block)
            elif kind == "text" and fresh:
                kind, block.expected = "expected", []
                fresh = False
            else:
                fresh = False
            notes = []
        elif line.startswith("<!--"):
            notes += COMMENT.findall(line)
        elif line.strip():
            notes, fresh = [], False
    return found


def blocks_of_example(first, lines, notes):
    """The blocks of commands between .EX, which is line `first` of the page, and .EE."""
    found = []
    for number, line in enumerate(lines, first + 1):
        if line.startswith("$ "):
            if not found or found[-1].expected is not None:
                found.append(Block(number))
            found[-1].commands.append(line[2:])
        elif found:
            found[-1].expected = [*(found[-1].expected or []), line]
    if not found:
        names = [value for what, value in notes if what == "file"]
        found.append(Block(first))
        found[0].commands = [f"cat >{names[0]} <<'END'", *lines, "END"] if names else \
            ["echo 'the page does not say which file this code is'; exit 1"]
    for block in found:
        block.note(notes)
    return found


def synopsis_of(text):
    """The declarations in a page's synopsis, which a compiler compares with the header that stands above them."""
    match = re.search(r"^\.SH SYNOPSIS\n\.nf\n(\.B #include.*?)^\.fi", text, re.S | re.M)
    if not match:
        return []
    code = "\n".join("".join(shlex.split(line[4:])) if line.startswith(".BI") else line[3:]
                     for line in match[1].splitlines())
    block = Block(text[:match.start(1)].count("\n") + 1)
    block.commands = ["cat >synopsis.c <<'END'", re.sub(r"^struct \w+ {.*?^};", "", code, flags=re.S | re.M), "END",
                      "cc -DCL_TARGET_OPENCL_VERSION=300 -I../../../../include -fsyntax-only synopsis.c"]
    return [block]


def blocks_of_manual(text):
    found, notes, first, lines = synopsis_of(text), [], 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if line == ".EX":
            first, lines = number, []
        elif line == ".EE":
            found += blocks_of_example(first, lines, notes)
            first, notes = 0, []
        elif first:
            lines.append(re.sub(r"\\(?:\(..|.)", lambda escape: TROFF[escape[0]], line))
        else:
            notes += MANUAL_COMMENT.findall(line)
    return found


def pattern(block):
    """A regular expression for what a block prints."""
    others = r"(?:(?!dl[:-]).*\n)*?" if block.others else ""
    out = ""
    for line in block.expected:
        if line.strip() == "...":
            out += r"(?:.*\n)*?"
        else:
            words = [re.escape(part) for part in line.rstrip().split("...")]
            out += others + r"[ \t]*".join([".*".join(words), r"\n"])
    return out + others + r"\Z"


def folder_like_the_tree(folder):
    source, build = os.environ["DL_SOURCE"], os.environ["DL_BUILD"]
    for name in os.listdir(source):
        if not name.startswith((".", "build")):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
    os.symlink(build, os.path.join(folder, "build"))


def environment(folder):
    tools = os.path.join(folder, ".tools")
    os.mkdir(tools)
    for python in ("python3", "/usr/bin/python3"):  # the one that has pyopencl, if one has
        done = subprocess.run([python, "-c", "import pyopencl, sys; print(sys.executable)"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            os.symlink(done.stdout.strip(), os.path.join(tools, "python3"))
            break
    env = {name: value for name, value in os.environ.items()
           if not name.startswith("DL_") and name not in ("LD_PRELOAD", "OPENCL_LAYERS")}
    build = os.environ["DL_BUILD"]
    env.update(PATH=f"{tools}:{build}/bin:{env['PATH']}", HOME=folder, DL_CACHE=folder + "/.cache/dl",
               POCL_CACHE_DIR=os.environ.get("POCL_CACHE_DIR", build + "/pocl-cache"),
               XDG_CACHE_HOME=folder + "/.cache", TERM="dumb", OMPI_ALLOW_RUN_AS_ROOT="1",
               OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    os.makedirs(env["DL_CACHE"], mode=0o700)
    os.makedirs(env["POCL_CACHE_DIR"], exist_ok=True)
    return env


def installed(folder, env):
    """Its folder of examples, where the commands of a manual page run."""
    usr = os.path.join(folder, "usr")
    subprocess.run(["cmake", "--install", os.environ["DL_BUILD"], "--prefix", usr], check=True, stdout=subprocess.DEVNULL)
    pkgconfig = glob.glob(usr + "/**/pkgconfig", recursive=True)[0]
    env["PATH"] = env["PATH"].replace(os.environ["DL_BUILD"] + "/bin", usr + "/bin")
    env["PKG_CONFIG_PATH"] = pkgconfig
    env["LD_LIBRARY_PATH"] = f"{os.path.dirname(pkgconfig)}:{env.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    return usr + "/share/doc/dl-run/examples"


def shell(commands, folder, env):
    """Exit code and what a reader sees in a terminal, where a program's own lines and DL's at its end
    come in this order."""
    terminal, end = pty.openpty()
    with subprocess.Popen(["bash", "-eu", "-c", commands], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=end, stderr=end) as process:
        os.close(end)
        output = b""
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # the last process has closed its end
                break
            if not part:
                break
            output += part
    os.close(terminal)
    text = output.decode(errors="replace").replace("\r\n", "\n")
    text = re.sub(r"\r\x1b\[K(\d+ of \d+(, \d+:\d\d left)? )?", "", text)  # without lines of progress
    # On a busy machine the builder may take seconds, which is said.
    return process.returncode, re.sub(r"^dl: warning: the program waits for dl-builder, .*\n", "", text,
                                      flags=re.MULTILINE)


def run_page(page, blocks, folder, env):
    """How many blocks failed, and how many were left out."""
    failed = left_out = 0
    for block in blocks:
        where = f"{page}:{block.line}"
        if block.not_run is not None:
            print(f"{where}: not run: {block.not_run}")
            continue
        lacks = [need for need in block.needs if shell(need, folder, env)[0]]
        if lacks:
            print(f"{where}: left out, since this fails: {lacks[0]}")
            left_out += 1
            continue
        code, output = shell("\n".join(block.commands), folder, env)
        if code:
            print(f"{where}: FAILED with {code}:\n{output}")
            failed += 1
        elif block.expected is not None and not re.match(pattern(block), output):
            print(f"{where}: FAILED: the page says\n  " + "\n  ".join(block.expected) + "\nbut it prints")
            print("  " + "\n  ".join(output.splitlines()))
            failed += 1
    return failed, left_out


def main():
    page = sys.argv[1]
    with open(os.path.join(os.environ["DL_SOURCE"], page), encoding="utf-8") as file:
        blocks = (blocks_of if page.endswith(".md") else blocks_of_manual)(file.read())
    if not blocks:
        sys.exit(f"{page} has no block of commands")
    try:
        os.close(pty.openpty()[0])
    except OSError as error:
        print(f"there are no terminals here: {error}")
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        env = environment(folder)
        if not page.endswith(".md") or page.startswith("examples/"):
            folder = installed(folder, env)
        else:
            folder_like_the_tree(folder)
        failed, left_out = run_page(page, blocks, folder, env)
    print(f"{page}: {len(blocks)} blocks, {failed} failed, {left_out} left out")
    sys.exit(1 if failed else 77 if left_out else 0)


if __name__ == "__main__":
    main()
