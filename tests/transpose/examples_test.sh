#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: every program in examples/ builds against an installed library without a warning, checks its own result, and the
# filtered pictures are what the formula says, grey and in colour, whichever way they were transposed. Under dl-run the
# library's kernels are left as they are, and nobody is told to annotate them.
set -u
if grep -q "^DL_SANITIZE:STRING=." "$DL_BUILD/CMakeCache.txt"; then
    echo "a sanitized library wants a sanitized program: skipped"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$DL_BUILD/pocl-cache}
mkdir -p "$POCL_CACHE_DIR"
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

cmake --install "$DL_BUILD" --prefix "$work/usr" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
lib=$(dirname "$(find "$work/usr" -name libdl_transpose.so)")
export PKG_CONFIG_PATH=$lib/pkgconfig
cp "$DL_SOURCE"/examples/*.[ch] "$work/"
for source in "$DL_SOURCE"/examples/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2046
    cc -std=gnu11 -Wall -Wextra -Wno-deprecated-declarations -Werror -O1 -o "$work/$name" "$work/$name.c" \
        $(pkg-config --cflags --libs dl_transpose) -Wl,-rpath,"$lib" -lm || fail "$name does not build"
    grep -q "$name.c" "$DL_SOURCE/examples/README.md" || fail "examples/README.md does not name $name.c"
done

for name in matrix batch axes; do
    "$work/$name" >"$work/out" 2>&1 || fail "$name: $(cat "$work/out")"
    cat "$work/out"
done
grep -q "and that again" "$work/out" || fail "axes says: $(cat "$work/out")"

# DL knows the library's kernels: it reads no text of theirs, and advises nothing about them.
for option in --stats --advise --doctor; do
    DL_CACHE=$work/cache "$work/usr/bin/dl-run" $option -- "$work/matrix" >"$work/out" 2>&1 ||
        fail "matrix under dl-run $option: $(cat "$work/out")"
    grep -q "libdl_transpose's" "$work/out" || fail "$option does not know the library's kernels: $(cat "$work/out")"
    grep -qE "annotate|annotation that|passed over|texts rewritten: [1-9]" "$work/out" &&
        fail "$option gives advice about the library's kernels: $(cat "$work/out")"
done

cat >"$work/pictures.py" <<'END'
"""make FOLDER: pictures; check IN OUT SIGMA: OUT is what the recursion makes of IN."""
import math
import random
import sys


def read(path):
    data = open(path, "rb").read().split(b"\n", 3)
    width, height = map(int, data[1].split())
    channels = 1 if data[0] == b"P5" else 3
    pixels = data[3]
    assert len(pixels) == width * height * channels, path
    return width, height, channels, pixels


def line(x, k):
    down0, down1, up1, up2, back1, back2, border_down, border_up = k
    y, out = [x[0] * border_down] * 2, []
    before = x[0]
    for v in x:
        y = [down0 * v + down1 * before + back1 * y[0] + back2 * y[1], y[0]]
        before = v
        out.append(y[0])
    y, after = [x[-1] * border_up] * 2, [x[-1], x[-1]]
    for i in range(len(x) - 1, -1, -1):
        y = [up1 * after[0] + up2 * after[1] + back1 * y[0] + back2 * y[1], y[0]]
        after = [x[i], after[0]]
        out[i] += y[0]
    return out


def check(source, target, sigma):
    alpha = 1.695 / sigma
    e, e2 = math.exp(-alpha), math.exp(-2 * alpha)
    k = (1 - e) ** 2 / (1 + 2 * alpha * e - e2)
    a1, a2, a3, gain = k * (alpha - 1) * e, k * (alpha + 1) * e, -k * e2, 1 - 2 * e + e2
    k = (k, a1, a2, a3, 2 * e, -e2, (k + a1) / gain, (a2 + a3) / gain)
    width, height, channels, pixels = read(source)
    assert (width, height, channels) == read(target)[:3]
    got = read(target)[3]
    for c in range(channels):
        plane = [[pixels[(y * width + x) * channels + c] for x in range(width)] for y in range(height)]
        columns = [line([plane[y][x] for y in range(height)], k) for x in range(width)]
        rows = [line([columns[x][y] for x in range(width)], k) for y in range(height)]
        for y in range(height):
            for x in range(width):
                is_there = got[(y * width + x) * channels + c]
                assert abs(rows[y][x] - is_there) < 0.51, (x, y, c, rows[y][x], is_there)
    assert got != pixels


if sys.argv[1] == "make":
    random.seed(1)
    for kind, channels, width, height in (5, 1, 75, 43), (6, 3, 40, 61):
        with open(f"{sys.argv[2]}/{channels}.pnm", "wb") as out:
            out.write(b"P%d\n%d %d\n255\n" % (kind, width, height))
            out.write(bytes(random.randrange(256) for _ in range(width * height * channels)))
else:
    check(sys.argv[2], sys.argv[3], float(sys.argv[4]))
END
python3 "$work/pictures.py" make "$work" || fail "no pictures"
for channels in 1 3; do
    "$work/deriche" 2.5 "$work/$channels.pnm" "$work/out.pnm" >"$work/out" 2>&1 || fail "deriche: $(cat "$work/out")"
    [ "$(grep -c ' ms$' "$work/out")" = 3 ] || fail "deriche has other than three times: $(cat "$work/out")"
    python3 "$work/pictures.py" check "$work/$channels.pnm" "$work/out.pnm" 2.5 || fail "$channels channels: wrong"
done
cat "$work/out"
head -c 500 "$work/3.pnm" >"$work/cut.pnm"
"$work/deriche" 2.5 "$work/cut.pnm" "$work/out.pnm" >"$work/out" 2>&1 && fail "half a picture is taken"
grep -q "all pixels" "$work/out" || fail "half a picture: $(cat "$work/out")"
"$work/deriche" --device no_such_device 2.5 "$work/3.pnm" "$work/out.pnm" >"$work/out" 2>&1 && fail "any device is taken"
grep -q "finding a device" "$work/out" || fail "no such device: $(cat "$work/out")"
echo "$failures failures"
[ $failures -eq 0 ]
