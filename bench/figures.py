#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures.py [--results FOLDER] [--out FOLDER] [--note TEXT] [FIGURE...]: draws docs/figures/ from bench/results/, and for
`dl-bench figure` what that has measured.

One row of LINES, HISTOGRAMS, TILE_MAPS, LANDSCAPES or CURVES is one figure; without names, all are drawn. The tables are
what dl-bench writes with --csv; rows whose status is not ok are left out. Needs matplotlib."""
import argparse
import csv
import os
import re
import statistics
import sys

try:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import MaxNLocator, MultipleLocator, NullLocator
except ImportError as error:
    sys.exit(f"figures.py: {error}: install python3-matplotlib (Debian) or pip's matplotlib")

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHE_BYTES = 64 << 20  # a smaller matrix stays in an H200's cache: a copy is no measure of it
COLOURS = ["#1b6ca8", "#d1495b", "#3a7d44", "#e08e1b", "#6b4c9a", "#008080", "#7a5230", "#444444"]
STYLES = [("-", "o"), ("--", "s"), (":", "^"), ("-.", "v")]

# What is on the x axis or tells series apart: its label, and how one value of it is called.
FIELDS = {
    "words": ("words of 4 bytes in a struct", "{} words"),
    "super": ("words of 4 bytes in a super-element", "{} words"),
    "leaves": ("leaves of a struct", "{} leaves"),
    "tile": ("structs in a tile", "tiles of {}"),
    "columns": ("columns", "{} columns"),
    "matrix": ("rows and longest row as in table 5.1", "{}"),
    "layout": ("layout", "{}"),
    "group": ("kernel", {"access": "reading", "update": "reading and storing"}),
    "from": ("layout before", "from {}"),
    "family": ("algorithm", {"1": "barrier-sync", "2": "PTTWAC", "3": "cut cycles", "5": "P-IPT",
                             "6": "PTTWAC"}),
    "cycle_flags": ("flags in a word (cycle_flags)", "{} flags a word"),
    "spreading": ("spreading factor", "spread {} times"),
    "cycle_group": ("work-items that share a tile (cycle_group)", "{} work-items"),
    "cycle_held": ("elements held", "{} held"),
    "cycle_pad": ("padding", {"0": "not padded", "1": "padded"}),
    "cycle_remap": ("remapping", {"0": "as packed", "1": "remapped"}),
    "super_mode": ("variant", {"0": "barriers", "1": "local tiling", "2": "register tiling"}),
    "tile_pad": ("tiles", {"0": "plain", "1": "padded", "2": "exclusive-or", "3": "diagonal"}),
}

# name: (title, table, x, how x is spaced, series: the first field is the colour, the second the dashes; panels, and what a row
# must have to be shown, if not all)
LINES = {
    "asta": ("AoS and ASTA, tiles of 32, by struct size", "asta", "words", "linear", ["from"]),
    "super": ("100! by cut cycles, by super-element", "super", "super", "log", ["from", "columns"]),
    "da": ("AoS and DL's own DA, 60 random shapes, by leaves", "da", "leaves", "linear", ["from"]),
    "soa": ("AoS and exact SoA, 60 random shapes, by leaves", "soa", "leaves", "linear", ["from"]),
    "tiles": ("Barrier-sync and PTTWAC, by tile (tables 5.2, 5.3)", "tiles", "tile", "even", ["words", "family"]),
    "spreading": ("PTTWAC: flags spread and padded (figures 4.11, 4.13, 4.16)", "spreading", "spreading", "even",
                  ["words", "cycle_pad"], "tile"),
    "remapped": ("PTTWAC: flags remapped (4.5.1)", "remapped", "spreading", "even", ["words", "cycle_remap"]),
    "groups": ("PTTWAC: work-items that share a tile (figure 4.17)", "groups", "cycle_group", "even", ["words"], "tile"),
    "pipt": ("P-IPT, PTTWAC and barrier-sync, tiles of 32 (figure 4.18)", "pipt", "words", "linear",
             ["family", "spreading"]),
    "held": ("PTTWAC: elements held in registers", "held", "words", "linear", ["cycle_held", "from"]),
    "maps": ("Barrier-sync: plain, padded, exclusive-or and diagonal tiles", "maps", "words", "even",
             ["tile_pad", "from"]),
    "access": ("Reading and storing every word of a struct, by layout (figure 3.7)", "access", "words", "log", ["layout"],
               "group"),
    "thesis": ("100! by barriers, local and register tiling, and cut cycles (figure 4.19)", "thesis", "words", "linear",
               ["family", "super_mode"], "tile"),
    "lengths": ("100! by local tiling, by words of a super-element (figure 4.20)", "thesis", "tile", "even", ["words"],
                None, {"super_mode": ("1",), "family": ("6",)}),
    "matrices": ("SoA to ASTA by P-IPT, PTTWAC and cut cycles, table 5.1 (figure 5.7)", "matrices", "matrix",
                 "even", ["family", "tile"]),
}

# name: (title, tables)
HISTOGRAMS = {
    "random": ("In-place transposition, random and prime sizes in [1000, 20000]",
               ["random-6", "random-linear"]),
    "random-c2r": ("In-place transposition, random sizes (figure 6 of Catanzaro 2014)", ["random-c2r"]),
    "random-cpu": ("In-place transposition on a CPU, random sizes (figure 3 of Catanzaro 2014)", ["random-cpu"]),
    "skinny": ("In-place transposition, 2..31 fields x 1e4..1e7 structs (whole: a tile of 256 "
               "divides the structs)", ["skinny"]),
}

# name: (title, table, algorithm)
TILE_MAPS = {f"tiles-{algorithm}": (f"7200 x 1800 floats by the {algorithm}, by tile",
                                    "tiles" if algorithm == "3-stage" else "tiles-4-stage", algorithm)
             for algorithm in ("3-stage", "4-stage", "4-stage-fused")}

# name: (title, table)
LANDSCAPES = {"landscape": ("In place, by rows and columns", "landscape"),
              "landscape-out": ("Out of place, by rows and columns", "landscape-out"),
              "landscape-c2r": ("C2R and R2C, by rows and columns (figures 4 and 5 of Catanzaro 2014)", "landscape-c2r"),
              "landscape-banded": ("Out of place, by rows and columns (figures 12 and 13 of Gorawski 2017)",
                                   "landscape-banded")}

# name: (title, kind of table, tables, what a row must have to be shown, x, how x is spaced, y, series)
CURVES = {
    "steering-strides": ("Chases of single work-items by the stride between them (figure 6.4)", "steering",
                         "chases", {"set": ("held", "moving")}, "stride_bytes", "linear", "m_per_s", "set"),
    "steering-powers": ("Chases at powers of two, and beside them", "steering", "chases",
                        {"set": ("held powers", "held beside", "moving powers", "moving beside")},
                        "stride_bytes", "log", "m_per_s", "set"),
    "steering-saxpy": ("SAXPY by its stride (figure 2.2)", "steering", "chases", {"set": ("saxpy",)},
                       "stride_bytes", "linear", "gb_per_s", "set"),
}
CURVES.update({
    f"grids-{sample}-{vary}": (f"{sample} by layout, {vary.upper()} varied (figure 6.{figure + number})", "grids", sample,
                               {"sample": (sample,), "vary": (vary,)}, "cells", "linear", "time_part", "layout")
    for figure, sample in ((6, "lbm"), (9, "heat"), (12, "cfd")) for number, vary in enumerate("xyz")})
CURVES["transpose-stages"] = ("3-stage and 4-stage transposition (table 4.2)", "transpose", "table", {"element_bytes": ("4",)},
                              "rows", "linear", "gb_per_s", "algorithm")
CURVES["transpose-nearsquare"] = ("In place, one side 1 to 10 % longer (figure 4.4)", "transpose", "nearsquare",
                                  {"element_bytes": ("4",)}, "longer", "log", "share_percent", "algorithm")
CURVES["transpose-orders"] = ("Squares by the order of blocks (figures 2, 9 to 11 of Gorawski 2017)", "transpose",
                              "orders orders-out", {"batch": ("0", "1", "")}, "rows", "linear", "gb_per_s", "algorithm")
CURVES.update({
    f"transpose-{name}": (f"Two of three axes swapped: {name} (figure {figure} of Gorawski 2017)", "transpose",
                          "involutions", {"order": (order,)}, "side", "linear", "gb_per_s", "planes")
    for name, figure, order in (("yxz", 14, "0.2.1"), ("zyx", 15, "2.1.0"))})
CURVES.update({
    f"transpose-padless-{side}": (f"3072 x 3072 by tiles of {side} x {side} (figure {figure} of Khan)", "transpose", "padless",
                                  {"padless_side": (side,)}, "padless_lines", "log", "us", "algorithm")
    for figure, side in ((4, "16"), (5, "32"), (6, "48"))})
CURVES.update({
    f"transpose-padless-sides-{side}": (f"Squares by tiles of {side} x {side} (figure {figure} of Khan)", "transpose",
                                        "padless-sides", {"padless_side": (side,), "padless_lines": (side,)}, "rows",
                                        "linear", "us", "algorithm")
    for figure, side in ((7, "16"), (8, "32"))})
CURVES.update({
    f"coalesced-{op}": (f"Whole structs: {op} (figure {figure} of Catanzaro 2014)", "coalesced", "structs", {"op": (op,)},
                        "words", "log", "gb_per_s", "way")
    for op, figure in (("store", "8a"), ("copy", "8b"), ("scatter", "9a"), ("gather", "9b"))})
CURVES.update({
    f"gauss-{name}": (f"A recursive Gaussian by its transposition (figure {figure} of Khan)", "gauss", "", {"way": (
        "out-padded", "out-selective", "out-parallel", "transposed out of place")}, "side", "log", y, "way")
    for figure, name, y in ((9, "us", "us"), (10, "mpixels", "mpixels_per_s"))})
CURVES_LABELS = {"longer": "longer side", "share_percent": "% of a copy", "cells": "cells along it", "time_part": "time, of the native run's",
                 "stride_bytes": "stride in bytes", "m_per_s": "millions of requests a second",
                 "gb_per_s": "GB/s of bytes that are used", "rows": "side", "side": "side",
                 "padless_lines": "rows of work-items in a work-group", "us": "microseconds", "mpixels_per_s": "millions of pixels a second", "words": "words of 4 bytes in a struct"}


class NoRows(Exception):
    """A table that is not there, or has no row that the figure shows."""


class Table:
    """The rows of one CSV file that are right, and what its comments say of the device and day."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.readlines()
        except FileNotFoundError:
            raise NoRows(f"{path} is not there") from None
        comments = [line[2:].strip() for line in lines if line.startswith("#")]
        device = [part for part in (comments[:1] or [""])[0].split(", ") if part]
        day = [m.group() for m in (re.match(r"\d{4}-\d\d-\d\d", c) for c in comments) if m][:1]
        self.origin = ", ".join(device[:2] + day)
        self.copy = device[2] if len(device) > 2 else "copy"
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        self.rows = [row for row in rows if row["status"] == "ok"]
        if not self.rows:
            raise NoRows(f"{path} has no row that is ok")
        self.path = path

    def rows_with(self, **shown):
        """The rows whose fields have one of these texts."""
        rows = [row for row in self.rows if all(value(row, field) in texts for field, texts in shown.items())]
        if not rows:
            raise NoRows(f"{self.path} has no row of it")
        return rows


