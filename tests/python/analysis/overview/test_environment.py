"""What a run ran on: how large its batches are, by the arguments of the program of its steps."""

import attrs

from made.profiles import SCALAR, WEIGHT, module, profile
from scopelight.analysis.overview.environment import batch_of
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.program.hlo.nouns import Shape


def step_on(*batches, names=("params['w']", "x", "y"), program_id="1"):
    """A training step that takes weights, which it hands on, and batches of such sizes."""
    made = module("jit_step", program_id, [WEIGHT, *(Shape("f32", each) for each in batches)], [WEIGHT, SCALAR])
    named = [
        attrs.evolve(each, op_name=names[each.parameter_number]) if each.opcode == "parameter" else each
        for each in made.instructions
    ]
    return attrs.evolve(made, instructions=tuple(named))


def environment_of(*modules):
    runs = [(row, 100 * at, 90) for at, row in enumerate([*range(len(modules))] * 3)]
    return overview(Subject.of(profile(modules, runs), LineOptions()), OverviewOptions()).environment


def test_data_does_not_come_back_in_the_shape_that_it_went_in():
    assert batch_of(step_on((64, 10), (64,))) == (64, ("x", "y"))


def test_what_is_no_argument_of_the_code_tells_nothing():
    assert batch_of(step_on((2, 10), (2,), names=("params['w']", "", "jit(train_step)/shard_map/x"))) == (None, ())


def test_a_name_may_have_a_slash_in_its_key():
    assert batch_of(step_on((64, 10), names=("w", "batch['image/encoded']"))) == (64, ("batch['image/encoded']",))


def test_sizes_that_change_are_said_from_the_least_to_the_greatest():
    changing = [step_on((size, 10), (size,), program_id=str(size)) for size in (199, 20, 399)]
    found = environment_of(*changing)
    assert (found.batch_size, found.batch_size_most, found.batch_arguments) == (20, 399, ("x", "y"))


def test_one_size_is_no_range():
    found = environment_of(step_on((64, 10), (64,)))
    assert (found.batch_size, found.batch_size_most) == (64, None)
