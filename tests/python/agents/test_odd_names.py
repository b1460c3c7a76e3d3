"""Files, runs and scripts with spaces, quotation marks and umlauts: what an answer names can be asked for."""

import os
import re
import sys
import textwrap

import pytest

from agents.conftest import Agent, next_call
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec

SCRIPT = """\
    import jax
    import jax.numpy as jnp


    @jax.jit
    def train_step(weights):
        hidden = jnp.tanh(weights @ weights)
        return weights - 0.01 * hidden


    weights = jnp.eye(256)
    for _ in range(150):
        weights = train_step(weights)
        weights.block_until_ready()
    """
NAME = 'tr "ä" in.py'
RUN = 'run "ü" \' 1'


@pytest.fixture(scope="module")
def odd(tmp_path_factory, cpu_backend):
    """An agent whose files are called so."""
    folder = tmp_path_factory.mktemp('odd "folder" é').resolve()
    (folder / NAME).write_text(textwrap.dedent(SCRIPT))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    source = LaunchSource(Script(NAME, (), False), sys.executable, folder, environment)
    result = source.capture(LaunchSpec(out=folder / ".scopelight" / RUN, calibrates=False))
    assert result.failure is None
    return Agent(folder)


ASKED = {
    "list_runs": {},
    "summary": {},
    "hot_lines": {},
    "memory_at_peak": {},
    "advice": {},
    "compare": {"before": RUN, "after": RUN},
    "sql": {"query": "select path, line, self_ps from lines where line is not null order by self_ps desc"},
}


@pytest.mark.parametrize("tool", ASKED)
@pytest.mark.parametrize("run", [None, RUN])
def test_what_to_call_next_works(odd, tool, run):
    named = {"run": run} if run is not None and tool not in ("list_runs", "compare") else {}
    text = odd.ask(tool, **ASKED[tool], **named)
    for _ in range(4):
        tool, arguments = next_call(text)
        if tool == "line_detail":
            assert arguments["line"].startswith(f"{NAME}:")
        called = odd.call(tool, **arguments)
        assert not called.is_error, (arguments, called.text)
        text = called.text


def test_a_line_that_an_answer_named_is_opened_by_that(odd):
    shown = set(re.findall(r"\"tr 'ä' in\.py:\d+\"", odd.ask("hot_lines")))
    assert shown
    for place in shown:
        assert place in odd.ask("line_detail", line=place)
        assert odd.ask("line_detail", line=place.strip('"')) == odd.ask("line_detail", line=place)
    assert "tr 'ä' in.py" in odd.ask("hot_lines", file="tr 'ä' in.py")
    assert not odd.follow(odd.error("line_detail", line="tr 'ä' in.py")).is_error
    assert not odd.follow(odd.error("line_detail", line="tr 'ä' in.py:9999")).is_error


def test_a_run_is_opened_by_what_a_list_calls_it(odd):
    shown = odd.ask("list_runs").splitlines()[1].split("  ")[0]
    assert shown == "\"run 'ü' ' 1\""
    for named in (shown, shown.strip('"'), RUN):
        assert "train_step" in odd.ask("summary", run=named)
        assert "none: no change" in odd.ask("compare", before=named, after=RUN)


def test_a_long_place_is_found_by_its_end(odd):
    assert odd.ask("line_detail", line="…'ä' in.py:7") == odd.ask("line_detail", line=f"{NAME}:7")
