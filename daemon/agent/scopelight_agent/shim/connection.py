"""Lines of JSON to and from the launcher, over the socket that the script's process inherited."""

import json
import select
import socket
import threading
import time
from contextlib import suppress
from typing import Any


class Connection:
    """A socket that never stops the script: a launcher that died or does not listen is ignored."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._unread = b""
        self._sending = threading.Lock()
        self.alive = True

    def fileno(self) -> int:
        """The descriptor to wait on."""
        return self._socket.fileno()

    def send(self, event: str, **fields: Any) -> None:  # noqa: ANN401 (anything that JSON can hold)
        """Tell the launcher; gives up after two seconds, since the script matters more."""
        line = json.dumps({"event": event, "time": time.time(), **fields}).encode() + b"\n"
        # MSG_NOSIGNAL: a script that restored SIGPIPE must not die of ours.
        flags = getattr(socket, "MSG_NOSIGNAL", 0) | socket.MSG_DONTWAIT
        give_up = time.monotonic() + 2.0
        with self._sending:
            while line and self.alive:
                try:
                    line = line[self._socket.send(line, flags) :]
                except BlockingIOError:
                    if time.monotonic() > give_up:
                        self.alive = False
                    select.select([], [], [], 0.005)
                except OSError:
                    self.alive = False

    def receive(self) -> list[dict[str, Any]]:
        """The commands that have arrived; call when the descriptor is readable."""
        try:
            data = self._socket.recv(65536)
        except OSError:
            data = b""
        if not data:
            self.alive = False
            return []
        *lines, self._unread = (self._unread + data).split(b"\n")
        return [json.loads(line) for line in lines if line]

    def close(self) -> None:
        """Close this process's end."""
        self.alive = False
        with suppress(OSError):
            self._socket.close()
