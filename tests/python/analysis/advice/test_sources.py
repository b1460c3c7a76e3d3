"""The user's files as syntax trees."""

import textwrap

import pytest

from scopelight.analysis.advice.syntax.sources import Sources

SOURCE = textwrap.dedent(
    """\
    for epoch in range(3):
        for step in range(9):
            run(step)
        evaluate()


    def layers(x):
        for weight in weights:
            x = x @ weight

            def inner(y):
                return y + 1
        return x
    """
).split("\n")


def sources(lines):
    return Sources(lambda _: lambda number: lines[number - 1] if 1 <= number <= len(lines) else None)


@pytest.mark.parametrize(("line", "loop"), [(3, 2), (4, 1), (1, None), (2, 1), (9, 8), (12, None), (13, None)])
def test_the_innermost_loop_around_a_line_is_in_its_function(line, loop):
    assert sources(SOURCE).loop_around("/w/train.py", line) == loop


def test_deep_expressions_and_other_languages_are_read():
    deep = ["for x in y:", "    z = " + "+".join(["1"] * 600)]
    assert sources(deep).loop_around("/w/train.py", 2) == 1
    assert sources(["def ("]).loop_around("/w/train.py", 1) is None
