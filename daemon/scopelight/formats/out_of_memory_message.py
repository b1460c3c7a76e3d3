"""What a message about memory that ran out says: how much was asked for, how much there is, what takes it.

The messages are those of XLA's allocators (``Out of memory allocating 4096 bytes``), of the TPU's runtime (``Attempting
to allocate 15.36G. ... There are 14.96G free``), of its compiler (``HLO temporaries (53.84G) exceeds available HBM
(15.75G)``, ``Used 24.08G of 15.48G hbm``) and of numpy. Compilers may list the largest buffers with their lines.
"""

import re
from collections.abc import Iterator
from typing import Final

import attrs

_UNITS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_SIZE: Final = r"(\d{1,20}(?:\.\d{0,6})?) ?(?:([KMGTP])(?:i?B)?|[Bb]ytes|B)\b"

_REQUESTED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"out of memory (?:while trying to )?allocat(?:e|ing) {_SIZE}",
        rf"attempting to (?:allocate|reserve) {_SIZE}",
        rf"(?:failed|unable) to allocate (?:request for )?{_SIZE}",
        rf"required for HLO temporaries \({_SIZE}\)",
        rf"used {_SIZE} of ",
    )
)
_LIMIT: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"exceeds available \w+ \({_SIZE}\)",
        rf"used [\d.]+ ?\w+ of {_SIZE}",
        rf"there are {_SIZE} free",
    )
)
_OF_COMPILER: Final = re.compile(
    r"compile permanent error|CompileTime\w*Oom|HLO temporaries|memory space hbm|program hbm requirement", re.IGNORECASE
)
_BUFFER: Final = re.compile(rf"^\s*(?:\d+\.\s+)?Size: {_SIZE}")
_FIELD: Final = re.compile(
    r"^\s*(Operator|Shape|Entry Parameter Subshape|XLA Label|Allocation type): (.*)$", re.IGNORECASE
)
_QUOTED: Final = re.compile(r'(op_name|source_file)="([^"]*)"')
_LINE: Final = re.compile(r"\bsource_line=(\d{1,9})\b")
MOST_BUFFERS: Final = 100


@attrs.frozen(slots=True)
class ListedBuffer:
    """A buffer that the compiler lists among the largest. What it does not say is an empty text, or None."""

    bytes: int
    what: str
    op_name: str
    path: str
    line: int | None


@attrs.frozen(slots=True)
class OutOfMemoryText:
    """What a message says. Sizes that it writes in units, to two or three digits, are as exact as that."""

    requested_bytes: int | None
    limit_bytes: int | None
    is_of_compiler: bool
    buffers: tuple[ListedBuffer, ...]


def read_out_of_memory(message: str) -> OutOfMemoryText:
    """Read a message; what it does not say is None or empty."""
    return OutOfMemoryText(
        requested_bytes=_first_size(_REQUESTED, message),
        limit_bytes=_first_size(_LIMIT, message),
        is_of_compiler=_OF_COMPILER.search(message) is not None,
        buffers=tuple(_buffers(message)),
    )


def _first_size(patterns: tuple[re.Pattern[str], ...], message: str) -> int | None:
    for pattern in patterns:
        found = pattern.search(message)
        if found:
            return _size_bytes(*found.groups())
    return None


def _size_bytes(number: str, unit: str | None) -> int:
    power = _UNITS[(unit or "").upper()]
    factor: int = 1 << (10 * power)
    return int(number) * factor if number.isdecimal() else round(float(number) * factor)


def _buffers(message: str) -> Iterator[ListedBuffer]:
    size_bytes: int | None = None
    fields: dict[str, str] = {}
    found = 0
    # A last line that is none, so that the last buffer ends.
    for line in (*message.splitlines(), "===="):
        begins = _BUFFER.match(line)
        if size_bytes is not None and (begins or line.lstrip().startswith("====")):
            yield _listed(size_bytes, fields)
            size_bytes, found = None, found + 1
            if found == MOST_BUFFERS:
                return
        if begins:
            size_bytes, fields = _size_bytes(*begins.groups()), {}
        elif size_bytes is not None and (field := _FIELD.match(line)):
            fields.setdefault(field.group(1).lower(), field.group(2).strip())


def _listed(size_bytes: int, fields: dict[str, str]) -> ListedBuffer:
    operator = fields.get("operator", "")
    quoted = dict(_QUOTED.findall(operator))
    line = _LINE.search(operator)
    shape = fields.get("shape") or fields.get("entry parameter subshape", "")
    kind = fields.get("allocation type") or ("parameter" if "entry parameter subshape" in fields else "")
    label = fields.get("xla label", "").partition(" = ")[0]
    return ListedBuffer(
        bytes=size_bytes,
        what=" ".join(part for part in (kind, label, shape) if part),
        op_name=quoted.get("op_name", ""),
        path=quoted.get("source_file", ""),
        line=int(line.group(1)) if line else None,
    )
