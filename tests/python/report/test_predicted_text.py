"""Predicted figures in words: each is marked once and names its device, in the text, in cards and in the status bar."""

import re

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.predictions import KERNELS, MESH, SCAN
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.model.opening.profile import open_profile
from scopelight.report import sentences
from scopelight.report.annotations import annotation_text, lens_title
from scopelight.report.card.hover import hover_card
from scopelight.report.compact_annotation import compact_annotation
from scopelight.report.markdown import line_facts, lines_table
from scopelight.report.numbers import byte_size, duration, exact_duration, flops, share
from scopelight.report.prediction.around import sentences_of_prediction
from scopelight.report.prediction.marks import marked, predicted_times, timed
from scopelight.report.run.summary import summary

UNMARKED = re.compile(r"(?<![≈<\d.×])\b\d+(?:\.\d+)? (?:ps|ns|µs|ms|s|%)")
"""A time, or a share, without a mark."""


@pytest.fixture(scope="module", params=[SCAN, MESH, KERNELS], ids=lambda run: run.name)
def record(request):
    return hot_lines(open_profile(request.param))


@given(st.floats(-1e15, 1e15))
def test_a_time_is_marked_where_times_are_predicted_and_says_the_same(time_ps):
    measured = duration(time_ps)
    # Less than something is inexact by itself.
    said = measured if measured.startswith("<") else f"≈{measured}"
    with predicted_times(True):
        assert duration(time_ps) == said
        with predicted_times(False):
            assert duration(time_ps) == measured
        assert timed(duration(time_ps), is_estimated=True) == said
    assert duration(time_ps) == measured


def test_what_rests_on_no_time_has_no_mark():
    with predicted_times(True):
        assert (byte_size(1024), flops(1e9), share(0.5), exact_duration(1e12)) == (
            "1 KiB",
            "1.00 GFLOP",
            "50.0 %",
            "1.00 s",
        )
        assert timed("≥41 %") == "≥41 %"
        assert timed(share(0.0001)) == "<0.1 %"


def test_the_record_among_what_is_worded_says_what_its_times_rest_on(record):
    word = marked(lambda _, time_ps: duration(time_ps))
    assert word(record, 10**9) == "≈1.00 ms"
    assert word(attrs.evolve(record, predicted_for=None), 10**9) == "1.00 ms"


def test_an_annotation_names_the_device(record):
    for line in [each for each in record.lines if each.self_ps]:
        said = annotation_text(line, "time", predicted_for=record.predicted_for)
        assert re.fullmatch(rf"[▰▱]+ [≈<][\d.]+ %  ≈[\d.]+ \w+/step on {record.predicted_for}", said)
        assert annotation_text(line, "time", predicted_for=None).replace("≈", "") == said.replace("≈", "").removesuffix(
            f" on {record.predicted_for}"
        )
        assert compact_annotation(line, "time", is_predicted=True).split(" ", 1)[1].lstrip().startswith(("≈", "<"))


def test_lenses_cards_and_lists_mark_all_their_figures(record):
    line = record.lines[0]
    assert re.fullmatch(
        rf"mlp · ≈\d+ % · ≈\S+ \w+/step on {record.predicted_for}", lens_title("mlp", line.wall_ps, record)
    )
    card = hover_card(line, record)
    fact = f"*predicted for {record.predicted_for}; ops without an estimate move "
    assert fact in card
    said = re.sub(r"ops without an estimate move [\d.]+ % of the bytes", "", card)
    assert not UNMARKED.search(said), said
    for text in (lines_table(record), line_facts(line, record)):
        assert not UNMARKED.search(re.sub(r"ops without an estimate move [\d.]+ % of the bytes", "", text)), text


def test_sentences_promise_no_steps_and_no_idle_time(record):
    device = record.predicted_for
    assert sentences.headline(record).endswith(f" a step, predicted for {device}") or device in sentences.headline(
        record
    )
    assert re.fullmatch(rf"≈\S+ \w+/step · predicted for {device}", sentences.short(record))
    assert sentences.busy_ratio(record) is None
    assert re.match(
        rf"train.py, predicted for {device}: ≈\S+ \w+ a step. ≈\d+ % of the step runs ", summary(record, "train.py")
    )
    assert not UNMARKED.search(sentences.headline(record))


def test_a_line_whose_ops_have_no_estimate_says_so():
    record = hot_lines(open_profile(KERNELS))
    (kernel,) = (line for line in record.lines if line.line == 21)
    assert "How long it takes is not predicted" in hover_card(kernel, record)
    assert "no estimate" in line_facts(kernel, record)


def test_all_of_a_prediction_is_said_in_the_frame_of_panels(record):
    first, *more = sentences_of_prediction(record.findings)
    assert first.startswith(f"Predicted for {record.predicted_for}")
    assert any("have no estimate" in each for each in more)
