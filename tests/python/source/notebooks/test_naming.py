"""Cells are called by their notebook and their place in it, as far as anything tells."""

import json

import pytest
from IPython.core.compilerop import code_name

from made.notebooks import CELLS, DATA, MODEL, write_notebook
from scopelight.formats.notebook.cell_names import cell_hash
from scopelight.source.notebooks.naming import named_cells


def path_of(text, process=7):
    return f"/tmp/ipykernel_{process}/{cell_hash(text)}.py"


@pytest.fixture
def recorded(tmp_path):
    """Writes what a run knows of cells; answers with its folder of sources."""

    def write(**cells):
        sources = tmp_path / "run" / "sources"
        sources.mkdir(parents=True)
        texts = {"model": MODEL, "data": DATA}
        (sources / "cells.json").write_text(json.dumps({path_of(texts[name]): cell for name, cell in cells.items()}))
        return sources

    return write


def test_a_cell_is_called_by_its_recorded_place_whatever_the_notebook_holds_now(tmp_path, recorded):
    notebook = write_notebook(tmp_path / "train.ipynb", (*CELLS[:1], "moved = 1", *CELLS[1:]))
    sources = recorded(model={"notebook": str(notebook), "number": 2, "execution_count": 5})
    assert named_cells([path_of(MODEL)], sources, None, []) == {path_of(MODEL): f"{notebook}, cell 2"}


def test_a_cell_of_a_notebook_that_was_saved_later_is_found_by_its_text(tmp_path, recorded):
    notebook = write_notebook(tmp_path / "train.ipynb")
    sources = recorded(data={"notebook": str(notebook), "execution_count": 5})
    assert named_cells([path_of(DATA)], sources, None, []) == {path_of(DATA): f"{notebook}, cell 3"}


def test_a_cell_that_is_in_no_notebook_goes_by_its_execution(tmp_path, recorded):
    notebook = write_notebook(tmp_path / "train.ipynb", ("x = 1",))
    sources = recorded(model={"notebook": str(notebook), "execution_count": 5}, data={"execution_count": 6})
    assert named_cells([path_of(MODEL), path_of(DATA)], sources, "/home/me", []) == {
        path_of(MODEL): f"{notebook}, cell [5]",
        path_of(DATA): "/home/me/cell [6]",
    }


def test_a_moved_notebook_is_found_below_the_roots(tmp_path, recorded):
    notebook = tmp_path / "project" / "deep" / "train.ipynb"
    notebook.parent.mkdir(parents=True)
    write_notebook(notebook)
    sources = recorded(model={"notebook": "/elsewhere/train.ipynb", "number": 9, "execution_count": 1})
    here = named_cells([path_of(MODEL)], sources, None, [tmp_path / "project"])
    assert here == {path_of(MODEL): f"{notebook}, cell 2"}
    assert named_cells([path_of(MODEL)], sources, None, []) == {path_of(MODEL): "/elsewhere/train.ipynb, cell 9"}


def test_a_trace_alone_needs_the_notebook_alone(tmp_path):
    notebook = write_notebook(tmp_path / "train.ipynb")
    recorded = [path_of(MODEL, 1), path_of(MODEL, 2), path_of("unknown"), "/tmp/train.py"]
    assert named_cells(recorded, None, None, [tmp_path]) == {
        path_of(MODEL, 1): f"{notebook}, cell 2",
        path_of(MODEL, 2): f"{notebook}, cell 2",
    }


@pytest.mark.parametrize("index", [b"", b"[]", b'{"/tmp/ipykernel_1/2.py": {"notebook": 3, "number": "x"}}'])
def test_a_damaged_index_names_nothing(tmp_path, index):
    (tmp_path / "cells.json").write_bytes(index)
    assert named_cells(["/tmp/ipykernel_1/2.py"], tmp_path, None, []) == {}


def test_a_cell_that_ipython_itself_has_named_is_found_by_its_text_too(tmp_path):
    notebook = write_notebook(tmp_path / "train.ipynb")
    path = code_name(f"{DATA}\n", 9)
    assert path.startswith("<ipython-input-9-")
    assert named_cells([path], None, None, [tmp_path]) == {path: f"{notebook}, cell 3"}
