"""Show a folder of pages to browsers on this machine, and to nobody else."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from symprivacy.errors import InputError

HOST = "127.0.0.1"
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}


class Handler(SimpleHTTPRequestHandler):
    """Files of one folder: read only, without listings, for requests that were meant for this machine."""

    # A connection that says nothing is closed.
    timeout = 20

    def send_head(self) -> Any:
        """Refuse what was addressed to another name, as foreign pages do that point a name of theirs here."""
        name = (self.headers.get("Host") or "").rpartition(":")[0]
        if name not in (HOST, "localhost"):
            self.send_error(HTTPStatus.FORBIDDEN, "These pages are for this machine only")
            return None
        return super().send_head()

    def guess_type(self, path: Any) -> str:
        """Modules and compiled code under the names that browsers insist on."""
        return _TYPES.get(Path(str(path)).suffix) or super().guess_type(path)

    def list_directory(self, path: Any) -> None:
        """No folder is listed."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """Pages that were built again are read again."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal belongs to whoever started this."""


def server(folder: str | Path, port: int = 0) -> ThreadingHTTPServer:
    """A server on a port of this machine, 0 for any free one; whoever asks for it starts and closes it.

    >>> with server(".") as found:
    ...     found.server_address[0]
    '127.0.0.1'
    """
    try:
        return ThreadingHTTPServer((HOST, port), partial(Handler, directory=str(folder)))
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot serve on port {port}: {error}") from None


def address(found: ThreadingHTTPServer) -> str:
    """Where a browser finds it."""
    return f"http://{HOST}:{found.server_address[1]}/index.html"
