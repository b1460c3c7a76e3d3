"""What a place has of the wall clock is the sum over the stacks that pass through it, each once."""

import attrs
import pytest

from scopelight.analysis.budgets.inside import Inside, NotInRun, is_named, same_file
from scopelight.analysis.budgets.records import Budget


@attrs.frozen
class Line:
    file: str
    function: str


@attrs.frozen
class Stack:
    lines: tuple
    wall_ps: int
    waiting_ps: int


@attrs.frozen
class Record:
    """Of `LinesRecord` what is looked at."""

    lines: tuple
    stacks: tuple
    functions: tuple = ()


RECORD = Record(
    lines=(
        Line("/p/train.py", "main"),
        Line("/p/train.py", "step"),
        Line("/p/model.py", "Model.loss"),
        Line("/lib/x/model.py", "other"),
    ),
    # Innermost first: the loss in a step twice, the step alone, a wait in main.
    stacks=(Stack((2, 1, 0), 100, 0), Stack((2, 1), 30, 2), Stack((1, 0), 20, 0), Stack((0,), 0, 7)),
)


def inside(place):
    file, _, function = place.partition(":")
    return Inside.of(RECORD, "/p", Budget("share", 1, 1, place, file, function or None))


@pytest.mark.parametrize(
    ("place", "wall_ps", "waiting_ps"),
    [
        ("train.py", 159, 9),
        ("train.py:step", 152, 2),
        ("train.py:main", 127, 7),
        ("model.py:Model.loss", 132, 2),
        ("model.py:loss", None, None),
        ("model.py", 132, 2),
        ("x/model.py", 0, 0),
        ("train.py:absent", None, None),
        ("absent.py", None, None),
    ],
)
def test_stacks_are_added_once_each(place, wall_ps, waiting_ps):
    found = inside(place)
    if wall_ps is None:
        assert isinstance(found, NotInRun)
    else:
        assert (found.wall_ps, found.waiting_ps) == (wall_ps, waiting_ps)


@pytest.mark.parametrize(
    ("recorded", "asked", "same"),
    [
        ("step", "step", True),
        ("step", "Model.step", True),
        ("Model.step", "Model.step", True),
        ("main.<locals>.step", "main.step", True),
        ("Other.step", "Model.step", False),
        ("step", "steps", False),
    ],
)
def test_bare_names_of_older_pythons_are_known(recorded, asked, same):
    assert is_named(recorded, asked) is same


def test_files_are_the_same_by_their_last_parts():
    assert same_file("C:\\work\\src\\model.py", "src/model.py")
    assert same_file("/a/model.py", "./model.py")
    assert not same_file("/a/remodel.py", "model.py")
