"""Places of budgets are found in the files of today, and what is not there is said."""

from pathlib import Path

import pytest

from made.findings import values
from scopelight.analysis.budgets.records import Budget
from scopelight.budgets.places import Located, Places

TEXTS = {
    "/p/train.py": "import x\n\ndef step():\n    pass\n",
    "/p/src/model.py": "class Model:\n    def loss(self):\n        pass\n",
    "/p/a/data.py": "def load(): ...\n",
    "/p/b/data.py": "def load(): ...\n",
}


@pytest.fixture
def find(tmp_path):
    def find_it(place, known=tuple(TEXTS), **edited):
        file, _, function = place.partition(":")
        budget = Budget("share", 1, 1, place, file, function or None)
        texts = {**TEXTS, **edited}
        read = lambda path: texts[str(path)].split("\n") if str(path) in texts else None  # noqa: E731
        return Places(Path("/p/pyproject.toml"), known, read).find(budget)

    return find_it


@pytest.mark.parametrize(
    ("place", "path", "line"),
    [
        ("train.py:step", "train.py", 3),
        ("train.py", "train.py", 1),
        ("src/model.py:Model.loss", "src/model.py", 2),
        # Of what the run knows, by the last parts of its path.
        ("model.py:loss", "src/model.py", 2),
        ("b/data.py:load", "b/data.py", 1),
    ],
)
def test_a_place_is_where_it_is_today(find, place, path, line):
    found = find(place)
    assert isinstance(found, Located)
    assert (found.path, found.line) == (path, line)


def test_what_is_edited_counts(find):
    assert find("train.py:step", **{"/p/train.py": "\n\n\n" + TEXTS["/p/train.py"]}).line == 6


def test_what_is_not_there_is_said_with_the_nearest(find):
    assert values([find("train.py:stpe")], "budget-function-unknown")["nearest"] == "step"
    assert values([find("trian.py")], "budget-file-unknown")["nearest"] == "train.py"
    assert values([find("\0")], "budget-file-unknown")["nearest"] is None


def test_a_last_part_means_the_function_that_alone_has_it(find):
    assert find("src/model.py:loss").function == "Model.loss"
