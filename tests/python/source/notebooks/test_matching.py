"""Which recorded cell each cell of a notebook is: by its text, by what it was before, by what it resembles."""

from made.notebooks import DATA, LOOP, MODEL
from scopelight.formats.notebook.cell_names import cell_hash
from scopelight.source.notebooks.matching import PresentCell, RunCells

NOTEBOOK = "/home/me/train.ipynb"


def run_of(*texts, copies=True, notebook=NOTEBOOK):
    """The cells of a run, counted from 1 in a notebook."""
    paths = [f"/tmp/ipykernel_7/{cell_hash(text)}.py" for text in texts]
    names = {path: f"{notebook}, cell {number}" for number, path in enumerate(paths, 1)}
    kept = dict(zip(names.values(), texts, strict=False)) if copies else {}
    return RunCells(paths, names, lambda file: kept[file].split("\n") if file in kept else None)


def cells(*texts, notebook=NOTEBOOK):
    """Present cells that go by letters."""
    return [PresentCell("abcdef"[at], notebook, at + 1, text.split("\n")) for at, text in enumerate(texts)]


def numbers(run, present, before=None):
    """Key of each matched cell to the number of the recorded one."""
    return {key: file.rpartition(" ")[2] for key, file in run.match(present, before or {}).items()}


def test_cells_are_found_by_their_text_wherever_they_stand():
    run = run_of(MODEL, DATA, LOOP)
    assert numbers(run, cells("print()", LOOP, MODEL, notebook="/other.ipynb")) == {"b": "3", "c": "1"}


def test_a_text_alone_is_enough_where_the_run_keeps_no_copies():
    run = run_of(MODEL, DATA, copies=False)
    assert numbers(run, cells(DATA, MODEL + "  # edited")) == {"a": "2"}


def test_below_its_magic_a_cell_is_the_one_that_ran():
    assert numbers(run_of(LOOP), cells(f"%%scopelight --steps 3\n{LOOP}")) == {"a": "1"}


def test_of_equal_cells_the_one_in_the_recorded_place_is_meant():
    assert numbers(run_of(MODEL, DATA), cells(DATA, DATA)) == {"b": "2"}


def test_an_edited_cell_is_the_one_that_it_resembles():
    edited = MODEL.replace("0.01", "0.02")
    assert numbers(run_of(MODEL, DATA), cells(DATA, "print()", edited)) == {"a": "2", "c": "1"}


def test_a_cell_of_another_notebook_that_holds_none_of_the_run_is_not_an_edited_one():
    edited = cells(MODEL.replace("0.01", "0.02"), notebook="/other.ipynb")
    assert numbers(run_of(MODEL), edited) == {}
    assert numbers(run_of(MODEL, DATA), [*edited, *cells("1", "2", DATA, notebook="/other.ipynb")[2:]]) == {
        "a": "1",
        "c": "2",
    }


def test_a_cell_that_was_matched_is_followed_whatever_becomes_of_it():
    run = run_of(MODEL, DATA)
    before = run.match(cells(MODEL, DATA), {})
    assert numbers(run, cells("pass", DATA), before) == {"a": "1", "b": "2"}


def test_a_cell_that_takes_up_a_recorded_text_is_that_one():
    run = run_of(MODEL, DATA)
    before = run.match(cells(MODEL, DATA), {})
    assert numbers(run, cells("pass", DATA, MODEL), before) == {"b": "2", "c": "1"}


def test_a_cell_with_nothing_in_common_is_new():
    assert numbers(run_of(MODEL), cells("print('hello')")) == {}
