# SPDX-License-Identifier: MIT
"""Compares a statistics file of libdl_intercept with what a run must show.

usage: check_stats.py FILE key=value...
  kernel=NAME       the kernel that the following are about
  launches=N        how often it ran transformed
  native=N          how often it ran as the program wrote it
  layout=NAME       of all its annotated buffers: ASTA, DA, SoA or AoS
  tile=N            of all its annotated buffers
  buffers=N         how many annotated buffers it has
  structs=N         of each of them
  marshals=N        conversions away from the program's layout, in all, each of another buffer
  back_at_most=N    conversions back to AoS, in all
  parts_at_least=N  parts of tiled buffers that were looked at in place
"""
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        stats = json.load(file)
    want = dict(pair.split("=", 1) for pair in sys.argv[2:])
    wrong = []

    def expect(what, got, wanted):
        if str(got) != wanted:
            wrong.append(f"{what} is {got}, want {wanted}")

    if "kernel" in want:
        kernels = [k for k in stats["kernels"] if k["kernel"] == want["kernel"]]
        expect("number of entries of the kernel", len(kernels), "1")
        kernel = kernels[0] if kernels else {"buffers": []}
        if "launches" in want:
            expect("launches", kernel.get("launches"), want["launches"])
        if "native" in want:
            expect("native_launches", kernel.get("native_launches"), want["native"])
        if "buffers" in want:
            expect("number of buffers", len(kernel["buffers"]), want["buffers"])
        if "layout" in want and not kernel["buffers"]:
            wrong.append("the kernel has no annotated buffer")
        for buffer in kernel["buffers"]:
            for key in ("layout", "tile", "structs"):
                if key in want:
                    expect(f"{key} of {buffer.get('name')}", buffer.get(key), want[key])

    # A program that has arrays itself goes between them and tiles.
    own = {("AoS", other) for other in ("ASTA", "DA", "SoA")} | {("SoA", "ASTA")}
    away = [m for m in stats["marshals"] if (m["from"], m["to"]) in own]
    back = [m for m in stats["marshals"] if (m["to"], m["from"]) in own]
    if "marshals" in want:
        expect("number of marshals away from the program's layout", sum(m["count"] for m in away),
               want["marshals"])
        expect("number of buffers marshaled", len({m["buffer"] for m in away}),
               want["marshals"])
    if "back_at_most" in want:
        count = sum(m["count"] for m in back)
        if count > int(want["back_at_most"]):
            wrong.append(f"{count} conversions back, want at most {want['back_at_most']}")
    if stats["part_count"] < int(want.get("parts_at_least", 0)):
        wrong.append(f"{stats['part_count']} parts, want at least {want['parts_at_least']}")
    expect("marshal_count + bring_back_count",
           stats["marshal_count"] + stats["bring_back_count"],
           str(sum(m["count"] for m in stats["marshals"])))

    for line in wrong:
        print("check_stats:", line)
    if wrong:
        print(json.dumps(stats, indent=1))
    return 1 if wrong else 0


sys.exit(main())
