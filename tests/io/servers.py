"""Servers on loopback that hold files in memory: a web server, and as much of S3 and of Google's storage as reading needs."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

BUCKET = "bucket"
WHEN = "2024-01-01T00:00:00.000Z"


class Store:
    """Files by their keys, the paths that were asked for, and where the server listens."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.cut = 0
        """So many bytes of every file are promised and never sent."""
        self.address = ""

    def s3(self, key: str, login: str = "name:hidden-secret") -> str:
        """The URL of a key, with a login and options that nobody is to see."""
        return f"s3://{login}@{BUCKET}/{key}?endpoint_override={self.address}&scheme=http&region=hidden-region"

    def gs(self, key: str) -> str:
        """The URL of a key in Google's way."""
        return f"gs://anonymous@{BUCKET}/{key}?endpoint_override={self.address}&scheme=http&retry_limit_seconds=5"

    def http(self, key: str, query: str = "?token=hidden-token") -> str:
        """The URL of a key on the web, signed."""
        return f"http://{self.address}/{BUCKET}/{key}{query}"


def _listing_of_s3(keys: dict[str, int], prefix: str, delimiter: str) -> bytes:
    rows, folders = [], set()
    for key, size in sorted(keys.items()):
        rest = key.removeprefix(prefix)
        if not key.startswith(prefix):
            continue
        if delimiter and delimiter in rest:
            folders.add(prefix + rest.partition(delimiter)[0] + delimiter)
            continue
        rows.append(
            f"<Contents><Key>{escape(key)}</Key><LastModified>{WHEN}</LastModified><ETag>e</ETag><Size>{size}</Size>"
            "<StorageClass>STANDARD</StorageClass></Contents>"
        )
    more = [f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in sorted(folders)]
    count = len(rows) + len(more)
    return (
        '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        f"<Name>{BUCKET}</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{count}</KeyCount><MaxKeys>1000</MaxKeys>"
        f"<IsTruncated>false</IsTruncated>{''.join(rows)}{''.join(more)}</ListBucketResult>"
    ).encode()


def _of_google(key: str, size: int) -> dict[str, str]:
    name = {"kind": "storage#object", "name": key, "bucket": BUCKET, "size": str(size), "generation": "1"}
    return name | {"metageneration": "1", "timeCreated": WHEN, "updated": WHEN}


def _handler(store: Store) -> type[BaseHTTPRequestHandler]:  # noqa: C901
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing."""

        def _send(self, status: int, body: bytes, kind: str = "application/octet-stream", **more: str) -> None:
            self.send_response(status)
            self.send_header("Content-Length", more.pop("length", str(len(body))))
            self.send_header("Content-Type", kind)
            self.send_header("ETag", '"e"')
            self.send_header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
            for name, value in more.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def _file(self, key: str) -> None:
            data = store.files.get(key)
            if data is None:
                self._send(404, b"")
            elif self.command == "HEAD":
                self._send(200, b"", length=str(len(data)))
            elif self.headers.get("Range"):
                first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
                part = data[int(first) : int(last or len(data)) + 1]
                end = int(first) + len(part) - 1
                self._send(206, part, Content_Range=f"bytes {first}-{end}/{len(data)}")
            elif store.cut:
                self._send(200, data[: -store.cut], length=str(len(data)), Connection="close")
                self.close_connection = True
            else:
                self._send(200, data)

        def _google(self, path: str, query: dict[str, list[str]]) -> None:
            key = unquote(path.partition("/o/")[2])
            sizes = {name: len(data) for name, data in store.files.items()}
            if not key:
                prefix = query.get("prefix", [""])[0]
                items = [_of_google(name, size) for name, size in sorted(sizes.items()) if name.startswith(prefix)]
                self._send(200, json.dumps({"kind": "storage#objects", "items": items}).encode(), "application/json")
            elif key not in sizes:
                self._send(404, b'{"error": {"code": 404, "message": "none"}}', "application/json")
            elif query.get("alt") == ["media"]:
                self._file(key)
            else:
                self._send(200, json.dumps(_of_google(key, sizes[key])).encode(), "application/json")

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            query = parse_qs(url.query)
            store.asked.append(f"{self.command} {url.path}")
            if url.path.startswith("/storage/v1/"):
                self._google(url.path, query)
            elif "list-type" in query:
                sizes = {name: len(data) for name, data in store.files.items()}
                listed = _listing_of_s3(sizes, query.get("prefix", [""])[0], query.get("delimiter", [""])[0])
                self._send(200, listed, "application/xml")
            else:
                self._file(unquote(url.path).removeprefix(f"/{BUCKET}").removeprefix("/"))

        do_HEAD = do_GET  # noqa: N815

    return Handler


@contextlib.contextmanager
def serving() -> Iterator[Store]:
    """A store and its server, for as long as it is needed."""
    store = Store()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(store))
    store.address = f"127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