def table_path(results, kind, name):
    """Tables in bench/results/ have the device's name in theirs; those of a run of one's own need not."""
    own, kept = (os.path.join(results, "-".join(filter(None, parts)) + ".csv") for parts in
                 ((kind, name), (kind, "h200", name)))
    return own if os.path.exists(own) else kept


# A knob counts for the algorithm that it belongs to alone: its family.
KNOB_FAMILIES = {"cycle_flags": "2", "super_mode": "6"}


def value(row, field):
    """The text of a field: a column, a number of the case's name, or a knob; "": the row has none."""
    if field in row:
        return row[field]
    if field == "layout":
        return row["from"]
    if field == "matrix":
        return row["case"].split(",")[0]
    if field == "tile":
        return row["from_tile"] if int(row["from_tile"]) else row["to_tile"]
    if field == "spreading":
        flags = value(row, "cycle_flags")
        return flags and str(32 // int(flags))
    if field == "us":
        return str(2e-3 * float(row["rows"]) * float(row["cols"]) * float(row["element_bytes"]) / float(row["gb_per_s"]))
    if field == "longer":
        return str(max(int(row["rows"]), int(row["cols"])))
    if field in ("order", "side", "planes"):  # of "2x1024x1024>0.2.1"
        extents, _, order = row["axes"].partition(">")
        sides = sorted(int(extent) for extent in extents.split("x"))
        return {"order": order, "side": str(sides[-1]), "planes": f'{row["algorithm"]}, {sides[0]} planes'}[field]
    numbers = re.findall(r"\d+", row.get("case", ""))
    if field in ("words", "super"):
        return numbers[-1]
    if field in ("leaves", "columns"):
        return numbers[0]
    knobs = dict(knob.split("=") for knob in row["knobs"].split())
    family = KNOB_FAMILIES.get(field)
    return knobs.get(field, "") if family in (None, knobs.get("family", family)) else ""


def called(field, text):
    names = FIELDS[field][1]
    return names.get(text, text) if isinstance(names, dict) else names.format(text)


def series_of(rows, x, by):
    """{values of `by`: {x: median share}}; of an even number the lower one in the middle."""
    shares = {}
    for row in rows:
        points = shares.setdefault(tuple(value(row, field) for field in by), {})
        points.setdefault(value(row, x), []).append(float(row["share_percent"]))
    return {key: {x: statistics.median_low(ys) for x, ys in points.items()}
            for key, points in shares.items()}


NOTE = ""  # what --note says, as the paper's own values


def titled(figure, title, origin):
    """The title and, below it and smaller, where the numbers come from; both are in inches."""
    width, height = figure.get_size_inches()
    figure.text(0.1 / width, 1 - 0.27 / height, title, fontsize=12)
    figure.text(0.1 / width, 1 - 0.48 / height, origin, color="#666666")
    if NOTE:
        figure.text(0.1 / width, 1 - 0.65 / height, "the paper: " + NOTE, color="#666666", fontsize=8)


def x_axis(axes, spacing, texts):
    """Returns where each text of x lies, and sets the ticks."""
    if spacing == "even":
        places = {text: place for place, text in enumerate(texts)}
        axes.set_xticks(range(len(texts)), texts)
        return places
    places = {text: float(text) for text in texts}
    if spacing == "log":
        low, high = min(places.values()), max(places.values())
        axes.set_xscale("log", base=2)
        axes.set_xticks([tick for tick in (1 << n for n in range(32)) if low <= tick <= high])
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        span = max(places.values()) - min(places.values())
        axes.xaxis.set_major_locator(MultipleLocator(32 if span > 80 else 4 if span > 40 else 2))
    return places


def lines_draw(results, name):
    """The share of a copy's speed over x, a line for each series; beside each other, what a field parts."""
    title, file, x, spacing, by, part, shown = (LINES[name] + (None, {}))[:7]
    table = Table(table_path(results, "marshal", file))
    rows = table.rows_with(**(shown or {}))
    parts = list(dict.fromkeys(value(row, part) for row in rows)) if part else [""]
    width = 9.2 if len(parts) == 1 else 4.4 * len(parts) + 2.4
    figure, panels = pyplot.subplots(1, len(parts), sharey=True, squeeze=False, figsize=(width, 4.8))
    figure.subplots_adjust(left=0.65 / width, right=1 - 2.5 / width, top=0.81, bottom=0.11, wspace=0.06)
    titled(figure, title, f"{table.origin}, {table.copy}")
    keys = list(series_of(rows, x, by))
    shades = list(dict.fromkeys(key[0] for key in keys))
    dashes = list(dict.fromkeys(key[1:] for key in keys))
    most = 0
    for axes, which in zip(panels[0], parts):
        some = [row for row in rows if not part or value(row, part) == which]
        places = x_axis(axes, spacing, list(dict.fromkeys(value(row, x) for row in some if value(row, x))))
        for key, points in series_of(some, x, by).items():
            style, marker = STYLES[dashes.index(key[1:]) % len(STYLES)]
            at = sorted((places[text], share) for text, share in points.items() if text)
            label = ", ".join(called(field, text) for field, text in zip(by, key) if text)
            line, = axes.plot(*zip(*at), linestyle=style, linewidth=1.2, marker=marker, markersize=3.5,
                              clip_on=False, color=COLOURS[shades.index(key[0]) % len(COLOURS)],
                              markerfacecolor="white" if marker != "o" else None, label=label)
            line.set_gid("series: " + label)
            most = max(most, *points.values())
        axes.set_xlabel(FIELDS[x][0])
        axes.grid(axis="y", color="#dddddd")
        if part:
            axes.set_title(called(part, which), loc="left", fontsize=10)
    top = 100 if most > 50 else 20 if most > 10 else 10 if most > 5 else 5  # of slow algorithms something is seen, too
    panels[0][0].set_ylim(0, max(top, 20 * (int(most) // 20 + 1) if most > 20 else top))
    panels[0][0].set_ylabel("% of a copy")
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="upper left", bbox_to_anchor=(1 - 2.4 / width, 0.83),
                  frameon=False)
    return figure


def shares_of(rows):
    """{(set, element, workspace, algorithm): shares} of the matrices that no cache holds."""
    series = {}
    for row in rows:
        if int(row["rows"]) * int(row["cols"]) * int(row["element_bytes"]) <= CACHE_BYTES:
            continue
        cap = "64 (rows + cols)" if row["cap"] == "linear" else row["cap"] + " %"
        key = f'{row["set"]}, {row["element_bytes"]} bytes, workspace {cap}, {row["algorithm"]}'
        series.setdefault(key, []).append(float(row["share_percent"]))
    return series


def histogram_draw(results, name):
    """How many sizes run at which share of a copy, one histogram below the other."""
    title, names = HISTOGRAMS[name]
    tables = [Table(table_path(results, "transpose", table)) for table in names]
    series = shares_of([row for table in tables for row in table.rows])
    if not series:
        raise NoRows(f"{tables[0].path} has no matrix beyond {CACHE_BYTES >> 20} MiB")
    height = 1.4 * len(series) + 1
    figure, panels = pyplot.subplots(len(series), sharex=True, squeeze=False, figsize=(8.6, height))
    figure.subplots_adjust(left=0.08, right=0.96, top=1 - 0.85 / height, bottom=0.5 / height,
                           hspace=0.55)
    titled(figure, title, f"{tables[0].origin}, matrices beyond {CACHE_BYTES >> 20} MiB")
    for number, (key, shares) in enumerate(sorted(series.items())):
        axes, median = panels[number][0], statistics.median_high(shares)
        bars = axes.hist([min(share, 59.9) for share in shares], bins=range(0, 61, 2), rwidth=0.94,
                         color=COLOURS[number % len(COLOURS)])[2]
        for bar in bars:
            bar.set_gid(f"bar: {key}")
        axes.axvline(median, color="black", linestyle="--", linewidth=1)
        axes.set_title(f"{key}: {len(shares)} sizes, median {median:.1f} %", loc="left", fontsize=10)
        axes.set_ylabel("sizes")
        axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
        axes.set_xlim(0, 60)
    panels[-1][0].set_xlabel("% of a copy")
    return figure


def tile_map_draw(results, name):
    """A field for each tile: rows downwards, columns across, the darker the faster."""
    title, file, algorithm = TILE_MAPS[name]
    table = Table(table_path(results, "transpose", file))
    speeds = {(int(row["tile_rows"]), int(row["tile_cols"])): float(row["gb_per_s"])
              for row in table.rows_with(algorithm=(algorithm,))}
    best = max(speeds.values())
    downs, acrosses = (sorted({tile[side] for tile in speeds}) for side in (0, 1))
    figure, axes = pyplot.subplots(figsize=(0.55 * len(acrosses) + 1, 0.47 * len(downs) + 1.5))
    width, height = figure.get_size_inches()
    figure.subplots_adjust(left=0.8 / width, right=1 - 0.2 / width, top=1 - 1.1 / height,
                           bottom=0.3 / height)
    titled(figure, title, f"{table.origin}, GB/s, best {best:.0f}; framed: 80 % of it and more")
    for (rows, cols), speed in speeds.items():
        at, part = (acrosses.index(cols), downs.index(rows)), speed / best
        cell = Rectangle((at[0] + 0.04, at[1] + 0.04), 0.92, 0.92, linewidth=1.5,
                         facecolor=matplotlib.colormaps["Blues"](0.9 * part),
                         edgecolor="black" if part >= 0.8 else "none")
        cell.set_gid(f"tile: {rows} x {cols}")
        axes.add_patch(cell)
        axes.text(at[0] + 0.5, at[1] + 0.5, f"{speed:.0f}", ha="center", va="center",
                  color="white" if part > 0.65 else "black")
    axes.set(xlim=(0, len(acrosses)), ylim=(len(downs), 0), xlabel="columns of a tile",
             ylabel="rows of a tile")
    axes.set_xticks([n + 0.5 for n in range(len(acrosses))], acrosses)
    axes.set_yticks([n + 0.5 for n in range(len(downs))], downs)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def landscape_draw(results, name):
    """A field for each size: rows downwards, columns across, the darker the nearer to a copy's speed. A row of panels
    for each algorithm and workspace, a column for each size of an element."""
    title, file = LANDSCAPES[name]
    table = Table(table_path(results, "transpose", file))
    rows = table.rows_with(set=("landscape",))
    kinds = list(dict.fromkeys((row["algorithm"], row["cap"]) for row in rows))
    elements = sorted({int(row["element_bytes"]) for row in rows})
    height = 4 * len(kinds) + 0.9
    figure, panels = pyplot.subplots(len(kinds), len(elements), squeeze=False,
                                     figsize=(max(6.8, 4.2 * len(elements) + 1.2), height))
    figure.subplots_adjust(left=0.12, right=0.97, top=1 - 0.88 / height, bottom=0.54 / height,
                           wspace=0.3, hspace=0.35)
    shares = [float(row["share_percent"]) for row in rows]
    titled(figure, title, f"{table.origin}, % of a copy: {min(shares):.0f} to {max(shares):.0f}, "
                          f"median {statistics.median(shares):.0f}")
    for down, (algorithm, cap) in enumerate(kinds):
        for axes, element in zip(panels[down], elements):
            some = [row for row in rows if int(row["element_bytes"]) == element
                    and (row["algorithm"], row["cap"]) == (algorithm, cap)]
            if not some:
                axes.set_visible(False)
                continue
            step = min(int(row["cols"]) for row in some), min(int(row["rows"]) for row in some)
            for row in some:
                share = float(row["share_percent"])
                at = int(row["cols"]) - step[0], int(row["rows"]) - step[1]
                cell = Rectangle(at, step[0], step[1], linewidth=0,
                                 facecolor=matplotlib.colormaps["viridis"](min(share, 100) / 100))
                cell.set_gid(f'size: {row["rows"]} x {row["cols"]}, {element} bytes, {share:.0f} %')
                axes.add_patch(cell)
            axes.set(xlim=(0, max(int(row["cols"]) for row in some)),
                     ylim=(max(int(row["rows"]) for row in some), 0), xlabel="columns", ylabel="rows")
            named = "" if len(kinds) == 1 else f", {algorithm}, workspace {cap}"
            axes.set_title(f"{element} bytes{named}", loc="left", fontsize=10)
    return figure


def curves_draw(results, name):
    """y over x as they stand in the table, a line for each series."""
    title, kind, file, shown, x, spacing, y, by = CURVES[name]
    tables = [Table(table_path(results, kind, one)) for one in file.split() or [""]]
    table, rows = tables[0], [row for one in tables for row in one.rows_with(**shown)]
    figure, axes = pyplot.subplots(figsize=(9.2, 4.4))
    figure.subplots_adjust(left=0.08, right=0.79, top=0.83, bottom=0.12)
    titled(figure, title, f"{table.origin}, {table.copy}")
    for number, key in enumerate(dict.fromkeys(value(row, by) for row in rows)):
        at = sorted((float(value(row, x)), float(value(row, y))) for row in rows if value(row, by) == key)
        line, = axes.plot(*zip(*at), linewidth=1.1, marker="o" if len(at) < 80 else None, markersize=3,
                          color=COLOURS[number % len(COLOURS)], label=key)
        line.set_gid(f"series: {key}")
    if spacing == "log":
        axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.set(xlabel=CURVES_LABELS[x], ylabel=CURVES_LABELS[y])
    axes.grid(axis="y", color="#dddddd")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), frameon=False)
    return figure


# ---- what needs no device ----


def arithmetic_write(results, name, head, rows):
    """The table beside a picture that is computed."""
    with open(os.path.join(results, f"{name}.csv"), "w", encoding="utf-8") as file:
        file.write("# by arithmetic, bench/figures.py\n" + ",".join(head) + "\n")
        file.writelines(",".join(str(part) for part in row) + "\n" for row in rows)


def cycles_draw(results, name):
    """How many cycles of more than one element a transposition has (figure 4.6 of the thesis)."""
    def cycles(rows, cols):
        seen, count = set(), 0
        for first in range(1, rows * cols - 1):
            at, length = first, 0
            while at not in seen:
                seen.add(at)
                at, length = at * rows % (rows * cols - 1), length + 1
            count += length > 1
        return count
    counts = {(m, n): cycles(m, n) for m in range(2, 31) for n in range(2, 31)}
    arithmetic_write(results, name, ("rows", "cols", "cycles"), [(*size, count) for size, count in counts.items()])
    figure, axes = pyplot.subplots(figsize=(7, 6))
    figure.subplots_adjust(top=0.86)
    others = [count for (m, n), count in counts.items() if m != n]
    titled(figure, "Cycles of a transposition (figure 4.6)", f"by arithmetic; square {max(counts.values())} at most, others "
           f"{max(others)}, median {statistics.median(others):.0f}")
    shown = axes.imshow([[counts[m, n] for n in range(2, 31)] for m in range(2, 31)], extent=(1.5, 30.5, 30.5, 1.5), vmax=60)
    figure.colorbar(shown, label="cycles (60 and more alike)")
    axes.set(xlabel="columns", ylabel="rows")
    return figure


def conflicts_draw(results, name):
    """How many lanes of a warp meet at one word of flags, and at one bank, when PTTWAC takes its flags (the conflict halves of
    figures 4.11 and 4.13): the mean of the first eight steps of eight warps, 32 banks."""
    def degrees(width, tile, flags, pad):
        position, bank, warps = 0, 0, 0
        for warp in range(8):
            lanes = list(range(32 * warp, 32 * warp + 32))
            for _ in range(8):
                lanes = [lane % width * tile + lane // width for lane in lanes]
                words = [lane // flags for lane in lanes]
                words = [word + word // 32 for word in words] if pad else words
                position += max(words.count(word) for word in words)
                banks = [word % 32 for word in set(words)]
                bank += max(banks.count(one) for one in banks)
                warps += 1
        return position / warps, bank / warps
    rows = [(width, tile, 32 // flags, pad, *degrees(width, tile, flags, pad)) for width in (39, 40, 59, 62, 197, 215)
            for tile in (16, 32, 64) for flags in (32, 16, 8, 4, 2, 1) for pad in (0, 1)]
    arithmetic_write(results, name, ("words", "tile", "spreading", "pad", "lanes_at_a_word", "words_at_a_bank"), rows)
    figure, panels = pyplot.subplots(2, 3, sharex=True, sharey="row", figsize=(12, 7))
    figure.subplots_adjust(left=0.06, right=0.86, top=0.87, bottom=0.08, wspace=0.06)
    titled(figure, "Conflicts of a warp at its flags (figures 4.11, 4.13)", "by arithmetic, 32 banks; dashed: padded")
    for across, tile in enumerate((16, 32, 64)):
        for down, what in enumerate(("lanes at a word", "words at a bank")):
            for number, width in enumerate((39, 40, 59, 62, 197, 215)):
                for pad in (0, 1):
                    some = [row for row in rows if row[:2] == (width, tile) and row[3] == pad]
                    panels[down][across].plot([str(row[2]) for row in some], [row[4 + down] for row in some], STYLES[pad][0],
                                              color=COLOURS[number], label=None if pad else f"{width} words")
            panels[down][across].set(title=f"tiles of {tile}" if not down else "", ylabel=what if not across else "",
                                     xlabel="spreading factor" if down else "")
    panels[0][2].legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), frameon=False)
    return figure


FIGURES = {"cycles-count": (cycles_draw, "cycles-count"), "flags-conflicts": (conflicts_draw, "flags-conflicts"),
           **{f"marshal-{name}": (lines_draw, name) for name in LINES},
           **{f"transpose-{name}": (histogram_draw, name) for name in HISTOGRAMS},
           **{f"transpose-{name}": (tile_map_draw, name) for name in TILE_MAPS},
           **{f"transpose-{name}": (landscape_draw, name) for name in LANDSCAPES},
           **{name: (curves_draw, name) for name in CURVES}}


def main():
    parser = argparse.ArgumentParser(description="Draws docs/figures/ from bench/results/.")
    parser.add_argument("--results", default=os.path.join(ROOT, "bench", "results"), metavar="FOLDER")
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "figures"), metavar="FOLDER")
    parser.add_argument("--note", default="", metavar="TEXT", help="what the paper says, for the title")
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=", ".join(FIGURES))
    arguments = parser.parse_args()
    global NOTE
    NOTE = arguments.note
    unknown = [name for name in arguments.figures if name not in FIGURES]
    if unknown:
        parser.error(f"{unknown[0]} is not a figure; they are {', '.join(FIGURES)}")
    # Text stays text, and the same table gives the same bytes.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "DL", "font.size": 10,
                            "axes.spines.top": False, "axes.spines.right": False})
    os.makedirs(arguments.out, exist_ok=True)
    for figure in arguments.figures or FIGURES:
        draw, name = FIGURES[figure]
        try:
            drawn = draw(arguments.results, name)
        except NoRows as missing:
            if arguments.figures:
                sys.exit(f"figures.py: {figure}: {missing}: measure it first")
            print(f"figures.py: {figure} is left out: {missing}")
            continue
        drawn.savefig(os.path.join(arguments.out, f"{figure}.svg"),
                      metadata={"Date": None, "Creator": "bench/figures.py"})
        pyplot.close(drawn)


if __name__ == "__main__":
    main()
