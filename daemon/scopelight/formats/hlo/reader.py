"""HLO: compiled programs as protobuf messages, from a profile or from a file of their own."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs
from google.protobuf.message import DecodeError

from scopelight.formats.errors import FormatError, Kind
from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.mapped import map_file
from scopelight.formats.recognise import program_message, signature
from scopelight.formats.xspace.events import EventMetadata
from scopelight.formats.xspace.reader import XSpace
from scopelight.phrase import Phrase

METADATA_PLANE: Final = "/host:metadata"
"""Name of the plane that holds the HLO of executed programs, one event metadata entry each."""

_KIND: Final[Kind] = "HLO module"
_NAMES: Final = (".hlo.pb", ".hlo_proto.pb")
_COMPRESSED: Final = (".gz", ".xz")
PROGRAM_NAMES: Final = (*_NAMES, *(name + ending for name in _NAMES for ending in _COMPRESSED))
"""How files of compiled programs end: as XLA dumps them, compressed where it is asked to."""
MOST_BYTES: Final = (1 << 31) - 1
"""No longer message can be."""
_TRAILING_ID: Final = re.compile(r"^(.*)\((\d+)\)$", re.DOTALL)
_PROTO_STATS: Final = ("Hlo Proto", "hlo_proto")


@attrs.frozen(eq=False, repr=False)
class HloBlob:
    """A program in a profile, not yet parsed."""

    program_id: str
    """As executions name it: a decimal string."""
    name: str
    """The module's name without its id."""
    where: str
    """The file and the program in it, for error messages."""
    _events_metadata: EventMetadata = attrs.field(repr=False)
    _span: tuple[int, int] = attrs.field(repr=False)
    """Where its bytes lie in the file."""

    @property
    def data(self) -> bytes:
        """The serialized HloProto, read from the mapped file at each call."""
        return self._events_metadata.file_bytes(*self._span)

    def parse(self) -> hlo_pb2.HloProto:
        """The program; raises a `FormatError` where it cannot be parsed."""
        return parse_hlo_proto(self.data, where=self.where)


def parse_hlo_proto(data: bytes | memoryview, *, where: str) -> hlo_pb2.HloProto:
    """Parse a serialized HloProto; ``where`` names its origin in the `FormatError` for broken bytes."""
    message = hlo_pb2.HloProto()
    try:
        message.ParseFromString(bytes(data))
    except DecodeError:
        raise FormatError("its bytes are not an HloProto", path=where, kind=_KIND) from None
    if not message.hlo_module.computations:
        raise FormatError("it has no computations", path=where, kind=_KIND)
    return message


def is_hlo_file(path: Path) -> bool:
    """Whether a file is a serialized program, by its name (``*.hlo.pb``, also compressed) or its content."""
    if path.name.endswith(PROGRAM_NAMES):
        return not path.is_dir()
    try:
        return path.is_file() and program_message(map_file(path, _KIND).bytes) is not None
    except FormatError:
        # What cannot be read at all is for the reader of profiles to say.
        return False


def read_hlo_file(path: Path) -> hlo_pb2.HloProto:
    """Read a serialized program: an HloProto, or a bare HloModuleProto, which comes back in an HloProto."""
    data = _decompressed(path) if path.name.endswith(_COMPRESSED) else bytes(map_file(path, _KIND).bytes)
    if meaning := signature(data[:64]):
        raise FormatError(meaning, path=path, kind=_KIND)
    try:
        return parse_hlo_proto(data, where=str(path))
    except FormatError as error:
        module = hlo_pb2.HloModuleProto()
        try:
            module.ParseFromString(data)
        except DecodeError:
            raise error from None
        if not (module.name and module.computations):
            raise error from None
        return hlo_pb2.HloProto(hlo_module=module)


def _decompressed(path: Path) -> bytes:
    from scopelight.formats.hlo.compressed import decompressed  # noqa: PLC0415 (few are compressed)

    map_file(path, _KIND)
    data = decompressed(path, MOST_BYTES + 1)
    if data is None:
        raise FormatError("it cannot be decompressed", path=path, kind=_KIND)
    if len(data) > MOST_BYTES:
        raise FormatError("it is larger than a program can be when it is decompressed", path=path, kind=_KIND)
    return data


def hlo_protos(space: XSpace) -> Iterator[HloBlob]:
    """The programs of a profile, in the file's order; their bytes are read from the file when asked for.

    The program id is the number in parentheses that ends the entry's name, else its ``program_id`` stat, else
    its own id.
    """
    for plane in space.planes:
        if plane.name != METADATA_PLANE:
            continue
        metadata = plane.events_metadata
        recorded, has_recorded = metadata.integer_stats(["program_id"])["program_id"]
        for row, full_name in enumerate(metadata.names):
            spans = (metadata.stat_span(row, each) for each in _PROTO_STATS)
            span = next((each for each in spans if each is not None), None)
            if span is None:
                continue
            name, program_id = full_name, str(int(metadata.ids[row]) & 0xFFFFFFFFFFFFFFFF)
            if match := _TRAILING_ID.match(full_name):
                name, program_id = match.groups()
            elif has_recorded[row]:
                program_id = str(int(recorded[row]) & 0xFFFFFFFFFFFFFFFF)
            where = Phrase(
                "{program} at byte {offset} of {file}",
                program=full_name or program_id,
                offset=span[0],
                file=space.path,
            )
            yield HloBlob(program_id, name, where, metadata, span)
