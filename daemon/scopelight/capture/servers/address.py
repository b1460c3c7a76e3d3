"""Where a profiler server listens."""

import re

import attrs

from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.publishing.run_directory import file_name

_PORTS = range(1, 1 << 16)


@attrs.frozen
class Address:
    """A host, by name or number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def name(self) -> str:
        """What the trace of the process that listens there is called among those of others."""
        return file_name(f"{self.host}_{self.port}")


def parse_addresses(text: str) -> tuple[Address, ...]:
    """The addresses of a list with commas, each once. Raises `CaptureFailure` where one has no host or no port."""
    return tuple(dict.fromkeys(_parsed(each.strip()) for each in text.split(",")))


def _parsed(text: str) -> Address:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    # A host is no name of a file, no option and no line: what is printed and sent is what was typed.
    if not re.fullmatch(r"[\w.:%-]+", host) or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) not in _PORTS:
        raise CaptureFailure(
            f"{text!r} is no address: give the host and the port that the job named in start_server,"
            " as localhost:9999.",
            Exit.NO_ADDRESS,
        )
    return Address(host, int(port))
