#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# DL's own work on a large text (bench/large_text.py: 30,000 lines, 70 annotated kernels), over the fake driver,
# which builds nothing: seconds of processor and wall of a program that builds it and launches every kernel once,
# natively, under DL for the first time and for the second. Medians of RUNS (default 5) with an empty cache each.
# The builder, which rewrites meanwhile, is not a child of the program: what it takes is that of dl-annotate on the text.
#
# usage: bench/own_work.sh BUILD [RUNS]
set -eu
build=$(cd "$1" && pwd)
runs=${2:-5}
source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$source/large_text.py" >"$work/annotated.cl"
python3 "$source/large_text.py" --plain >"$work/plain.cl"
python3 - "$build" "$work" "$runs" <<'P'
import os, resource, shutil, statistics, subprocess, sys, time

build, work, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
base = {k: v for k, v in os.environ.items() if not k.startswith("DL_")}
base["OCL_ICD_VENDORS"] = build + "/tests/vendors"
under = {"LD_PRELOAD": build + "/lib/libdl_intercept.so", "DL_CACHE": work + "/cache", "DL_LAYOUT": "asta"}


def measure(command, **more):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    subprocess.run(command, env={**base, **more}, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.time() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def run(text, **more):
    return measure([build + "/tests/host_cache", work + "/" + text, ""], **more)


print("text,run,cpu_s,cpu_s_min,wall_s,wall_s_min")
for text, detect in (("annotated.cl", "off"), ("plain.cl", "on")):
    rows = {"natively": [], "first": [], "second": [], "rewriting": []}
    rewrite = [build + "/bin/dl-annotate", *["--detect"][:detect == "on"], work + "/" + text, "-o", work + "/out.cl"]
    for _ in range(runs):
        shutil.rmtree(work + "/cache", ignore_errors=True)
        os.mkdir(work + "/cache", 0o700)
        rows["natively"].append(run(text))
        rows["first"].append(run(text, DL_DETECT=detect, **under))
        rows["second"].append(run(text, DL_DETECT=detect, **under))
        rows["rewriting"].append(measure(rewrite))
    for name, seen in rows.items():
        cpu, wall = zip(*seen)
        print("%s,%s,%.3f,%.3f,%.3f,%.3f" % (text, name, statistics.median(cpu), min(cpu), statistics.median(wall), min(wall)))
P
