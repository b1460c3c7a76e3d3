"""pprof: what was alive in memory at a moment, with the Python stacks that made it, as jax's device memory profile."""

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs
from google.protobuf.message import DecodeError

from scopelight.formats.errors import FormatError, Kind
from scopelight.formats.mapped import map_file
from scopelight.formats.pprof import pprof_pb2
from scopelight.formats.pprof.recognise import GZIP
from scopelight.phrase import Phrase

_KIND: Final[Kind] = "memory snapshot"
INFLATED_LIMIT_BYTES: Final = 512 << 20
"""A compressed file that grows beyond this is refused."""
MOST_FRAMES: Final = 256
"""Of one stack, innermost first: deeper than programs nest, and no file can make a stack of millions."""
MOST_FRAMES_IN_ALL: Final = 4_000_000
MOST_STACK_REFERENCES: Final = 50_000_000
_SPACE: Final = ("space", "inuse_space")
_COUNTS: Final = ("allocations", "inuse_objects", "objects")


@attrs.frozen(slots=True)
class PprofFrame:
    """One position of a stack; ``line`` is 1-based, 0 where only the function is known."""

    path: str
    line: int
    function: str


@attrs.frozen(slots=True)
class PprofSample:
    """``count`` things of one ``kind`` (``buffer``, ``executable``) on a ``device``, made at one ``stack``.

    ``bytes`` is what all of them take, None where the writer did not know; frames are innermost first. Labels that
    are not there are empty texts.
    """

    stack: tuple[PprofFrame, ...]
    count: int
    bytes: int | None
    kind: str
    device: str


def read_pprof(path: Path) -> Sequence[PprofSample]:
    """Read a pprof profile of memory, compressed with gzip or not.

    Raises `FormatError` where it is none, holds no memory, or its parts contradict each other.
    """
    data = bytes(map_file(path, _KIND).bytes)
    if data.startswith(GZIP):
        data = _inflated(data, path)
    message = pprof_pb2.Profile()
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise FormatError("its bytes are not a pprof profile", path=path, kind=_KIND) from None
    return _Reader(message, path).samples()


def _inflated(data: bytes, path: Path) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        inflated = stream.decompress(data, INFLATED_LIMIT_BYTES + 1)
    except zlib.error:
        raise FormatError("its compressed bytes are damaged", path=path, kind=_KIND) from None
    if len(inflated) > INFLATED_LIMIT_BYTES:
        raise FormatError(
            "decompressed it has more than {limit} MiB", path=path, kind=_KIND, limit=INFLATED_LIMIT_BYTES >> 20
        )
    if not stream.eof:
        raise FormatError("its compressed bytes end before their end", path=path, kind=_KIND)
    return inflated


class _Reader:
    """Looks up what the samples of one message refer to; every stack is made once."""

    def __init__(self, message: pprof_pb2.Profile, path: Path) -> None:
        self._message = message
        self._path = path
        self._texts = [text.decode("utf-8", "replace") for text in message.string_table]
        self._functions = {function.id: function for function in message.function}
        self._locations = {location.id: location for location in message.location}
        self._frames: dict[int, tuple[PprofFrame, ...]] = {}
        self._stacks: dict[tuple[int, ...], tuple[PprofFrame, ...]] = {}
        self._left = MOST_FRAMES_IN_ALL
        self._references_left = MOST_STACK_REFERENCES

    def samples(self) -> Sequence[PprofSample]:
        types = [self._text(each.type) for each in self._message.sample_type]
        space = next((place for place, name in enumerate(types) if name in _SPACE), None)
        count = next((place for place, name in enumerate(types) if name in _COUNTS), None)
        if space is None or count is None:
            named = ", ".join(types[:4]) or Phrase("nothing")
            raise self._error("it is a pprof profile of {named}, not of memory", named=named)
        return [self._sample(sample, count, space, len(types)) for sample in self._message.sample]

    def _sample(self, sample: pprof_pb2.Sample, count: int, space: int, values: int) -> PprofSample:
        if len(sample.value) != values:
            raise self._error(
                "a sample has {count} values instead of {expected}", count=len(sample.value), expected=values
            )
        labels = {self._text(label.key): label.str for label in sample.label}
        size_bytes = sample.value[space]
        return PprofSample(
            stack=self._stack(tuple(sample.location_id)),
            count=max(0, sample.value[count]),
            # jax writes -1 for an executable whose size its backend does not tell.
            bytes=size_bytes if size_bytes >= 0 else None,
            kind=self._text(labels.get("kind", 0)),
            device=self._text(labels.get("device", 0)),
        )

    def _stack(self, ids: tuple[int, ...]) -> tuple[PprofFrame, ...]:
        self._references_left -= len(ids)
        if self._references_left < 0:
            raise self._error("its stacks are too large")
        ids = ids[:MOST_FRAMES]
        known = self._stacks.get(ids)
        if known is None:
            frames: list[PprofFrame] = []
            for each in ids:
                frames.extend(self._of_location(each))
                if len(frames) >= MOST_FRAMES:
                    break
            known = self._stacks[ids] = tuple(frames[:MOST_FRAMES])
            self._left -= len(known)
            if self._left < 0:
                raise self._error("its stacks are too large")
        return known

    def _of_location(self, location_id: int) -> tuple[PprofFrame, ...]:
        known = self._frames.get(location_id)
        if known is None:
            location = self._locations.get(location_id)
            if location is None:
                raise self._error("a sample names location {location}, which it does not have", location=location_id)
            known = self._frames[location_id] = tuple(self._lines(location))
        return known

    def _lines(self, location: pprof_pb2.Location) -> Iterator[PprofFrame]:
        for line in location.line[:MOST_FRAMES]:
            function = self._functions.get(line.function_id)
            if function is None:
                raise self._error(
                    "a location names function {function}, which it does not have", function=line.function_id
                )
            path = self._text(function.filename)
            yield PprofFrame(path, max(0, line.line), self._text(function.name))

    def _text(self, index: int) -> str:
        if index == 0:
            return ""
        if not 0 < index < len(self._texts):
            raise self._error("it names text {index} of {count}", index=index, count=len(self._texts))
        return self._texts[index]

    def _error(self, cause: str, **values: object) -> FormatError:
        return FormatError(Phrase(cause, **values), path=self._path, kind=_KIND)
