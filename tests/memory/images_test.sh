#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claims: kernels that write images are found; what they write is compared on copies of the images;
# where it differs, the program gets what its own kernel gives.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DL_CACHE=$work/cache
failed=0
fail() { echo "FAILED: $*"; failed=1; }
images=$DL_BUILD/tests/images

for kernel in draw some layers; do
    native=$("$images" $kernel 40)
    case $? in
    0) ;;
    77)
        echo "the device has no such images: $native"
        exit 77
        ;;
    *) fail "$kernel, natively: $native" ;;
    esac
    # The first rewritten launch is compared, and with --verify each.
    for how in "--layout asta" "--layout da" "--layout asta --verify" "--layout auto" "--layout auto --policy-test 5"; do
        # shellcheck disable=SC2086 # some options
        "$DL_BUILD/bin/dl-run" $how --log debug -- "$images" $kernel 40 >"$work/out" 2>"$work/err" || fail "$kernel, $how: exit"
        [ "$(cat "$work/out")" = "$native" ] || fail "$kernel, $how: $(cat "$work/out"), natively $native"
        ! grep -qE "other bytes|different result|can't be" "$work/err" || fail "$kernel, $how: $(grep -E "other bytes|different|can't be" "$work/err")"
    done
    grep -q "kernel '$kernel' explored: ASTA gives the same bytes" "$work/err" || fail "$kernel: not explored: $(cat "$work/err")"
    "$DL_BUILD/bin/dl-run" --layout asta --verify -- "$images" $kernel 40 >"$work/out" 2>"$work/err"
    grep -q "^dl: verify: 40 launches compared: 40 equal$" "$work/err" || fail "$kernel, verified: $(cat "$work/err")"
done

# What the table says of each qualifier.
cat >"$work/trail.cl" <<'END'
typedef struct { float x, y, z, w, r, g, b, a; } spark;
__kernel void trail(read_only image2d_t from, __global spark *s, write_only image2d_t to, read_write image2d_array_t both)
{
    int i = get_global_id(0);
    write_imagef(to, (int2)(i, 0), (float4)(s[i].a));
    write_imagef(both, (int4)(i, 0, 0, 0), (float4)(s[i].r));
}
__kernel void none(read_only image2d_t from, __global spark *s) { s[get_global_id(0)].x = 1; }
END
"$DL_BUILD/bin/dl-annotate" --detect -cl-std=CL2.0 "$work/trail.cl" -o "$work/out" 2>"$work/err" || fail "trail: $(cat "$work/err")"
[ "$(grep DL-images "$work/out")" = "//DL-images: 2 3" ] || fail "trail: $(grep DL- "$work/out")"

# A wrong text: its tiles are one struct off in one place, which the program's own layout does not see.
cat >"$work/draw.cl" <<'END'
typedef struct { float x, y, z, w, r, g, b, a; } spark;
//DL: AoS: s[get_global_size(0)]
__kernel void draw(__global spark *s, __write_only image2d_t im, __read_only image2d_t from, write_only image2d_array_t layers)
{
    int i = get_global_id(0);
    write_imagef(im, (int2)(i % 64, i / 64), (float4)(s[i].r, s[i].g, s[i].b, 1.0f));
}
END
"$DL_BUILD/bin/dl-annotate" "$work/draw.cl" -o "$work/right.cl" || fail "dl-annotate"
sed 's/+ (dl_row) \* (dl_width))/+ ((dl_row) ^ ((dl_offset) == 20 \&\& (dl_i) == 777)) * (dl_width))/' "$work/right.cl" >"$work/wrong.cl"
cmp -s "$work/right.cl" "$work/wrong.cl" && fail "the text has changed: nothing was broken"
native=$("$images" draw 1)
for text in right wrong; do
    "$DL_BUILD/bin/dl-run" --layout asta --libclang none -- "$images" draw 1 "$work/$text.cl" >"$work/$text"
done
[ "$(cat "$work/right")" = "$native" ] || fail "right: $(cat "$work/right"), natively $native"
[ "$(cat "$work/wrong")" != "$native" ] || fail "the broken text gives the right bytes"
"$DL_BUILD/bin/dl-run" --layout asta --libclang none --verify -- "$images" draw 1 "$work/wrong.cl" >"$work/out" 2>"$work/err" || fail "wrong: exit"
[ "$(cat "$work/out")" = "$native" ] || fail "wrong: $(cat "$work/out"), natively $native: $(cat "$work/err")"
grep -qE "verify: kernel draw, launch 1, argument 1, pixel 77[67]: bytes [0-9a-f]{32} rewritten, [0-9a-f]{32} as written" "$work/err" ||
    fail "wrong: $(cat "$work/err")"
[ "$failed" = 0 ]
