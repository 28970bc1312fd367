#!/bin/bash
# SPDX-License-Identifier: MIT
# The Python package, as a wheel has it, does what test_transpose.py says, by the interpreter that has
# pyopencl and numpy; $DL_TEST_PYTHON is another one, such as that of an environment whose pyopencl is a wheel with a
# loader of its own. Without a library to be found it says what to do.
set -u
python=${DL_TEST_PYTHON:-/usr/bin/python3}
$python -c 'import pyopencl, numpy' 2>/dev/null || { echo "no pyopencl (Debian: python3-pyopencl)"; exit 77; }
if grep -q "^DL_SANITIZE:STRING=." "$DL_BUILD/CMakeCache.txt"; then
    echo "Python would want the sanitizer"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$DL_BUILD/pocl-cache} XDG_CACHE_HOME=$work/xdg PYTHONDONTWRITEBYTECODE=1
export PYOPENCL_CTX=0 DL_TRANSPOSE_LIBRARY=$DL_BUILD/lib/libdl_transpose.so.0.1 PYTHONWARNINGS=ignore

# What a C compiler makes of the headers.
fields() { # STRUCT: its fields' names
    $python - "$DL_SOURCE/python" "$1" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from dl_transpose import _native
print(*(name for name, _ in getattr(_native, sys.argv[2])._fields_))
END
}
{
    printf '#include <stdio.h>\n#include <dl_transpose.h>\nint main(void) {\n'
    echo 'printf("version %s\ndispatch %zu\n", DL_VERSION_STRING, sizeof(cl_icd_dispatch) / sizeof(void *));'
    for pair in problem:Problem info:Info error:ErrorText; do
        struct=${pair%:*}
        echo "printf(\"$struct %zu\\n\", sizeof(struct dl_transpose_$struct));"
        for field in $(fields "${pair#*:}"); do
            echo "printf(\"$struct.$field %zu\\n\", offsetof(struct dl_transpose_$struct, $field));"
        done
    done
    for function in $(sed -n '/^DISPATCH = /,/}/p' "$DL_SOURCE/python/dl_transpose/_native.py" | grep -oE 'cl[A-Z][A-Za-z]+'); do
        echo "printf(\"$function %zu\\n\", offsetof(cl_icd_dispatch, $function) / sizeof(void *));"
    done
    echo 'return 0; }'
} >"$work/layout.c"
gcc -DCL_TARGET_OPENCL_VERSION=300 -I"$DL_SOURCE/include" -o "$work/layout" "$work/layout.c" || exit 1
"$work/layout" >"$work/layout.txt"

# As a wheel has it: the library lies in the package, and nothing else names one.
site=$work/site
mkdir "$site"
cp -r "$DL_SOURCE/python/dl_transpose" "$site"
cp "$DL_BUILD/lib/libdl_transpose.so.0.1" "$site/dl_transpose/libdl_transpose.so.0.1.0"
unset DL_TRANSPOSE_LIBRARY
cd "$work" || exit 1
PYTHONPATH=$site $python "$DL_SOURCE/tests/python/test_transpose.py" "$work/layout.txt" || exit 1

# Without a library.
out=$(DL_TRANSPOSE_LIBRARY=$work/none.so PYTHONPATH=$site $python -c 'import dl_transpose' 2>&1)
[[ $out = *"ImportError: dl_transpose does not find libdl_transpose"*DL_TRANSPOSE_LIBRARY* ]] || { echo "FAIL: $out"; exit 1; }
