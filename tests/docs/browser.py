#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browser.py BROWSER FOLDER: every page of a site in a headless browser, 1280 and 390 pixels wide. A page
is wrong where it is wider than the window, a table does not fit 1280 pixels, a picture does not load, or a table shows an escaped bar.
The pages are served from this process; a page of its own loads each in a frame."""
import http.server
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse

WIDTHS = (1280, 390)
HARNESS = """<!doctype html><title>harness</title><body><script>
const pages = %s, widths = %s, wrong = [];
let looked = 0;
const settled = () => new Promise(done => setTimeout(done, 50));
function judge(page, width, inside) {
    const root = inside.scrollingElement;
    if (root.scrollWidth > width) {
        let widest = null, edge = width;
        for (const element of inside.body.querySelectorAll("*")) {
            const right = element.getBoundingClientRect().right;
            if (right > edge) { edge = right; widest = element; }
        }
        wrong.push(`${page}: ${root.scrollWidth} pixels wide in a window of ${width}: ` +
                   (widest ? widest.outerHTML.slice(0, 100) : ""));
    }
    if (width > 1000)
        for (const table of inside.querySelectorAll("table"))
            if (table.scrollWidth > table.clientWidth + 1)
                wrong.push(`${page}: a table of ${table.scrollWidth} pixels in ${table.clientWidth}: ` +
                           table.outerHTML.slice(0, 100));
    for (const image of inside.images)
        if (!image.complete || !image.naturalWidth)
            wrong.push(`${page}: ${image.getAttribute("src")} does not load`);
    for (const cell of inside.querySelectorAll("td, th"))
        if (cell.textContent.includes("\\\\|"))
            wrong.push(`${page}: an escaped bar in a table: ${cell.textContent.slice(0, 60)}`);
    looked++;
}
// One page after another, in a frame that gets each width in turn, as a window does that is made narrower.
async function look(page) {
    const frame = document.createElement("iframe");
    frame.style.height = "800px";
    frame.style.border = "0";
    frame.style.width = widths[0] + "px";
    const loaded = new Promise(done => frame.onload = done);
    frame.src = page;
    document.body.append(frame);
    await loaded;
    for (const width of widths) {
        frame.style.width = width + "px";
        await settled();
        judge(page, width, frame.contentDocument);
    }
    frame.remove();
}
(async () => {
    for (const page of pages)
        await look(page);
    await fetch("/result", {method: "POST", body: JSON.stringify({looked, wrong})});
    document.title = "done";
})();
</script>"""


def main():
    browser, root = sys.argv[1:3]
    pages = sorted(os.path.relpath(os.path.join(folder, name), root)
                   for folder, _, names in os.walk(root) for name in names
                   if name.endswith(".html") and name != "404.html")
    result, over = {}, threading.Event()

    class Server(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=root)

        def log_message(self, *_):
            pass

        def do_GET(self):
            # Its worker would read the index of the whole site again for each page: two fifths of the time.
            if self.path.startswith("/search/"):
                return self.send_error(404)
            if self.path != "/harness":
                return super().do_GET()
            urls = ["/" + urllib.parse.quote(page) for page in pages]
            body = (HARNESS % (json.dumps(urls), json.dumps(WIDTHS))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)
            return None

        def do_POST(self):
            result.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            over.set()

        def copyfile(self, source, outputfile):
            try:
                super().copyfile(source, outputfile)
            except BrokenPipeError:
                pass  # the frame has gone before its font came

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             f"--user-data-dir={profile}", "--remote-debugging-port=0",
             f"http://127.0.0.1:{server.server_port}/harness"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while not over.wait(1) and process.poll() is None:
            pass
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for line in sorted(set(result.get("wrong", []))):
        print(re.sub(r"\s+", " ", line))
    print(f"{len(pages)} pages, {result.get('looked', 0)} looked at, {len(result.get('wrong', []))} wrong")
    sys.exit(0 if result and result["looked"] == len(pages) * len(WIDTHS) and not result["wrong"] else 1)


if __name__ == "__main__":
    main()
