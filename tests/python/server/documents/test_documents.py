"""Open documents: edits are applied as editors count lines and characters."""

import pytest
from lsprotocol import types

from scopelight.server.documents.documents import Documents

URI = "file:///train.py"


@pytest.fixture
def document():
    """Opens a text and edits it."""

    def edited(text, *edits):
        documents = Documents()
        documents.opened(types.TextDocumentItem(URI, "python", 1, text))
        changes = [
            types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), inserted)
            for start, end, inserted in edits
        ]
        identifier = types.VersionedTextDocumentIdentifier(version=2, uri=URI)
        changed = documents.changed(types.DidChangeTextDocumentParams(identifier, changes))
        assert changed is documents.get(URI)
        return list(changed.lines)

    return edited


def test_lines_end_where_an_editor_ends_them(document):
    assert document("a\r\nb\rc\nd\f\x1c\u2028e\n") == ["a", "b", "c", "d\f\x1c\u2028e", ""]


def test_an_edit_across_lines_joins_them(document):
    assert document("abc\ndef\nghi", ((0, 1), (2, 2), "X")) == ["aXi"]


def test_edits_apply_one_after_the_other(document):
    assert document("a", ((0, 0), (0, 0), "x\n"), ((1, 1), (1, 1), "y\n")) == ["x", "ay", ""]


def test_characters_are_counted_in_units_of_utf_16(document):
    assert document("😀b", ((0, 2), (0, 3), "c")) == ["😀c"]
    assert document("éb", ((0, 1), (0, 2), "c")) == ["éc"]


def test_positions_behind_the_end_are_the_end(document):
    assert document("ab\ncd", ((0, 99), (0, 99), "!")) == ["ab!", "cd"]
    assert document("ab\ncd", ((7, 0), (9, 9), "!")) == ["ab", "cd!"]
    assert document("é", ((0, 99), (0, 99), "!")) == ["é!"]


def test_a_document_that_was_closed_is_not_known():
    documents = Documents()
    documents.opened(types.TextDocumentItem(URI, "python", 1, ""))
    assert documents.closed(URI) is not None
    assert documents.closed(URI) is None
    assert list(documents) == []
