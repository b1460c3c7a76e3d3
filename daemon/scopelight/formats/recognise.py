"""Detects a file's type by its content: a compiled program, or another format to name in the error."""

import zlib
from typing import Final

from scopelight.formats.wire import SPAN, Buffer, scan_message
from scopelight.phrase import Phrase

_GZIP: Final = b"\x1f\x8b"
_TRACE: Final = Phrase("it is a trace of Chrome or Perfetto in JSON; open the *.xplane.pb that was written beside it")
_SIGNATURES: Final = (
    # A snapshot of memory was taken for one before this is asked: it is read as it is.
    (
        _GZIP,
        Phrase("it is compressed with gzip and holds no memory snapshot (pprof); decompress any other profile first"),
    ),
    (b"PK\x03\x04", Phrase("it is a zip archive; unpack it first")),
    (b"\xfd7zXZ\x00", Phrase("it is compressed with xz; decompress it first")),
    (b"BZh", Phrase("it is compressed with bzip2; decompress it first")),
    (b"\x28\xb5\x2f\xfd", Phrase("it is compressed with zstd; decompress it first")),
    (b"\x89PNG", Phrase("it is a PNG picture")),
    (b"\xff\xd8\xff", Phrase("it is a JPEG picture")),
    (b"%PDF", Phrase("it is a PDF document")),
    (b"\x7fELF", Phrase("it is an executable or a shared library")),
    (b"\x89HDF", Phrase("it is an HDF5 file")),
    (b"SQLite format 3", Phrase("it is an SQLite database")),
    (b"version https://git-lfs", Phrase("it is a Git LFS pointer; fetch the file itself with 'git lfs pull'")),
)
_REPLACEMENT: Final = b"\xef\xbf\xbd"
_TEXT_BYTES: Final = frozenset(range(32, 127)) | {9, 10, 12, 13}


def signature(head: bytes) -> Phrase | None:
    """What the file's first bytes mark it as, or None. No profile starts with one of these signatures."""
    if head.startswith(_GZIP) and _is_trace(_inflated(head)):
        return _TRACE
    return next((meaning for mark, meaning in _SIGNATURES if head.startswith(mark)), None)


def resemblance(buffer: Buffer) -> Phrase | None:
    """What bytes that failed to read as a profile look like, or None where nothing is recognised."""
    head = bytes(buffer[:65536])
    if _is_trace(head):
        return _TRACE
    if head.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")):
        return Phrase("it is a web page; open it in a browser")
    if all(byte in _TEXT_BYTES for byte in head):
        return Phrase("it is a text file")
    if head.count(_REPLACEMENT) >= 8 and "\ufffd" not in head.replace(_REPLACEMENT, b"")[:-3].decode(errors="replace"):
        return Phrase("a text conversion has replaced every byte above 127; copy it again as a binary file")
    program = program_message(buffer)
    return Phrase("it looks like a compiled program ({message})", message=program) if program else None


def _inflated(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, 65536)
    except zlib.error:
        return b""


def _is_trace(text: bytes) -> bool:
    begin = text.lstrip()
    if begin.startswith(b"["):
        # The events alone, as Chrome reads them as well.
        return begin[1:].lstrip().startswith(b"{") and b'"ph"' in begin
    return begin.startswith(b"{") and (b'"traceEvents"' in text or b'"displayTimeUnit"' in text)


def program_message(buffer: Buffer) -> str | None:
    """Which message of a compiled program bytes are: ``HloModuleProto``, ``HloProto``, or None. No profile is either.

    Only the outermost fields are looked at: whether it can be read its reader says.
    """
    if _is_hlo_module(buffer, 0, len(buffer)):
        return "HloModuleProto"
    outer = scan_message(buffer, 0, len(buffer))
    if outer.fault[0] or len(spans := outer.spans(1)) != 1:
        return None
    first, last = spans[0].tolist()
    return "HloProto" if _is_hlo_module(buffer, first, last) else None


def _is_hlo_module(buffer: Buffer, first: int, last: int) -> bool:
    """Whether fields 1 to 3 are spans only, as a module's name, entry computation and computations are."""
    message = scan_message(buffer, first, last)
    if message.fault[0] or not len(message.rows):
        return False
    tags = set(message.rows[:, 0].tolist())
    return {1 << 3 | SPAN, 2 << 3 | SPAN, 3 << 3 | SPAN} <= tags and not tags & {1 << 3, 2 << 3, 3 << 3}
