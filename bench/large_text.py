#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints an OpenCL C text as large programs have them, for what DL's own work on it takes.

usage: large_text.py [--types N] [--kernels N] [--lines N] [--plain]

By default 30,000 lines with 70 annotated kernels over 16 types of structs; each calls helpers, which call others;
most of the text is functions that the kernels at hand don't reach, as in the texts that renderers paste
together. --plain has no annotations. The same numbers give the same text.
"""
import argparse

NAMES = "position velocity force normal colour mass radius age spin charge weight depth".split()


class Text:
    def __init__(self, types):
        self.lines = []
        self.types = types

    def put(self, text):
        self.lines += text.strip("\n").split("\n")


def struct(text, t):
    members = "\n".join("    %s %s;" % (("float", "float4", "int", "float")[(t + m) % 4], name)
                        for m, name in enumerate(NAMES))
    text.put("typedef struct {\n%s\n    float history[%d];\n    struct { int next, previous; } link;\n} Item%d;\n"
             % (members, 2 + t % 5, t))


def member(t, kind, number):
    found = [n for m, n in enumerate(NAMES) if ("float", "float4", "int", "float")[(t + m) % 4] == kind]
    return found[number % len(found)]


def macros(text, count):
    for m in range(count):
        text.put("#define SCALE_%d(x) ((x) * %d.5f + BIAS_%d)\n#define BIAS_%d 0.%02df" % (m, m % 7, m, m, m % 90 + 1))


def plain(text, n):
    """A function over values, as libraries of vectors, colours and random numbers are made of."""
    text.put("""
/* Step %(n)d of the mixing: takes the part that lies above the bias. */
static float mixed_%(n)d(float4 a, float b, int rounds)
{
    float sum = a.x + a.y * b;
    for (int k = 0; k < (rounds & 7); k++) {
        const float weight = SCALE_%(m)d(sum) - b;
        if (weight > 1.0f)
            sum -= weight / (1.0f + fabs(weight));
        else
            sum += native_rsqrt(1.0f + weight * weight);
    }
#ifdef WITH_DEPTH
    sum *= a.w;
#endif
    return %(call)s;
}
""" % {"n": n, "m": n % 40, "call": "mixed_%d(a.yzwx, sum, rounds - 1)" % (n - 1) if n % 6 else "sum"})


def helper(text, n):
    t = n % text.types
    text.put("""
static float touched_%(n)d(__global Item%(t)d *item, int k)
{
    __global Item%(t)d *const next = item + (item->link.next & 1);
    item->%(f)s += SCALE_%(m)d(next->%(f)s) * mixed_%(plain)d(item->%(v)s, 0.5f, k);
    item->history[k & 1] = item->%(v)s.x;
    if (item->%(i)s > k)
        item->link.previous = next->%(i)s;
    return %(call)s;
}
""" % {"n": n, "t": t, "f": member(t, "float", n), "v": member(t, "float4", n), "i": member(t, "int", n), "m": n % 40,
       "plain": n, "call": "item->%s + touched_%d(item, k + 1)" % (member(t, "float", n + 1), n - text.types)
       if n % (3 * text.types) >= text.types else "item->%s" % member(t, "float", n + 1)})


def kernel(text, n, helpers, annotated):
    t = n % text.types
    chosen = [h for h in range(helpers) if h % text.types == t]
    text.put("""
%(line)s
__kernel void stage_%(n)d(__global Item%(t)d *items, int count)
{
    const int i = get_global_id(0);
    __local float shared_sum[64];
    if (i >= count)
        return;
    __global Item%(t)d *item = &items[i];
    float4 sum = item->%(v)s;
    shared_sum[get_local_id(0) & 63] = item->%(f)s;
""" % {"line": "//DL: AoS: items[]" if annotated else "/* one item a work-item */", "n": n, "t": t,
       "v": member(t, "float4", n), "f": member(t, "float", n)})
    for k in range(12):
        text.put("""
    for (int k%(k)d = 0; k%(k)d < %(rounds)d; k%(k)d++) {
        const float w = items[(i + k%(k)d) %% count].%(of)s + touched_%(h)d(item, k%(k)d);
        sum += w * item->%(v)s - SCALE_%(k)d(items[(i + 1) %% count].%(f)s);
    }
""" % {"k": k, "rounds": 2 + k % 3, "of": member(t, "float", k), "h": chosen[(n // text.types + k) % len(chosen)],
       "v": member(t, "float4", k), "f": member(t, "float", k + n)})
    text.put("""
    item->%(v)s = sum * shared_sum[0];
}
""" % {"v": member(t, "float4", n)})


def main():
    options = argparse.ArgumentParser(description="a large OpenCL C text")
    options.add_argument("--types", type=int, default=16)
    options.add_argument("--kernels", type=int, default=70)
    options.add_argument("--lines", type=int, default=30000)
    options.add_argument("--plain", action="store_true")
    options = options.parse_args()
    text = Text(options.types)
    for t in range(options.types):
        struct(text, t)
    macros(text, 40)
    helpers = max(4 * options.types, options.kernels * 2)
    for n in range(helpers):
        plain(text, n)
    for n in range(helpers):
        helper(text, n)
    for n in range(options.kernels):
        kernel(text, n, helpers, not options.plain)
    n = helpers
    tail = Text(options.types)
    while len(text.lines) + len(tail.lines) < options.lines:
        plain(tail, n)
        n += 1
    # What no kernel reaches lies in front of them, as headers do.
    second = next(i for i, line in enumerate(text.lines) if line.startswith("static float touched_0"))
    print("\n".join(text.lines[:second] + tail.lines + text.lines[second:]))


if __name__ == "__main__":
    main()
