#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""versions.py ROOT: fails when a file names another version of DL than include/dl_version.h."""
import os
import re
import sys

# What names the version, and how: {v} is the whole one, {s} the part that the shared library's name has.
PLACES = [
    ("CHANGELOG.md", r"\A# Changelog\n\n## {v}[ \n]"),
    ("CITATION.cff", r"^version: {v}$"),
    ("debian/changelog", r"\Adl \({v}\) "),
    ("debian/control", r"^Package: libdl-transpose{s}$"),
    ("packaging/conda-forge/recipe.yaml", r'^  version: "{v}"$'),
    ("packaging/spack/dl-opencl/package.py", r'^    version\("{v}", '),
    ("python/dl_transpose/_native.py", r'"libdl_transpose\.so\.{s}"'),
] + [(f"docs/{page}", r'^\.TH \S+ \d \S+ "DL {v}" "DL"$') for page in (
    "dl-annotate.1", "dl-annotations.5", "dl-bench.1", "dl-patterns.1", "dl-run.1", "dl.h.3", "dl_transpose.3",
    "dl_matcopy.3")]


def main():
    root = sys.argv[1]

    def read(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    parts = re.findall(r"define DL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", read("include/dl_version.h"))
    version, soversion = ".".join(parts), ".".join(parts[:2]) if parts[0] == "0" else parts[0]
    wrong = [path for path, pattern in PLACES
             if not re.search(pattern.format(v=re.escape(version), s=re.escape(soversion)), read(path), re.M)]
    for path in wrong:
        print(f"{path}: does not name version {version}, which include/dl_version.h has")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
