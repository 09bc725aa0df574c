"""A web server that breaks off, answers with errors, sends everything anew, or nonsense, or too much, or too slowly."""

import contextlib
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT = bytes(range(256)) * 4000  # 1,024,000 bytes


class Server(ThreadingHTTPServer):
    """Serves CONTENT; `faults` are used up one a request, by their name and a value:

    status: it answers with that; hang up: after so many bytes; length: announces that size; endless: goes on until the
    client leaves, without a size; drip: a byte every so many seconds; silent: hangs up without an answer.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = CONTENT
        self.ranges = True
        self.faults: list[tuple[str, int | float | str]] = []
        self.requested: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/data.bin"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.requested.append(wanted)
        kind, value = self.server.faults.pop(0) if self.server.faults else ("", 0)
        content = self.server.content
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.server.ranges else 0
        if kind == "status":
            self.send_error(value)
            return
        if kind == "silent":
            return
        if start >= len(content) > 0:
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if kind != "endless":
            self.send_header("Content-Length", str(value) if kind == "length" else str(len(content) - start))
        self.end_headers()
        with contextlib.suppress(OSError):  # the client has left
            self._send(kind, value, content[start:])

    def _send(self, kind: str, value: float, content: bytes) -> None:
        if kind == "drip":
            for k in range(len(content)):
                self.wfile.write(content[k : k + 1])
                time.sleep(value)
        self.wfile.write(content[:value] if kind == "hang up" else content)
        while kind == "endless":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass
