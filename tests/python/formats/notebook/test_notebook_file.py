"""The file of a notebook, which may hold anything."""

import json

import pytest

from made.notebooks import DATA, HEADING, LOOP, MODEL, write_notebook
from scopelight.formats.notebook.notebook_file import FileCell, read_cells


def test_cells_of_code_are_counted_among_all(tmp_path):
    cells = read_cells(write_notebook(tmp_path / "train.ipynb", (HEADING, MODEL, DATA, HEADING, LOOP)))
    assert cells == [FileCell(2, MODEL), FileCell(3, DATA), FileCell(5, LOOP)]


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"cells": 3}',
        b'{"cells": [3, {"cell_type": "code"}, {"cell_type": "code", "source": [1]}, {"source": "x"}]}',
        b"[" * 100_000,
    ],
)
def test_a_file_that_is_no_notebook_has_no_cells(tmp_path, document):
    notebook = tmp_path / "train.ipynb"
    notebook.write_bytes(document)
    assert list(read_cells(notebook)) == []


def test_a_source_may_be_one_text(tmp_path):
    notebook = tmp_path / "train.ipynb"
    notebook.write_text(json.dumps({"cells": [{"cell_type": "code", "source": "a\nb"}]}))
    assert read_cells(notebook) == [FileCell(1, "a\nb")]


def test_a_notebook_that_is_not_there_has_no_cells(tmp_path):
    assert list(read_cells(tmp_path / "train.ipynb")) == []
    assert list(read_cells(tmp_path)) == []
