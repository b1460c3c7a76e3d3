"""CPU time of scripts on the CPU: known of lines, ops and steps, and all of it somewhere."""

import sys
from pathlib import Path

import pytest

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.ops.table import op_table
from scopelight.model.opening.profile import open_profile
from scopelight.source.workspace import line_options

SCRIPT = """
    import jax, jax.numpy as jnp

    def heavy(x):
        return x @ x @ x  # heavy

    def light(x):
        return jnp.sin(x)  # light

    heavy, light = jax.jit(heavy), jax.jit(light)
    x = jnp.ones((400, 400))
    for step in range(60):
        with jax.profiler.StepTraceAnnotation("step", step_num=step):
            heavy(x).block_until_ready()
            light(x).block_until_ready()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone has clocks of threads")
def test_lines_ops_and_steps_have_their_time_on_cores(bench):
    bench.write("train.py", SCRIPT)
    captured = bench.capture("train.py", whole=True)
    assert captured.returncode == 0, captured.stderr
    profile = open_profile(captured.out)
    options = line_options(profile, Path(bench.folder))
    record = hot_lines(profile, options)
    assert sum(line.cpu_ps for line in record.lines) + record.unattributed_cpu_ps == record.cpu_ps
    by_text = {options.text(line.file, line.line).partition("# ")[2]: line for line in record.lines if line.self_ps}
    heavy, light = by_text["heavy"], by_text["light"]
    assert heavy.cpu_ps > light.cpu_ps > 0
    # What ops had of cores is about what they took, and no more than all that the process had.
    assert 0.3 * record.op_time_ps < record.cpu_ps < 3 * record.op_time_ps
    assert record.cpu_ps <= 1.05 * sum(step.cpu_ps for step in record.steps)
    of_ops = sum(entry.row.cpu_ps for entry in op_table(profile, options).entries)
    assert sum(line.cpu_ps for line in record.lines) <= of_ops <= record.cpu_ps
