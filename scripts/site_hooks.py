# SPDX-License-Identifier: MIT
"""What mkdocs.yml needs beyond mkdocs: the site is made from the tree as it is. Documents outside docs/
that the navigation names become pages, manual pages become pages by mandoc, and what else a document
links to (a header, a table of figures) is copied, so that a link that works in the tree works in the
site. A link to what is not there ends the build under --strict, as mkdocs' own do."""
import logging
import os
import re
import subprocess
import tempfile

from mkdocs.structure.files import File

LOG = logging.getLogger("mkdocs.plugins.dl")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MANUAL = re.compile(r"^docs/([\w.-]+\.[1-9])$")
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
work = tempfile.TemporaryDirectory(prefix="dl-site-")


def nav_pages(nav):
    for entry in nav:
        for value in entry.values():
            if isinstance(value, list):
                yield from nav_pages(value)
            else:
                yield value


def in_tree(page):
    """The path in the tree of a page of the site."""
    return page if os.path.exists(os.path.join(ROOT, page)) else "docs/" + page


def in_site(path, pages):
    """The path in the site of a file of the tree."""
    manual = MANUAL.match(path)
    if manual:
        return f"man/{manual[1]}.md"
    if path.startswith("docs/"):
        return path[len("docs/"):]
    return path if path in pages else f"source/{path}.txt"


def links(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        for match in LINK.finditer(file.read()):
            if "://" not in match[2]:
                yield os.path.normpath(os.path.join(os.path.dirname(page), match[2]))


def write(path, text):
    os.makedirs(os.path.dirname(os.path.join(work.name, path)), exist_ok=True)
    with open(os.path.join(work.name, path), "w", encoding="utf-8") as file:
        file.write(text)


def add(files, path, folder, config):
    files.append(File(path, folder, config["site_dir"], config["use_directory_urls"]))


def add_manual(files, name, config):
    html = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", os.path.join(ROOT, "docs", name)],
                          check=True, capture_output=True, text=True).stdout
    stem, section = name.rsplit(".", 1)
    html = re.sub(r"\n\s*\n", "\n", html)  # an empty line would end the block
    html = re.sub(r'<table class="(head|foot)">.*?</table>', "", html, flags=re.S)
    write(f"man/{name}.md", f"# {stem}({section})\n\n<div>{html}</div>\n")
    add(files, f"man/{name}.md", work.name, config)


def on_files(files, config):
    pages = set(nav_pages(config["nav"]))
    for page in pages:
        if os.path.exists(os.path.join(ROOT, page)):
            add(files, page, ROOT, config)
        elif page.startswith("man/"):
            add_manual(files, page[len("man/"):-len(".md")], config)
    copied = set()
    for page in pages:
        if page.startswith("man/"):
            continue
        for path in links(in_tree(page)):
            site_path = in_site(path, pages)
            if site_path.startswith("source/") and os.path.isfile(os.path.join(ROOT, path)):
                copied.add((path, site_path))
    for path, site_path in sorted(copied):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            write(site_path, file.read())
        add(files, site_path, work.name, config)
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.src_path.startswith("man/"):
        return markdown
    pages = set(nav_pages(config["nav"]))
    here = in_tree(page.file.src_path)

    def rewrite(match):
        if "://" in match[2]:
            return match[0]
        path = os.path.normpath(os.path.join(os.path.dirname(here), match[2]))
        target = in_site(path, pages)
        if not files.get_file_from_path(target):
            LOG.warning("%s links to %s, which is not in the site", here, match[2])
        to = os.path.relpath(target, os.path.dirname(page.file.src_path) or ".")
        return match[1] + to + (match[3] or "") + match[4]

    # Comments tell the tests which commands not to run. In a table GitHub wants a bar in code escaped, mkdocs does not.
    markdown = re.sub(r"<!--.*?-->\n?", "", markdown, flags=re.S)
    markdown = re.sub(r"`[^`\n]*`", lambda code: code[0].replace(r"\|", "|"), markdown)
    return LINK.sub(rewrite, markdown)
