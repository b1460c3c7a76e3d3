"""Definitions are found by name wherever they have moved to."""

import pytest

from scopelight.source.definitions import Definitions

TEXT = """import jax


@jax.jit
def step(x):
    def inner(y):
        return y
    return inner(x)


class Model:
    def loss(self):
        return (lambda: 1)()

    async def fetch(self): ...


def step(x):
    return x
"""


@pytest.mark.parametrize(
    ("function", "line"),
    [
        ("step", 18),
        ("Model", 11),
        ("Model.loss", 12),
        ("loss", 12),
        ("Model.fetch", 15),
        ("step.<locals>.inner", 6),
        ("step.inner", 6),
        ("Model.loss.<locals>.<lambda>", 12),
        ("absent", None),
        ("Model.step", None),
    ],
)
def test_a_function_is_on_the_line_of_its_def(function, line):
    assert Definitions.of(TEXT.split("\n")).line(function) == line


def test_in_the_middle_of_an_edit_names_are_found_as_they_are_written():
    broken = ["x = (", *TEXT.split("\n")]
    known = Definitions.of(broken)
    assert not known.is_qualified
    assert known.line("Model.loss") == 13
    assert known.line("absent") is None


def test_a_name_that_two_have_is_neither_of_them():
    text = "class A:\n    def f(self): ...\nclass B:\n    def f(self): ...\n"
    assert Definitions.of(text.split("\n")).line("f") is None
    assert Definitions.of(text.split("\n")).line("B.f") == 4


@pytest.mark.parametrize(
    ("line", "function"),
    [
        (1, None),
        (6, "step.inner"),
        (7, "step.inner"),
        (8, "step"),
        (9, None),
        (11, None),
        (13, "Model.loss"),
        (19, "step"),
    ],
)
def test_a_line_is_in_the_innermost_function_around_it(line, function):
    text = TEXT.replace("def step(x):\n    return x\n", "def last(x):\n    return x\n").split("\n")
    assert Definitions.of(text).around(line) == (function if line != 19 else "last")
