# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Pages on the loopback for a real browser, which asks there for the steps that it shall take."""

import http.server
import json
import mimetypes
import pathlib
import threading
import urllib.parse

# The pages ask for a step, take it, tell its result and ask again.
DRIVER = """<script>
(async () => {
  if (document.readyState !== "complete") {
    await new Promise((done) => addEventListener("load", done));
  }
  let result = { page: PAGE };
  for (;;) {
    const answer = await fetch("/step", { method: "POST", body: JSON.stringify(result) });
    const step = (await answer.json()).step;
    if (step === null) return;
    try {
      result = { page: PAGE, value: await (0, eval)(step) };
    } catch (fault) {
      result = { page: PAGE, fault: String(fault) };
    }
  }
})();
</script>"""
# Seconds until a page is there, and until a step is taken.
LOAD = 30
STEP = 10


class Fault(Exception):
    """A step that cannot be taken."""


class Pages:
    """The pages of one browser, and the steps that its present page takes."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.made = {}
        self.changed = threading.Condition()
        self.count = 0  # of the pages that were served
        self.present = 0  # the page that has asked last
        self.step = None
        self.result = None
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.reply(*pages.page(urllib.parse.unquote(self.path.split("?")[0])))

            def do_POST(self):
                length = int(self.headers.get("Content-Length", 0))
                step = pages.exchange(json.loads(self.rfile.read(length)))
                self.reply(200, "application/json", json.dumps({"step": step}).encode())

            def reply(self, status, kind, body):
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(body)))
                    self.send_header("Cache-Control", "no-store")
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # The page has been left.

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # A browser ends connections in the middle when it leaves a page.

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def page(self, path):
        """A page that was made, or a file of the suites; pages get the driver."""
        if path in self.made:
            return 200, "text/html; charset=utf-8", self.driven(self.made[path])
        file = (self.root / path.lstrip("/")).resolve()
        if not file.is_file() or self.root not in file.parents:
            return 404, "text/plain", b""
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if kind == "text/html":
            text = file.read_text(encoding="utf-8", errors="replace")
            return 200, "text/html; charset=utf-8", self.driven(text)
        return 200, kind, file.read_bytes()

    def driven(self, text):
        with self.changed:
            self.count += 1
            driver = DRIVER.replace("PAGE", str(self.count))
        head, end, tail = text.rpartition("</body>")
        return (f"{head}{driver}{end}{tail}" if end else text + driver).encode()

    def exchange(self, told):
        """Takes what a page tells, and returns its next step; None, when it was left behind."""
        page = told["page"]
        with self.changed:
            if page > self.present:
                self.present, self.step = page, None
            elif page == self.present:
                self.result = told
            self.changed.notify_all()
            self.changed.wait_for(lambda: page != self.present or self.step is not None)
            if page != self.present:
                return None
            step, self.step = self.step, None
            return step

    def run(self, script):
        """Runs statements in the present page, and returns what they return."""
        with self.changed:
            self.result, self.step = None, f"(async () => {{ {script} }})()"
            self.changed.notify_all()
            if not self.changed.wait_for(lambda: self.result is not None, STEP):
                raise Fault("the page does not answer")
            if "fault" in self.result:
                raise Fault(self.result["fault"])
            return self.result.get("value")

    def wait_for_page(self, before):
        with self.changed:
            if not self.changed.wait_for(lambda: self.present > before, LOAD):
                raise Fault("the page is not shown")

    def open(self, path):
        """Shows a page."""
        before = self.present
        address = json.dumps(self.address + path)
        with self.changed:
            self.step = f"location.href = {address}; void 0"
            self.changed.notify_all()
        self.wait_for_page(before)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
