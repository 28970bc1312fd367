#!/bin/bash
# SPDX-License-Identifier: MIT
# Every C, header and OpenCL C file is as .clang-format has it; the annotate cases are inputs, and
# annotate/opencl is LLVM's.
set -u
cd "$(dirname "$0")/.."
command -v clang-format >/dev/null || {
    echo "clang-format is missing: scripts/install-deps.sh ci installs it"
    exit 77
}
git ls-files '*.c' '*.h' '*.cl' | grep -v '^tests/cases/\|^annotate/opencl/' | xargs clang-format --dry-run -Werror ||
    {
        echo "run: clang-format -i on the files above"
        exit 1
    }
