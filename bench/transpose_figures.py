#!/usr/bin/env python3
"""Draws what dl-bench transpose --csv wrote: histograms of the share of a copy, and maps of tile
sizes (figures 4.21 and 4.22 of Sung 2013), as SVG.

usage: bench/transpose_figures.py histogram OUT.svg TITLE FILE.csv...
       bench/transpose_figures.py tiles OUT.svg TITLE ALGORITHM FILE.csv
"""
import csv
import sys
from xml.sax.saxutils import escape

COLOURS = ["#4878a8", "#d1723c", "#5b9a5b", "#8b6aa8", "#a8a048"]
CACHE_BYTES = 64 << 20


def rows_of(path):
    with open(path) as file:
        lines = [line for line in file if not line.startswith("#")]
    return [row for row in csv.DictReader(lines) if row["status"] == "ok"]


def svg(out, width, height, body):
    with open(out, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                   f'font-family="sans-serif" font-size="12">\n'
                   f'<rect width="{width}" height="{height}" fill="white"/>\n')
        file.write("\n".join(body) + "\n</svg>\n")


def text(x, y, words, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def titles(x, title):
    return [text(x, 20 + 18 * line, words) for line, words in enumerate(title.split("; "))]


def series_of(paths):
    """Shares by set, element, cap and algorithm asked for, matrices beyond the cache alone."""
    series = {}
    for path in paths:
        for row in rows_of(path):
            element = int(row["element_bytes"])
            if int(row["rows"]) * int(row["cols"]) * element <= CACHE_BYTES:
                continue
            cap = "64 (rows + cols)" if row["cap"] == "linear" else row["cap"] + " %"
            key = f'{row["set"]}, {element} bytes, workspace {cap}, {row["algorithm"]}'
            series.setdefault(key, []).append(float(row["share_percent"]))
    return series


def histogram(out, title, paths):
    series = series_of(paths)
    most = 60
    bins = most // 2
    left, base, plot_height, plot_width = 50, 70, 90, 640
    body = titles(left, title)
    for number, (key, shares) in enumerate(sorted(series.items())):
        counts = [0] * bins
        for share in shares:
            counts[min(int(share / 2), bins - 1)] += 1
        top = base + number * (plot_height + 50)
        bottom = top + plot_height
        median = sorted(shares)[len(shares) // 2]
        body.append(text(left, top - 8, f"{key}: {len(shares)} sizes, median {median:.1f} %"))
        for b, count in enumerate(counts):
            height = plot_height * count / max(counts)
            body.append(f'<rect x="{left + b * plot_width / bins:.1f}" y="{bottom - height:.1f}" '
                        f'width="{plot_width / bins - 1:.1f}" height="{height:.1f}" '
                        f'fill="{COLOURS[number % len(COLOURS)]}"/>')
        x = left + median / most * plot_width
        body.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="black" '
                    f'stroke-dasharray="3,3"/>')
        body.append(f'<line x1="{left}" y1="{bottom}" x2="{left + plot_width}" y2="{bottom}" '
                    f'stroke="black"/>')
        for tick in range(0, most + 1, 10):
            body.append(text(left + tick / most * plot_width, bottom + 15, f"{tick} %", "middle"))
    svg(out, left + plot_width + 40, base + len(series) * (plot_height + 50), body)


def tiles(out, title, algorithm, path):
    cells = {}
    for row in rows_of(path):
        if row["algorithm"] == algorithm:
            cells[int(row["tile_rows"]), int(row["tile_cols"])] = float(row["gb_per_s"])
    best = max(cells.values())
    downs = sorted({m for m, _ in cells})
    acrosses = sorted({n for _, n in cells})
    left, top, side = 60, 90, 40
    body = titles(10, title)
    body.append(text(10, 60, f"best {best:.0f} GB/s; black frames: 80 % of it and more"))
    for i, m in enumerate(downs):
        body.append(text(left - 8, top + i * side + side / 2 + 4, str(m), "end"))
        for j, n in enumerate(acrosses):
            if (m, n) not in cells:
                continue
            part = cells[m, n] / best
            shade = int(255 - 200 * part)
            frame = "black" if part >= 0.8 else "none"
            body.append(f'<rect x="{left + j * side + 1}" y="{top + i * side + 1}" '
                        f'width="{side - 3}" height="{side - 3}" stroke="{frame}" '
                        f'fill="rgb({shade},{shade},255)"/>')
            body.append(text(left + j * side + side / 2, top + i * side + side / 2 + 4,
                             f"{cells[m, n]:.0f}", "middle"))
    for j, n in enumerate(acrosses):
        body.append(text(left + j * side + side / 2, top - 8, str(n), "middle"))
    body.append(text(left, top + len(downs) * side + 20,
                     "rows of a tile downwards, columns across; GB/s"))
    svg(out, left + len(acrosses) * side + 40, top + len(downs) * side + 40, body)


def main(arguments):
    if len(arguments) >= 5 and arguments[1] == "histogram":
        histogram(arguments[2], arguments[3], arguments[4:])
    elif len(arguments) == 6 and arguments[1] == "tiles":
        tiles(arguments[2], arguments[3], arguments[4], arguments[5])
    else:
        sys.exit(__doc__)


main(sys.argv)
