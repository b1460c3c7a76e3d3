"""The colours of spans: what most of the self time in each was, against adding it up span by span."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from made.devices import device_of
from made.executions import executions_of, named, profile_of_executions
from scopelight.analysis.timeline.records import SLICE_COLOURS
from scopelight.analysis.timeline.tracks.span_colours import colours_of_spans
from scopelight.model.slices import lane_slices

OPS = [
    named("all-reduce", "all-reduce", "jit(f)/psum"),
    named("add", "loop fusion", "jit(f)/transpose(jvp(f))/add"),
    named("mul", "loop fusion", "jit(f)/jvp(f)/mul"),
    named("copy-start", "copy-start", "jit(f)/copy"),
]
EXECUTIONS = st.lists(st.tuples(st.sampled_from(OPS), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=400)
SPANS = st.lists(st.tuples(st.integers(-5, 900), st.integers(0, 900)), max_size=20)


@settings(max_examples=200)
@given(EXECUTIONS, SPANS)
def test_each_span_has_the_colour_with_most_self_time_of_the_executions_that_start_in_it(rows, spans):
    start, made = 0, []
    for op, gap, length in rows:
        start += gap
        made.append((op, start, start + length))
        start += length
    of = device_of(profile_of_executions(executions_of(made), 2000))
    slices = lane_slices(
        np.zeros(len(spans), np.int32),
        np.array([start for start, _ in spans], np.int64),
        np.array([length for _, length in spans], np.int64),
    )
    executions = of.executions
    for found, begin, end in zip(colours_of_spans(of, slices), slices.start_ps, slices.end_ps, strict=True):
        inside = (begin <= executions.start_ps) & (executions.start_ps < end)
        colour_of_row = of.op_colours[executions.op[inside]]
        most = np.bincount(colour_of_row, executions.self_ps[inside], minlength=len(SLICE_COLOURS))
        assert SLICE_COLOURS[found] == (SLICE_COLOURS[int(most.argmax())] if most.any() else "other")
