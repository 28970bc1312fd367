#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a program waits for at its start under a layout that is asked for, on texts like those of public programs,
none of which is in them: seconds of wall time and of processor time of all processes, as CSV. The driver's own cache
is empty for `native` and each first run under DL; `warm` is the run after one with a cache.

usage: start.py BUILD [RUNS] [TEXT...], e.g. scripts/on-driver.sh intel python3 bench/start.py build 5
"""
import ctypes
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
STRUCT = "typedef struct { float4 q; float v[3]; int type; float4 f; } atom%d;\n"


def body(k):
    return ("int i = get_global_id(0); if (i < n) { float4 q = a[i].q; float r = %d.5f + q.x * q.w;\n"
            "  for (int j = 0; j < 3; j++) a[i].v[j] += sin(r) * q.y;\n"
            "  a[i].f += (float4)(r, q.z, x[i], a[i].type); x[i] += r; }" % k)


def kernel(k, note="", struct=0):
    return "%s__kernel void k%d(__global atom%d *a, __global float *x, int n)\n{ %s }\n" % (note, k, struct, body(k))


def floats(k):
    return ("__kernel void k%d(__global float *a, __global float *x, int n)\n"
            "{ int i = get_global_id(0); if (i < n) x[i] = x[i] * %d.5f + sqrt(x[i]); }\n" % (k, k))


def variants():
    """200 kernels that macros make of one body, as molecular dynamics has them."""
    text = STRUCT % 0 + "#define VARIANT(id, scale) " + kernel(0).replace("k0(", "k##id(").replace(
        "0.5f", "scale").replace("\n", " ") + "\n"
    return [text + "".join("VARIANT(%d, %d.25f)\n" % (k, k) for k in range(200))], 3


def many(texts, kernels, launched):
    return ["".join("#define C_%d_%d(x) ((x) * %d.5f)\n" % (t, m, m) for m in range(100)) + STRUCT % t +
            kernel(0, struct=t) + "".join(floats(k) for k in range(1, kernels)) for t in range(texts)], launched


TEXTS = {
    "one": lambda: ([STRUCT % 0 + kernel(0)], 1),
    "300_annotated": lambda: (
        [STRUCT % 0 + "".join(kernel(k, "//DL: AoS: a[n]\n") for k in range(300))], 1),
    "300_beside": lambda: ([STRUCT % 0 + kernel(0, "//DL: AoS: a[n]\n") + "".join(floats(k) for k in range(1, 301))], 1),
    "200_variants": variants,
    "30_texts": lambda: many(30, 5, 2),
    "12_texts": lambda: many(12, 10, 4),
}


def run(command, env):
    begin, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wall = time.time() - begin
    if out.returncode:
        sys.exit("%s: %s" % (command, out.stderr.decode()))
    try:
        while True:  # the builder, which is this process's child from then on
            os.wait()
    except ChildProcessError:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out.stdout, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(build, work, name, runs):
    texts, launched = TEXTS[name]()
    files = []
    for t, text in enumerate(texts):
        files.append("%s/%s_%d.cl" % (work, name, t))
        with open(files[-1], "w") as out:
            out.write(text)
    program = [build + "/bench/start_texts", str(launched)] + files
    layout = [build + "/bin/dl-run", "--layout", "asta"]
    rows = {"native": program, "off": layout + ["--cache", "off", "--"] + program, "cold": layout + ["--"] + program,
            "warm": layout + ["--"] + program, "native_warm": program}
    seen = {row: [] for row in rows}
    for _ in range(runs):
        first = None
        for row, command in rows.items():
            env = {k: v for k, v in os.environ.items() if not k.startswith("DL_")}
            env.update(DL_CACHE=work + "/dl", POCL_CACHE_DIR=work + "/pocl")
            if "warm" not in row:
                for folder in ("dl", "pocl"):
                    shutil.rmtree(work + "/" + folder, ignore_errors=True)
                    os.mkdir(work + "/" + folder, 0o700)
            if row == "native_warm":  # the driver's cache has what it has of DL's run, too
                run(command, env)
            out, *times = run(command, env)
            first = first or out
            if out != first:
                sys.exit("%s, %s: prints %s, natively %s" % (name, row, out, first))
            seen[row].append(times)
    for row, times in seen.items():
        walls, cpus = zip(*times)
        print("%s,%s,%.2f,%.2f,%.2f,%.1f" % (name, row, statistics.median(walls), min(walls),
                                             statistics.median(cpus), os.getloadavg()[0]), flush=True)


def main():
    build = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print("text,run,wall_s,wall_min_s,cpu_s,load")
    with tempfile.TemporaryDirectory() as work:
        for name in sys.argv[3:] or TEXTS:
            measure(build, work, name, runs)


main()
