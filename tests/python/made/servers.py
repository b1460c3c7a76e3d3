"""Servers on this machine that log directories lie on: one of S3's kind, and one of HTTP that lists its folders."""

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

BUCKET = "logs"


@contextmanager
def s3_server(monkeypatch) -> Iterator["S3"]:
    """A server of S3's kind with an empty bucket, which the variables of the environment lead to."""
    from moto.server import ThreadedMotoServer  # noqa: PLC0415 (takes a second to import)

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    try:
        urlopen(f"http://{host}:{port}/moto-api/reset", data=b"").close()
        yield S3(f"http://{host}:{port}")
    finally:
        server.stop()


class S3:
    """The client that tests put files with."""

    def __init__(self, endpoint: str) -> None:
        import boto3  # noqa: PLC0415

        self.endpoint = endpoint
        self.client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
        self.client.create_bucket(Bucket=BUCKET)

    def put(self, folder: Path, prefix: str = "") -> str:
        """Copy a folder; its address."""
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                key = f"{prefix}/{file.relative_to(folder).as_posix()}".lstrip("/")
                self.client.put_object(Bucket=BUCKET, Key=key, Body=file.read_bytes())
        return f"s3://{BUCKET}/{prefix}".rstrip("/")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    asked: list[tuple[str, str]]

    def log_message(self, *_: object) -> None:
        self.asked.append((self.command, self.path))


@contextmanager
def http_server(folder: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A server of a folder; its address, and what it was asked."""
    asked: list[tuple[str, str]] = []
    handler = type("Handler", (_Quiet,), {"asked": asked})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
