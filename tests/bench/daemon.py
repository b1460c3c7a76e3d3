"""The daemon as its client sees it: requests over its standard streams, and how long each answer takes."""

import json
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self


class Daemon:
    """A language server without an editor."""

    def __init__(self, python: Path) -> None:
        command = [str(python), "-m", "scopelight.cli.main", "server"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._last = 0
        self.answer("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Tell it something that has no answer."""
        self._send({"method": method, "params": params})

    def answer(self, method: str, params: dict[str, Any]) -> Any:
        """The result of a request. Raises `RuntimeError` with the daemon's sentence where it fails."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._last and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"]["message"])
                return message["result"]
            if "id" in message and "method" in message:
                self._send({"id": message["id"], "result": None})

    def seconds(self, method: str, params: dict[str, Any]) -> tuple[float, Any]:
        """How long a request took, over the pipe and with its JSON read, and its result."""
        start = time.perf_counter()
        result = self.answer(method, params)
        return time.perf_counter() - start, result

    def peak_bytes(self) -> int:
        """The most memory that the daemon had."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while header := self._process.stdout.readline().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("The daemon has ended.")
        return json.loads(self._process.stdout.read(length))
