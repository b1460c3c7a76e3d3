"""Whether every call of a function puts what it returns where an argument was."""

import ast
import textwrap

import pytest

from scopelight.analysis.advice.syntax.jits import jits_of
from scopelight.analysis.advice.syntax.rebinding import rebound_arguments


def rebound(text):
    tree = ast.parse(textwrap.dedent(text))
    return rebound_arguments([tree], ["step"], ["p", "s", "x"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("p, s, loss = step(p, s, x)", {"p", "s"}),
        ("p, loss = step(p, s, x=x)", {"p"}),
        ("self.p, s = step(self.p, s, x)", {"p", "s"}),
        ("loss = step(p, s, x)", set()),
        ("p, s = step(p, s, x)\nloss = step(p, s, x)", set()),
        ("best = p\np, s = step(p, s, x)", {"s"}),
        ("history.append(p)\np, s = step(p, s, x)", {"s"}),
        ("p, s = step(*both, x)", set()),
        ("nothing()", set()),
    ],
)
def test_what_every_call_replaces_may_be_reused(text, found):
    assert rebound(text) == found


@pytest.mark.parametrize(
    ("text", "line", "names"),
    [
        ("@jax.jit\ndef step(p): ...", 1, {"step"}),
        ("@functools.partial(jax.jit, static_argnums=1)\ndef step(p): ...", 1, {"step"}),
        ("def step(p): ...\nrun = jax.jit(step)", 2, {"run"}),
        ("def step(p): ...\nself.run = jax.jit(step, donate_argnums=0)", 2, {"run"}),
        ("def step(p): ...\ndef make():\n    return jax.jit(step)", 3, None),
    ],
)
def test_where_a_function_is_compiled(text, line, names):
    (jit,) = jits_of("step", [("/u/t.py", ast.parse(text))])
    assert (jit.line, jit.names) == (line, names)
    assert jit.donates == ("donate" in text)
