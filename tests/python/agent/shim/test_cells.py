"""What a kernel tells of the cells that it has run, by the names that it gives them."""

import linecache
import types

import pytest

from scopelight_agent.shim import cells

HASHED, TYPED, OVERRIDDEN = "/tmp/ipykernel_7/345.py", "<ipython-input-3-0123456789ab>", "cell.py"


@pytest.fixture
def shell(monkeypatch):
    """A shell that has run a cell under each kind of name."""
    names = {HASHED: 1, TYPED: 3, OVERRIDDEN: 4, "/tmp/ipykernel_7/346.py": 5}
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(_filename_map=names), user_ns={})
    for file in (HASHED, TYPED, OVERRIDDEN):
        text = f"x = {names[file]}\n"
        monkeypatch.setitem(linecache.cache, file, (len(text), None, [text], file))
    entrance = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(cells.sys.modules, "IPython.core.getipython", entrance)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    return shell


def told():
    events = []
    cells.tell(lambda event, **fields: events.append((event, fields)))
    ((event, fields),) = events
    assert event == "cells"
    return fields


def test_cells_are_told_by_names_that_say_which_text_they_are_of(shell):
    assert told()["cells"] == [
        {"file": HASHED, "text": "x = 1\n", "execution_count": 1},
        {"file": TYPED, "text": "x = 3\n", "execution_count": 3},
    ]


def test_the_notebook_is_that_of_vs_code_else_that_of_the_server(shell, monkeypatch):
    assert told()["notebook"] is None
    assert cells.notebook() is None
    monkeypatch.setenv("JPY_SESSION_NAME", "/w/served.ipynb")
    assert told()["notebook"] == "/w/served.ipynb"
    shell.user_ns["__vsc_ipynb_file__"] = "/w/opened.ipynb"
    assert told()["notebook"] == cells.notebook() == "/w/opened.ipynb"
    # What stands there may be anything.
    shell.user_ns["__vsc_ipynb_file__"] = 3
    assert told()["notebook"] == "/w/served.ipynb"


def test_more_text_than_is_typed_is_not_told(shell, monkeypatch):
    monkeypatch.setattr(cells, "MOST_CHARACTERS", 8)
    assert [cell["file"] for cell in told()["cells"]] == [TYPED]
