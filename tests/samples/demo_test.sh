# SPDX-License-Identifier: MIT
# README's first command ends well: every program's results are equal, what DL did is said, and a
# program whose results differ, or that is not on its layout, is told and ends it with 1.
. "$DL_SOURCE/tests/samples/common.sh"

run bash "$DL_SOURCE/scripts/demo.sh" "$DL_BUILD"
[ $code -eq 0 ] || fail "scripts/demo.sh exits with $code: $out $err"
[ "$(grep -c ' equal ' "$work/out")" -ge 3 ] || fail "not 3 programs are equal: $out"
grep -Eq '^agents .* AoS -> (SoA|DA|ASTA)' "$work/out" || fail "agents was not moved: $out"
[ "$(wc -l <"$work/out")" -le 10 ] || fail "more than ten lines: $out"

# The same with programs that misbehave in place of the samples.
mkdir -p "$work/build/samples" "$work/build/bin"
cp "$DL_BUILD/bin/dl-run" "$work/build/bin/"
ln -s "$DL_BUILD/lib" "$work/build/lib"
fake() { # WHAT A PROGRAM SAYS
    for name in agents lbm black_scholes; do
        printf '#!/bin/sh\nprintf "device: x\\ndevice_type: CPU\\nchecksum: %s\\ntime_s: 0.5\\n"\n' "$1" \
            >"$work/build/samples/$name"
        chmod +x "$work/build/samples/$name"
    done
}
fake '$$'
run bash "$DL_SOURCE/scripts/demo.sh" "$work/build"
[ $code -eq 1 ] && grep -q 'NOT EQUAL' "$work/out" || fail "results that differ pass: $code: $out $err"
fake 1
run bash "$DL_SOURCE/scripts/demo.sh" "$work/build"
[ $code -eq 1 ] && grep -q 'NOT moved' "$work/out" || fail "no layout passes: $code: $out $err"
finish
