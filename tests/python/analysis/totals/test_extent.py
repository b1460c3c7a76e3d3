"""What the sums of records are over."""

import attrs
import jax.numpy as jnp
import numpy as np

from made.views import flops, op_profile, op_statistics, roofline
from scopelight.analysis.padding.padding import padding
from scopelight.analysis.records import ExtentRecord
from scopelight.model.profile import StepMarks


def test_every_record_says_what_its_sums_are_over(profile_of, product):
    profile = profile_of([(product, 10)] * 3)
    whole = ExtentRecord("profile", 0, 30, 1)
    for analysis in (op_statistics, op_profile, flops, roofline, padding):
        assert analysis(profile).extent == whole
    assert op_profile(profile).idle_in_steps_ratio is None
    step = StepMarks("train", np.array([1]), np.array([10]), np.array([15]))
    marked = attrs.evolve(profile, step_marks=[step], duration_ps=60)
    assert flops(marked).extent == ExtentRecord("steps", 1, 15, 1)
    for analysis in (op_statistics, op_profile, roofline, padding):
        assert analysis(marked).extent == ExtentRecord("profile", 0, 60, 1)
    assert (op_profile(marked).idle_ps, op_profile(marked).idle_in_steps_ratio) == (30, 0)


def test_what_did_not_run_is_of_one_run_of_the_program(compiled_module, profile_of):
    module = compiled_module(jnp.tanh, jnp.ones(100))
    profile = profile_of([], modules=[module])
    for analysis in (op_statistics, op_profile, flops, roofline, padding):
        assert analysis(profile).extent == ExtentRecord("program", 0, 0, 0)
