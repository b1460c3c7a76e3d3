"""A capture whose file was cut off shows what is left of it, held against the whole."""

from collections import Counter

import pytest

from made.findings import codes
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.steps.steps import find_steps
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.opening.profile import open_profile

STEPS = """
    import contextlib, sys, time
    import jax, jax.numpy as jnp

    @jax.jit
    def step(w, x):
        h = jnp.tanh(x @ w)
        return w - 1e-3 * (h.T @ h)

    w, x = jnp.ones((60, 60)), jnp.ones((100, 60))
    for number in range(40):
        annotated = sys.argv[1] == "annotated"
        with jax.profiler.StepTraceAnnotation("fit", step_num=number) if annotated else contextlib.nullcontext():
            w = step(w, x).block_until_ready()
            time.sleep(0.005)
"""


@pytest.fixture(params=["annotated", "repeating"])
def whole(request, bench):
    bench.write("steps.py", STEPS)
    captured = bench.capture("steps.py", request.param, whole=True, watches_memory=False)
    (file,) = captured.profiles
    profile = open_profile(file)
    return request.param, file, profile, find_steps(profile)


def cut(file, size, folder):
    copy = folder / f"{size}.xplane.pb"
    copy.write_bytes(file.read_bytes()[:size])
    return open_profile(copy)


def executions(profile):
    """How many executions each program has."""
    ran = profile.executions
    return Counter(ran.programs[ran.ops[op].program].name for op in ran.op.tolist())


def test_without_the_names_behind_the_threads_steps_and_runs_are_those_of_the_whole(whole, tmp_path):
    kind, file, profile, steps = whole
    data = file.read_bytes()
    # The names of stats come last; those of ops are among the names before.
    for position in (data.rindex(b"hlo_op") - 40, data.rindex(b"step_num" if kind == "annotated" else b"hlo_op") + 3):
        left = cut(file, position, tmp_path)
        assert "plane-read-in-part" in codes(left.findings)
        assert executions(left) == executions(profile)
        assert len(left.runs) == len(profile.runs)
        found = find_steps(left)
        assert found.source == steps.source
        assert found.start_ps.tolist() == steps.start_ps.tolist()
        assert found.duration_ps.tolist() == steps.duration_ps.tolist()


def test_what_is_left_is_of_the_whole_and_what_is_missing_is_said(whole, tmp_path):
    kind, file, profile, steps = whole
    for share in (0.3, 0.5, 0.7, 0.8, 0.93, 0.99):
        left = cut(file, int(file.stat().st_size * share), tmp_path)
        assert {"file-cut-off", "plane-read-in-part"} <= set(codes(left.findings))
        assert executions(left) <= executions(profile)
        if kind == "annotated":
            assert set(find_steps(left).start_ps.tolist()) <= set(steps.start_ps.tolist())
        record = hot_lines(left, LineOptions())
        assert not {"no-op-ran", "ops-of-no-line-of-yours"} & set(codes(record.findings))
        assert sum(line.self_ps for line in record.lines) + record.unattributed_ps == record.op_time_ps
