import pytest

from scopelight.report.run.absent_files import absent_file, fileless_line
from scopelight.source.fileless import fileless


@pytest.mark.parametrize(
    ("path", "kind", "said"),
    [
        ("<stdin>", "typed", "<stdin> was typed into an interpreter: it has no file."),
        ("<ipython-input-3-0123abcd>", "typed", "was typed into an interpreter"),
        ("<python-input-0>", "typed", "was typed into an interpreter"),
        ("/tmp/ipykernel_123/456.py", "notebook", "a cell of a notebook"),
        ("C:\\Temp\\ipykernel_123\\456.py", "notebook", "a cell of a notebook"),
        ("<string>", "made", "was made while the script ran"),
        ("<__array_function__ internals>", "made", "was made while the script ran"),
        ("<frozen importlib._bootstrap>", "built-in", "is built into the program that ran"),
        ("<embedded module '_launcher'>", "built-in", "is built into the program that ran"),
    ],
)
def test_what_never_was_a_file_is_told_as_what_it_is(path, kind, said):
    assert fileless(path) == kind
    assert said in fileless_line(path, kind)


@pytest.mark.parametrize("path", ["train.py", "/home/me/<odd>/train.py", "<odd.py", "/tmp/ipykernel_123/model.py", ""])
def test_a_file_is_one(path):
    assert fileless(path) is None


def test_a_file_that_is_not_here_is_named_by_its_last_part():
    assert absent_file("C:\\x\\model.py", of_run=True).startswith("model.py of the run is not on this machine, and ")
    assert absent_file("/home/other/model.py", of_run=False) == "model.py of the profile is not on this machine."
