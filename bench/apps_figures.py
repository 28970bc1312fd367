#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""apps_figures.py [--out FOLDER] RESULTS: draws what dl-bench apps has measured.

RESULTS is the folder of its --out. Of the figures of the thesis (Sung 2013, 5.2 to 5.6), those whose
rows are there are drawn. FOLDER is RESULTS if not given. Needs matplotlib."""
import argparse
import os
import sys

from figures import COLOURS, Table, pyplot, titled  # says so where matplotlib is missing

LAYOUTS = {"asta": COLOURS[1], "da": COLOURS[0], "auto": COLOURS[2]}
STATES = {"cold": COLOURS[0], "warm": COLOURS[3], "remembered": COLOURS[2]}

# name: (title, the row; its beginning is enough)
NET = {
    "thesis-5.4": ("Net speedup with marshaling, LBM (figure 5.4)", "lbm_128"),
    "thesis-5.5": ("Net speedup with marshaling, Black-Scholes (figure 5.5)", "black_scholes"),
    "thesis-5.6": ("Net speedup with marshaling, SpMV, bcsstk18 (figure 5.6)", "spmv_bcsstk18"),
}


class Results:
    def __init__(self, folder):
        self.lengths, self.summary = (Table(os.path.join(folder, name))
                                      for name in ("apps.csv", "summary.csv"))
        self.rows = list(dict.fromkeys(row["row"] for row in self.summary.rows))
        self.cells = {(row["row"], row["layout"], row["state"]): row for row in self.summary.rows}

    def number(self, row, layout, state, column):
        """None: there is no such line, or it says 0, for unknown."""
        line = self.cells.get((row, layout, state))
        return float(line[column]) or None if line else None

    def timeline(self, row, layout, state, column):
        """{length of run: milliseconds}; a row that was written twice counts as it is now."""
        return {int(line["iteration"]): float(line[column]) for line in self.lengths.rows
                if (line["row"], line["layout"], line["state"]) == (row, layout, state)}


def bars(axes, rows, series, colours, base):
    """Horizontal bars from `base`, a group for each row; {name: [a value or None for each row]}."""
    series = {name: values for name, values in series.items() if any(values)}
    height = 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        at = [place + (number - (len(series) - 1) / 2) * height for place in range(len(rows))]
        drawn = axes.barh([y for y, v in zip(at, values) if v is not None],
                          [v - base for v in values if v is not None], height, left=base,
                          color=colours[name], label=name)
        for bar in drawn:
            bar.set_gid(f"bar: {name}")
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)


def tall_figure(count, title, origin):
    height = 0.32 * count + 1.5
    figure, axes = pyplot.subplots(figsize=(9.2, height))
    figure.subplots_adjust(left=0.27, right=0.82, top=1 - 0.7 / height, bottom=0.55 / height)
    titled(figure, title, origin)
    return figure, axes


def speedup(results, row, layout):
    """In steady state, of the kernels and all that DL puts between them."""
    native, other = (results.number(row, which, "warm", "steady_device_us")
                     for which in ("native", layout))
    return native / other if native and other else None


def steady_draw(results, title, rows):
    rows = [row for row in rows if any(speedup(results, row, layout) for layout in LAYOUTS)]
    if not rows:
        return None
    figure, axes = tall_figure(len(rows), title, results.summary.origin)
    bars(axes, rows, {layout: [speedup(results, row, layout) for row in rows]
                      for layout in LAYOUTS}, LAYOUTS, 1)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xlabel("times as fast as native, device time of a step in steady state")
    return figure


def excess_draw(results):
    rows = [row for row in results.rows if any((row, "auto", state) in results.cells
                                               for state in STATES)]
    if not rows:
        return None
    figure, axes = tall_figure(len(rows), "auto over native, at the length of run where it is worst",
                               results.summary.origin)
    series = {state: [results.number(row, "auto", state, "wall_excess_ms") for row in rows]
              for state in STATES}
    bars(axes, rows, series, STATES, 0)
    axes.axvline(0, color="black", linewidth=1)
    for bound in (10, 50):
        axes.axvline(bound, color="#666666", linewidth=1, linestyle="--")
    axes.set_xlabel("milliseconds of the whole process; dashed: 10 and 50, the bounds' constants")
    return figure


def net_draw(results, title, wanted):
    """Native's device time over the layout's, both until the end of a step, conversions included."""
    row = next((row for row in results.rows if row.startswith(wanted)), None)
    native = results.timeline(row, "native", "warm", "device_ms") if row else {}
    if not native:
        return None
    figure, axes = pyplot.subplots(figsize=(9.2, 4.8))
    figure.subplots_adjust(left=0.08, right=0.82, top=0.87, bottom=0.11)
    titled(figure, title, f"{results.summary.origin}, {row}")
    for layout, colour in LAYOUTS.items():
        other = results.timeline(row, layout, "warm", "device_ms")
        points = sorted((n, native[n] / other[n]) for n in native if other.get(n))
        if points:
            line, = axes.plot(*zip(*points), marker="o", markersize=3, color=colour, label=layout)
            line.set_gid(f"series: {layout}")
    axes.axhline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("steps")
    axes.set_ylabel("times as fast as native")
    axes.grid(color="#dddddd")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), frameon=False)
    return figure


def figures_draw(results):
    """Yields (name, figure) of all figures; None for those whose rows are not there."""
    thesis = [row for row in results.rows
              if results.cells.get((row, "native", "warm"), {}).get("set") == "thesis"]
    yield "apps-steady", steady_draw(results, "Layouts beside native, steady state", results.rows)
    yield "apps-excess", excess_draw(results)
    yield "thesis-5.2", steady_draw(results, "Application speedup (figures 5.2 and 5.3)", thesis)
    for name, (title, row) in NET.items():
        yield name, net_draw(results, title, row)


def main():
    parser = argparse.ArgumentParser(description="Draws what dl-bench apps has measured.")
    parser.add_argument("results", metavar="RESULTS")
    parser.add_argument("--out", metavar="FOLDER")
    arguments = parser.parse_args()
    # Text stays text, and the same table gives the same bytes.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "DL", "font.size": 10,
                            "axes.spines.top": False, "axes.spines.right": False})
    out = arguments.out or arguments.results
    os.makedirs(out, exist_ok=True)
    try:
        results = Results(arguments.results)
    except FileNotFoundError as missing:
        sys.exit(f"apps_figures.py: {missing.filename} is not there: run dl-bench apps first")
    for name, drawn in figures_draw(results):
        if drawn is None:
            print(f"apps_figures.py: {name} is left out: its rows were not run")
            continue
        drawn.savefig(os.path.join(out, f"{name}.svg"),
                      metadata={"Date": None, "Creator": "bench/apps_figures.py"})
        pyplot.close(drawn)


if __name__ == "__main__":
    main()
