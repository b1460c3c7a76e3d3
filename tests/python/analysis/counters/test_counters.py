"""Hardware counters by op: a made plane whose counters are known at every moment."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from made.xspace import Line, plane, write
from scopelight.analysis.counters.options import CountersOptions
from scopelight.analysis.counters.view import counters
from scopelight.analysis.subject import Subject
from scopelight.model.hardware_counters import HardwareCounter
from scopelight.model.opening.profile import open_profile
from scopelight.report.overview.counters import number_text, render_counters

OPS = Line("XLA Ops", (("dot.1", 0, 400), ("add.2", 400, 200), ("dot.1", 1_000, 400)), id=1)
COUNTED = Line(
    "_counters_",
    (
        # 10 while the first product runs, 2 while the sum does, 20 while the second product runs.
        ("MXU busy (%)", 0, 0, 10.0),
        ("MXU busy (%)", 400, 0, 2.0),
        ("MXU busy (%)", 600, 0, 0.0),
        ("MXU busy (%)", 1_000, 0, 20.0),
        ("MXU busy (%)", 1_400, 0, 0.0),
        ("cycles", 0, 0, 7.0),
        ("cycles", 1_000, 0, float("nan")),
    ),
    id=9,
)


def subject(tmp_path, *lines, device="/device:TPU:0"):
    return Subject.of(open_profile(write(tmp_path / "a.xplane.pb", plane(device, *lines))))


def test_an_op_has_the_mean_of_what_was_counted_while_it_ran(tmp_path):
    record = counters(subject(tmp_path, OPS, COUNTED), CountersOptions())
    assert [(each.name, each.unit, each.samples) for each in record.counters] == [
        ("MXU busy", "%", 5),
        ("cycles", "", 1),
    ]
    values = {row.name: row.values for row in record.rows}
    assert values["dot.1"][0] == pytest.approx(15)
    assert values["add.2"][0] == pytest.approx(2)
    busy = record.counters[0]
    assert (busy.least, busy.greatest) == (0, 20)
    assert busy.mean_busy == pytest.approx((400 * 10 + 200 * 2 + 400 * 20) / 1_000)
    assert busy.period_ps == 400


def test_what_was_not_sampled_is_not_known(tmp_path):
    late = Line("_counters_", (("cycles", 1_000, 0, 3.0), ("cycles", 1_200, 0, 5.0)), id=9)
    record = counters(subject(tmp_path, OPS, late), CountersOptions())
    rows = {row.name: row for row in record.rows}
    assert rows["add.2"].values == (None,)
    assert rows["add.2"].sampled_ratio == 0
    assert rows["dot.1"].values[0] == pytest.approx(4)
    assert rows["dot.1"].sampled_ratio == pytest.approx(0.5)


def test_runs_that_are_shorter_than_a_sample_are_marked(tmp_path):
    slow = Line("_counters_", (("cycles", 0, 0, 3.0), ("cycles", 700, 0, 5.0)), id=9)
    record = counters(subject(tmp_path, OPS, slow), CountersOptions())
    assert all(row.is_short for row in record.rows)


@pytest.mark.parametrize(("device", "backend"), [("/device:TPU:0", "tpu"), ("/device:GPU:0", "gpu")])
def test_without_counters_it_says_why_and_how_to_count(tmp_path, device, backend):
    line = OPS if backend == "tpu" else Line("Stream #1", OPS.events, id=1)
    record = counters(subject(tmp_path, line, device=device), CountersOptions())
    (why,) = record.findings
    assert (why.code, why.severity, why.values["backend"]) == ("counters-absent", "empty", backend)


def test_the_terminal_shows_each_counter_and_its_ops(tmp_path):
    record = counters(subject(tmp_path, OPS, COUNTED), CountersOptions())
    out = io.StringIO()
    render_counters(record, Console(file=out, width=140), base=tmp_path)
    assert "MXU busy (%)" in out.getvalue()
    line = next(each for each in out.getvalue().splitlines() if "dot.1" in each)
    assert "15" in line


@pytest.mark.parametrize(
    ("value", "said"), [(None, "–"), (0.5, "0.5"), (1234.0, "1.23e+03"), (43_210.0, "43.2 k"), (5.2e9, "5.2 G")]
)
def test_numbers_have_three_digits(value, said):
    assert number_text(value) == said


@given(
    samples=st.lists(
        st.tuples(st.integers(0, 10**6), st.floats(-1e6, 1e6)), min_size=1, max_size=20, unique_by=lambda s: s[0]
    ),
    borders=st.lists(st.integers(-100, 2 * 10**6), min_size=2, max_size=8),
)
def test_the_sums_of_parts_are_that_of_the_whole(samples, borders):
    samples.sort()
    times, values = (np.array(each) for each in zip(*samples, strict=True))
    counter = HardwareCounter(0, "/device:TPU:0", "x", "", times.astype(np.int64), values.astype(np.float64))
    edges = np.sort(np.array(borders, dtype=np.int64))
    parts, spans = counter.sums(edges[:-1], edges[1:])
    whole, span = counter.sums(edges[:1], edges[-1:])
    assert spans.sum() == span[0]
    assert parts.sum() == pytest.approx(whole[0], rel=1e-6, abs=1)
