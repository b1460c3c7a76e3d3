import pytest

from scopelight.source.functions import Functions
from scopelight.source.reading import split_lines

TEXT = """\
import jax
@jax.jit
def loss(params,
         scale=default()):
    # what is summed
    @jax.checkpoint
    def inner(x): return x @ params
    terms = [inner(x)
             for x in params]
    return jax.tree.map(lambda leaf: leaf * 2,
                        terms)
class Model:
    width = 4
    def __call__(self, x):
        return x * self.width
"""


@pytest.mark.parametrize(
    ("line", "function", "expected"),
    [
        (1, "<module>", True),
        (1, "loss", False),
        (2, "loss", True),
        (4, "<module>", True),
        (4, "loss", True),
        (5, "loss", True),
        (7, "loss", True),
        (7, "loss.<locals>.inner", True),
        (7, "inner", True),
        (9, "loss.<locals>.<listcomp>", True),
        (9, "loss", True),
        (9, "<module>", False),
        (10, "loss.<locals>.<lambda>", True),
        (10, "<lambda>", True),
        (8, "<lambda>", False),
        (11, "loss.<locals>.inner", False),
        (13, "Model", True),
        (15, "Model.__call__", True),
        (15, "__call__", True),
        (15, "Model", False),
        (15, "Other.__call__", False),
        (15, "", True),
        (1, "<cell line: 1>", True),
        (0, "", False),
        (17, "", False),
    ],
)
def test_a_function_encloses_the_lines_that_it_runs(line, function, expected):
    assert Functions.of(split_lines(TEXT)).enclose(line, function) is expected


def test_names_are_those_that_python_gives(tmp_path):
    text = split_lines(TEXT)
    code = [compile(TEXT, "text", "exec")]
    functions = Functions.of(text)
    for each in code:
        code.extend(constant for constant in each.co_consts if hasattr(constant, "co_qualname"))
        lines = {line for _, _, line in each.co_lines() if line}
        # The first instruction of a function stands for its whole header.
        outside = [line for line in lines if not functions.enclose(line, each.co_qualname)]
        assert outside == [], (each.co_qualname, outside)
    assert len(code) > 5


@pytest.mark.parametrize("text", ["def f(:\n", "x = '\0'", "(" * 5000])
def test_a_text_that_cannot_be_parsed_has_no_known_functions(text):
    assert Functions.of(split_lines(text)) is None
