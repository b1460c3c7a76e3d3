"""Nodes of a predicted run say what a TPU does with their ops, by line, scope and op; of others nothing is said."""

import shutil

import pytest

from made.predictions import PARTS, SCAN
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.records import Compatibility
from scopelight.analysis.graph.view import graph
from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.names import COMPATIBILITY_FILE
from scopelight.source.workspace import line_options

LINE_OF_SMALL = 54


@pytest.fixture(scope="module")
def parts():
    profile = open_profile(PARTS)
    return Subject.of(profile, line_options(profile))


def test_lines_have_the_ops_of_jax_on_them(parts):
    record = graph(parts, GraphOptions())
    (line,) = (each for each in record.nodes if each.kind == "line" and each.line == LINE_OF_SMALL)
    assert line.compatibility == Compatibility(native=1, emulated=2, on_host=0, refused=0, unjudged=0)
    assert "compatibility" in record.overlays


def test_scopes_include_what_is_in_them(parts):
    record = graph(parts, GraphOptions(level="scopes"))
    (scope,) = (each for each in record.nodes if each.scope == "small")
    assert scope.compatibility == Compatibility(native=1, emulated=2, on_host=0, refused=0, unjudged=0)


def test_an_op_is_as_the_op_of_jax_that_it_is_of(parts):
    record = graph(parts, GraphOptions(level="ops", radius=2))
    of_sine = {each.compatibility for each in record.nodes if each.kind == "op" and each.primitive == "sin"}
    assert of_sine == {Compatibility(native=0, emulated=1, on_host=0, refused=0, unjudged=0)}
    # What XLA added is no op of jax's.
    assert {each.compatibility for each in record.nodes if not each.primitive} == {None}


def test_without_verdicts_nothing_is_said(tmp_path):
    profile = open_profile(shutil.copytree(SCAN, tmp_path / "run", ignore=shutil.ignore_patterns(COMPATIBILITY_FILE)))
    record = graph(Subject.of(profile, line_options(profile)), GraphOptions())
    assert record.nodes
    assert {each.compatibility for each in record.nodes} == {None}
    assert "compatibility" not in record.overlays
