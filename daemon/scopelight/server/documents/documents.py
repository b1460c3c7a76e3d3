"""The open documents, as the client has them: unsaved edits count.

Lines end where an editor ends them, at ``\\n``, ``\\r\\n`` and ``\\r``. (`str.splitlines`, which pygls applies edits
with, also ends them at form feeds and seven other characters, and so loses its place in a text that holds one.)
"""

from collections.abc import Iterator, Sequence

import attrs
from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec

from scopelight.server.documents.recorded_copies import RecordedCopy, recorded_copy
from scopelight.source.reading import split_lines


@attrs.frozen(eq=False, repr=False)
class Document:
    """One version of an open document. ``path`` is None where it is no file, which it may be a run's ``copy`` of.

    ``notebook`` is that of a cell: the path of its file, or its URI where it has none.
    """

    uri: str
    path: str | None
    version: int
    lines: Sequence[str]
    copy: RecordedCopy | None = None
    notebook: str | None = None


class Documents:
    """Follows the documents that the client opens, changes and closes."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self.codec = PositionCodec()

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """The present version of an open document."""
        return self._open.get(uri)

    def opened(self, item: types.TextDocumentItem, notebook: str | None = None) -> Document:
        """The client opened a document, which is a cell where it is in a ``notebook``."""
        uri = item.uri
        path = None if notebook is not None else to_fs_path(uri)
        document = Document(uri, path, item.version, split_lines(item.text), recorded_copy(uri), notebook)
        self._open[item.uri] = document
        return document

    def changed(self, params: types.DidChangeTextDocumentParams) -> Document | None:
        """The client changed a document; None for one that it never opened."""
        identifier = params.text_document
        document = self._open.get(identifier.uri)
        if document is None:
            return None
        lines = list(document.lines)
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                _replace(lines, change.range, change.text, self.codec)
            else:
                lines = split_lines(change.text)
        document = attrs.evolve(document, version=identifier.version, lines=lines)
        self._open[identifier.uri] = document
        return document

    def closed(self, uri: str) -> Document | None:
        """The client closed a document: what it was; None for one that it never opened."""
        return self._open.pop(uri, None)


def _replace(lines: list[str], where: types.Range, text: str, codec: PositionCodec) -> None:
    first, before = _position(lines, where.start, codec)
    last, after = _position(lines, where.end, codec)
    lines[first : last + 1] = split_lines(f"{lines[first][:before]}{text}{lines[last][after:]}")


def _position(lines: Sequence[str], position: types.Position, codec: PositionCodec) -> tuple[int, int]:
    """Line and index of a character; behind the last of each is the end of it."""
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    line = lines[position.line]
    if line.isascii():
        return position.line, min(position.character, len(line))
    units = 0
    for index, character in enumerate(line):
        if units >= position.character:
            return position.line, index
        units += codec.client_num_units(character)
    return position.line, len(line)
