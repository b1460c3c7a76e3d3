"""Cells of notebooks carry what files carry: a real kernel ran the cells of the notebook that is open."""

import shutil
from pathlib import Path

import pytest
import pytest_asyncio

from made.notebooks import CELLS, DATA, HEADING, LOOP, MODEL, capture_notebook, write_notebook

pytestmark = pytest.mark.asyncio

PRODUCT, SQUARE = 6, 7
"""The lines of the model's cell that compute."""


@pytest.fixture(scope="module")
def profiled(tmp_path_factory, cpu_backend):
    """A notebook, and a run of it."""
    folder = tmp_path_factory.mktemp("notebooks").resolve()
    notebook = write_notebook(folder / "train.ipynb")
    capture_notebook(notebook, folder / ".scopelight" / "first")
    return notebook


class OpenNotebook:
    """A notebook as the extension's client tells of it; its cells go by their texts as they were opened."""

    def __init__(self, editor, path, texts=CELLS):
        self.editor = editor
        self.uri = path.as_uri()
        self.version = 1
        self.cells = [self._cell(path, number) for number in range(len(texts))]
        items = [self._item(cell, text) for cell, text in zip(self.cells, texts, strict=True)]
        described = [self._described(cell, text) for cell, text in zip(self.cells, texts, strict=True)]
        notebook = {"uri": self.uri, "notebookType": "jupyter-notebook", "version": 1, "cells": described}
        editor.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": items})

    def edit(self, cell, text, version=2):
        document = {"uri": self.cells[cell], "version": version}
        self._change({"textContent": [{"document": document, "changes": [{"text": text}]}]})

    def insert(self, at, text):
        cell = self._cell(Path(self.uri), f"new{self.version}")
        self.cells.insert(at, cell)
        array = {"start": at, "deleteCount": 0, "cells": [self._described(cell, text)]}
        self._change({"structure": {"array": array, "didOpen": [self._item(cell, text)]}})

    def delete(self, at):
        cell = self.cells.pop(at)
        self._change({"structure": {"array": {"start": at, "deleteCount": 1}, "didClose": [{"uri": cell}]}})

    def close(self):
        closed = [{"uri": cell} for cell in self.cells]
        params = {"notebookDocument": {"uri": self.uri}, "cellTextDocuments": closed}
        self.editor.notify("notebookDocument/didClose", params)

    async def annotations(self, cell, version=1):
        """The annotations of a cell by line, and what the run calls it."""
        params = await self.editor.next(
            "scopelight/annotations",
            lambda params: params["uri"] == self.cells[cell] and params["version"] == version,
        )
        return {each["line"]: each for each in params["annotations"]}, params["file"]

    def _change(self, cells):
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.editor.notify("notebookDocument/didChange", {"notebookDocument": document, "change": {"cells": cells}})

    def _cell(self, path, number):
        return f"vscode-notebook-cell:{path}#W{number}"

    def _described(self, cell, text):
        return {"kind": 1 if text == HEADING else 2, "document": cell}

    def _item(self, cell, text):
        language = "markdown" if text == HEADING else "python"
        return {"uri": cell, "languageId": language, "version": 1, "text": text}


@pytest_asyncio.fixture
async def notebook_editor(start_editor, profiled, extension_options):
    """An editor in which the run is shown."""
    editor = await start_editor()
    await editor.initialize(profiled.parent, options=extension_options)
    await editor.show(profiled.parent / ".scopelight" / "first")
    return editor


@pytest.fixture
def opened(notebook_editor, profiled):
    return OpenNotebook(notebook_editor, profiled)


async def found(editor, file, line):
    return await editor.result("scopelight/locateLine", {"file": file, "line": line})


async def test_lines_of_cells_are_annotated_and_found(opened, notebook_editor, profiled):
    lines, file = await opened.annotations(1)
    assert file == f"{profiled}, cell 2"
    assert {PRODUCT, SQUARE} <= lines.keys()
    assert all(each["state"] == "current" for each in lines.values())
    loop, _ = await opened.annotations(3)
    assert 2 in loop
    place = await found(notebook_editor, file, SQUARE)
    assert (place["source"], place["cell"], place["line"], place["state"]) == ("cell", 2, SQUARE, "current")
    assert place["file"] == profiled.as_uri()
    await hover_lens_and_hot_lines_know_cells(opened, notebook_editor)
    opened.close()
    place = await found(notebook_editor, file, SQUARE)
    assert (place["source"], place["file"], place["cell"]) == ("cell", profiled.as_uri(), 2)
    assert (place["line"], place["state"]) == (SQUARE, "current")


