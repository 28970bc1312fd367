#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""draw_layouts.py FOLDER: draws the pictures of how-it-works.md, of eight structs of four fields in
each layout. The test docs_pictures holds the committed ones against it."""
import os
import sys

FIELDS, STRUCTS, CELL, LEFT = "xyzw", 8, 27, 8
STYLE = """<style>
text { font: 12px sans-serif; fill: #222 } .cell { stroke: #666 } .sector { fill: none; stroke: #c00; stroke-width: 3 }
.way { stroke: #222; fill: none } .x { fill: #9ecae1 } .y { fill: #fdd0a2 } .z { fill: #c7e9c0 } .w { fill: #dadaeb }
.box { fill: #eee; stroke: #666 } .moved { fill: #9ecae1; stroke: #666 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .cell, .box, .moved { stroke: #999 } .sector { stroke: #f66 } .way { stroke: #ddd }
.x { fill: #2b5c7d } .y { fill: #8a5a20 } .z { fill: #33691e } .w { fill: #54487a } .box { fill: #333 } .moved { fill: #2b5c7d } }
</style>"""


def place(struct, field, tile):
    """The formula of layout/formula.h with four fields of one cell each."""
    return (struct - struct % tile) * len(FIELDS) + tile * field + struct % tile


def svg(width, height, title, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n'
            f"<title>{title}</title>\n{STYLE}\n" + "\n".join(body) + "\n</svg>\n")


def layout(title, tile):
    body, top = [], 66
    for struct in range(STRUCTS):
        for number, field in enumerate(FIELDS):
            at = LEFT + place(struct, number, tile) * CELL
            body.append(f'<rect class="cell {field}" x="{at}" y="{top}" width="{CELL}" height="{CELL}"/>'
                        f'<text x="{at + CELL / 2}" y="{top + 18}" text-anchor="middle">{field}{struct}</text>')
    sectors = set()
    for item in range(4):
        to = place(item, 0, tile)
        sectors.add(to // 4)
        start = LEFT + (2 + item * 4) * CELL
        body.append(f'<text x="{start}" y="18" text-anchor="middle">work-item {item}</text>'
                    f'<path class="way" d="M{start} 24 L{LEFT + (to + 0.5) * CELL} {top - 4}"/>')
    for sector in sorted(sectors):
        body.append(f'<rect class="sector" x="{LEFT + sector * 4 * CELL}" y="{top - 2}" '
                    f'width="{4 * CELL}" height="{CELL + 4}"/>')
    reads = "1 sector is read" if len(sectors) == 1 else f"{len(sectors)} sectors are read"
    body.append(f'<text x="{LEFT}" y="{top + 50}">Four work-items read x of their structs: {reads}.</text>')
    return svg(2 * LEFT + STRUCTS * len(FIELDS) * CELL, top + 62, title, body)


def life():
    steps = (("host writes", "structs", "box"), ("convert in place", "on the device", "moved"),
             ("kernel, kernel, ...", "read tiles", "moved"), ("host reads a part", "gathered from tiles", "moved"),
             ("kernel, kernel, ...", "read tiles", "moved"), ("host reads all", "converted back", "box"))
    body = ['<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
            '<path class="way" d="M0 0 L8 4 L0 8"/></marker></defs>']
    for number, (first, second, kind) in enumerate(steps):
        at = LEFT + number * 148
        body.append(f'<rect class="{kind}" x="{at}" y="10" width="126" height="52" rx="6"/>'
                    f'<text x="{at + 63}" y="32" text-anchor="middle">{first}</text>'
                    f'<text x="{at + 63}" y="50" text-anchor="middle">{second}</text>')
        if number:
            body.append(f'<path class="way" d="M{at - 22} 36 L{at} 36" marker-end="url(#tip)"/>')
    return svg(2 * LEFT + 5 * 148 + 126, 72, "The life of a buffer under DL", body)


def main():
    folder = sys.argv[1]
    for name, text in (("layout-aos", layout("AoS: an array of structs", 1)),
                       ("layout-asta", layout("ASTA: a struct of arrays in each tile of four structs", 4)),
                       ("layout-da", layout("DA: one array a field", STRUCTS)),
                       ("life-of-a-buffer", life())):
        with open(os.path.join(folder, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
