#!/bin/bash
# SPDX-License-Identifier: MIT
# races_test.sh PROGRAM...: Oclgrind finds no race between work-items in any program, and each passes
# its own check there, too. A race would make checksums differ on a busy machine only.
set -u
command -v oclgrind >/dev/null || {
    echo "oclgrind is missing: scripts/install-deps.sh test installs it"
    exit 77
}
folder=$DL_BUILD/tests/programs
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
failed=0

# It interprets kernels: small sizes, which are odd on purpose.
declare -A sizes=([raytracer]=9 [pathtracer]=7 [lbm3d]=5 [d2q9]=13 [fdtd]=13)
for program in "$@"; do
    oclgrind --data-races "$folder/$program" --size "${sizes[$program]:-41}" --steps 2 --check \
        >"$output/seen" 2>&1 && ! grep -v "^$program: checksum" "$output/seen" >"$output/said" || {
        echo "FAILED: $program: $(head -n 8 "$output/seen")"
        failed=1
    }
done
exit $failed
