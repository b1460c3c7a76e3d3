"""What a job has compiled goes with one of its traces, and is put to the others that are taken to watch it.

Without it nobody knows which code launches the steps, hence not when that waits for input; with each trace it would
cost the job more than the trace itself.
"""

from pathlib import Path


class Programs:
    """The programs of one job, as they came with a trace."""

    def __init__(self) -> None:
        self._planes = b""
        self._compiles: int | None = None
        self.are_wanted = True
        """Whether the next trace is to have them."""

    def go_with(self, file: Path, compiles: int) -> None:
        """Put them to a trace, after which the job had compiled so many programs; or keep those that it came with."""
        if self.are_wanted:
            self._planes, self._compiles = _planes_of_programs(file), compiles
        else:
            # A message of protobuf goes on with what is put to it.
            with file.open("ab") as trace:
                trace.write(self._planes)
        self.are_wanted = compiles != self._compiles


def _planes_of_programs(file: Path) -> bytes:
    """The fields of an XSpace that hold programs."""
    from scopelight.formats.hlo.reader import METADATA_PLANE  # noqa: PLC0415 (they load beside the script)
    from scopelight.formats.mapped import map_file  # noqa: PLC0415
    from scopelight.formats.wire import scan_message  # noqa: PLC0415
    from scopelight.formats.xspace.reader import read_xspace  # noqa: PLC0415

    buffer = map_file(file, "profile").bytes
    spans = scan_message(buffer, 0, len(buffer)).spans(1).tolist()
    found = bytearray()
    for plane, (first, last) in zip(read_xspace(file).planes, spans, strict=False):
        if plane.name == METADATA_PLANE:
            found += b"\x0a" + _varint(last - first) + bytes(buffer[first:last])
    return bytes(found)


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
