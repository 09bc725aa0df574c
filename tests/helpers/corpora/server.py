"""A web server that breaks off, answers with errors or sends everything anew."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT = bytes(range(256)) * 4000  # 1,024,000 bytes


class Server(ThreadingHTTPServer):
    """Serves CONTENT; `faults` are used up one a request: a status, or how many bytes to send before hanging up."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = CONTENT
        self.ranges = True
        self.faults: list[tuple[str, int]] = []
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
        if start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start : start + value] if kind == "hang up" else content[start:])

    def log_message(self, *_: object) -> None:
        pass
