#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""site_links.py FOLDER: each link and picture of a site leads to a file in it, and to a place in the
page where it names one; scripts, styles and pictures come from nowhere else."""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.places = [], [], {"", "top"}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        source = attrs.get("src") or (tag == "link" and attrs.get("href"))
        if source:
            self.loads.append(source)


def main():
    root = sys.argv[1]
    pages = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".html") and name != "404.html":
                path = os.path.join(folder, name)
                pages[os.path.relpath(path, root)] = Page(path)
    wrong = links = 0
    for path, page in sorted(pages.items()):
        for target in page.links + page.loads:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                if target in page.loads:
                    print(f"{path}: loads {target}")
                    wrong += 1
                continue
            links += 1
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) \
                if url.path else path
            if to not in pages and not os.path.isfile(os.path.join(root, to)):
                print(f"{path}: {target} leads nowhere")
                wrong += 1
            elif url.fragment and to in pages and urllib.parse.unquote(url.fragment) not in pages[to].places:
                print(f"{path}: {target}: no such place")
                wrong += 1
    print(f"{len(pages)} pages, {links} links, {wrong} wrong")
    sys.exit(1 if wrong or links < 100 else 0)


if __name__ == "__main__":
    main()
