"""Parts of texts as the protocol has them: in units of the client."""

from lsprotocol import types

from scopelight.server.documents.documents import Document, Documents


def line_range(document: Document, documents: Documents, line: int) -> types.Range:
    """The text of a 1-based line, without the white space around it."""
    text = document.lines[line - 1]
    first = len(text) - len(text.lstrip())
    units = documents.codec.client_num_units
    return types.Range(types.Position(line - 1, units(text[:first])), types.Position(line - 1, units(text.rstrip())))
