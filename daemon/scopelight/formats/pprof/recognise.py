"""Whether a file is a pprof profile: apart from its reader, which other files need not wait for."""

import zlib
from pathlib import Path
from typing import Final

GZIP: Final = b"\x1f\x8b"
_HEAD_BYTES: Final = 4096


def is_pprof_file(path: Path) -> bool:
    """Whether a file is a pprof profile, by its content: of a compressed one its beginning is looked at."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        # What cannot be read at all is for the reader of profiles to say.
        return False
    if head.startswith(GZIP):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD_BYTES)
        except zlib.error:
            return False
    return _begins_with_sample_types(head)


def _begins_with_sample_types(head: bytes) -> bool:
    """Whether bytes begin with one or two small messages of a type and a unit, field 1, and a sample, field 2, follows.

    An XSpace begins with planes, which are larger and hold other fields; a compiled program with a name or a module.
    """
    place, types = 0, 0
    while head[place : place + 1] == b"\x0a" and types < 8:
        size = head[place + 1] if place + 1 < len(head) else 0x80
        body = head[place + 2 : place + 2 + size]
        # Both are indices into a table of texts: small varints of fields 1 and 2.
        if not 2 <= size <= 12 or len(body) != size or body[0] != 0x08:
            return False
        place += 2 + size
        types += 1
    return types > 0 and head[place : place + 1] == b"\x12"
