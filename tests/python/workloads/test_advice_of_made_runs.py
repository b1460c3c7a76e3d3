"""Rules that no script on a CPU shows, on runs that are made by hand."""

import lzma
from pathlib import Path

import attrs
import numpy as np
import pytest

from made.executions import executions_of, named, profile_of_executions
from made.host.idle import OPTIONS, frame
from made.program.training_loops import marks
from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.executions import Op
from scopelight.model.opening.profile import open_profile
from scopelight.model.stated_peaks import StatedPeaks

MS = 1_000_000_000
STEPS, STEP_MS = 5, 30
GATHER = Op("all-gather.1", "all-gather", 0, stack=(frame(6),))
COMPUTE = Op("fusion.1", "fusion", 0, stack=(frame(5),))


def run(of_step, *, lanes=None, kind="tpu", name="TPU v5e", modules=(), programs=(), options=OPTIONS):
    """What is advised on steps of 30 ms, in each of which these ops run: (op, begin, end) in ms."""
    rows = [
        (op, (at * STEP_MS + begin) * MS, (at * STEP_MS + end) * MS)
        for at in range(STEPS)
        for op, begin, end in of_step
    ]
    executions = executions_of(rows, lanes=None if lanes is None else lanes * STEPS, kind=kind)
    devices = tuple(attrs.evolve(each, stated=StatedPeaks(name=name)) for each in executions.devices)
    profile = attrs.evolve(
        profile_of_executions(attrs.evolve(executions, devices=devices), STEPS * STEP_MS * MS),
        step_marks=(marks([at * STEP_MS * MS for at in range(STEPS)], STEP_MS * MS),),
        modules=modules,
        programs=programs,
    )
    return {each.code: each for each in advice_record(Subject.of(profile, options)).findings}


class TestCommunication:
    def test_is_said_with_its_time_where_nothing_computes_meanwhile(self):
        found = run([(COMPUTE, 0, 20), (GATHER, 20, 30)])["exposed-communication"]
        assert found.saving_per_step_ps == 10 * MS
        assert found.values["exposed_ratio"] == pytest.approx(1 / 3)

    def test_that_is_hidden_is_not_said(self):
        assert "exposed-communication" not in run([(COMPUTE, 0, 29), (GATHER, 5, 15)], lanes=[0, 1])

    def test_of_a_part_that_is_hidden_the_rest_is_said(self):
        found = run([(COMPUTE, 0, 20), (GATHER, 15, 28)], lanes=[0, 1])["exposed-communication"]
        assert found.saving_per_step_ps == 8 * MS

    def test_among_threads_of_one_host_is_none(self):
        assert "exposed-communication" not in run([(COMPUTE, 0, 20), (GATHER, 20, 30)], kind="cpu")