async def hover_lens_and_hot_lines_know_cells(opened, notebook_editor):
    document = {"uri": opened.cells[1]}
    position = {"line": SQUARE - 1, "character": 8}
    card = await notebook_editor.result("textDocument/hover", {"textDocument": document, "position": position})
    assert "dot" in card["contents"]["value"]
    notebook_editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"code_lenses": True}}})
    lenses = await notebook_editor.result("textDocument/codeLens", {"textDocument": document})
    assert MODEL.split("\n").index("def loss(weights, x):") in {lens["range"]["start"]["line"] for lens in lenses}
    answer = await notebook_editor.result("scopelight/view/lines", {})
    rows = {(line["path"], line["line"]): row for row, line in enumerate(answer["record"]["lines"])}
    row = rows["train.ipynb, cell 2", SQUARE]
    assert answer["places"][row] == {"file": opened.cells[1], "line": SQUARE, "state": "current"}
    assert answer["sources"][row] == MODEL.split("\n")[SQUARE - 1].strip()


async def test_an_edited_cell_drifts_as_files_do(opened, notebook_editor, profiled):
    await opened.annotations(1)
    lines = MODEL.split("\n")
    lines[SQUARE - 1] = "    return jnp.mean((hidden @ weights) ** 4)"
    opened.edit(1, "\n".join(["# The model", *lines]))
    edited, _ = await opened.annotations(1, version=2)
    assert edited[PRODUCT + 1]["state"] == "current"
    assert edited[SQUARE + 1]["state"] == "stale"
    place = await found(notebook_editor, f"{profiled}, cell 2", PRODUCT)
    assert (place["cell"], place["line"], place["state"]) == (2, PRODUCT + 1, "current")


async def test_a_cell_that_was_edited_before_it_was_opened_drifts_too(notebook_editor, profiled):
    edited = MODEL.replace("** 2", "** 4")
    opened = OpenNotebook(notebook_editor, profiled, (HEADING, edited, DATA, LOOP))
    lines, file = await opened.annotations(1)
    assert file == f"{profiled}, cell 2"
    assert (lines[PRODUCT]["state"], lines[SQUARE]["state"]) == ("current", "stale")


async def test_cells_are_followed_where_they_move_to_and_are_copies_when_they_are_gone(
    opened, notebook_editor, profiled
):
    file = f"{profiled}, cell 2"
    await opened.annotations(1)
    opened.insert(0, "print('first')")
    place = await found(notebook_editor, file, SQUARE)
    assert (place["cell"], place["line"]) == (3, SQUARE)
    # What was saved before does not count while the notebook is open.
    opened.delete(2)
    place = await found(notebook_editor, file, SQUARE)
    assert (place["source"], place["file"], place["line"]) == ("copy", file, SQUARE)
    run = str(profiled.parent / ".scopelight" / "first")
    copy = await notebook_editor.result("scopelight/recordedSource", {"run": run, "file": file})
    assert copy["text"].rstrip() == MODEL
    # Typed again in another cell it is that one.
    opened.insert(4, MODEL)
    lines, known = await opened.annotations(4)
    assert known == file
    assert SQUARE in lines


async def test_a_trace_without_copies_knows_cells_by_their_hash(start_editor, extension_options, profiled, tmp_path):
    """What jax's own profiler writes in a notebook."""
    run = tmp_path / "logs"
    shutil.copytree(profiled.parent / ".scopelight" / "first" / "plugins", run / "plugins")
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    await editor.show(run)
    opened = OpenNotebook(editor, tmp_path / "never-saved.ipynb", (DATA, MODEL))
    lines, file = await opened.annotations(1)
    assert SQUARE in lines
    assert "/ipykernel_" in file
    opened.edit(1, MODEL.replace("** 2", "** 4"))
    edited, _ = await opened.annotations(1, version=2)
    assert (edited[PRODUCT]["state"], edited[SQUARE]["state"]) == ("current", "stale")
