"""Where the passes of a training step begin and end: what strays from a pass moves neither."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.memory.plan.phase_bounds import phase_bands, phase_bounds
from scopelight.program.phases.phase import Phase

F, B, R, OPTIMIZER, OTHER = Phase.FORWARD, Phase.BACKWARD, Phase.RECOMPUTE, Phase.OPTIMIZER, Phase.OTHER


def bounds(phases):
    found = phase_bounds(phases)
    return found.forward_start, found.backward_end


def test_a_late_op_of_the_backward_pass_does_not_move_its_end():
    step = [F] * 200 + [B] * 200 + [OPTIMIZER] * 60
    assert bounds(step) == (0, 400)
    assert bounds([*step, B]) == (0, 400)
    assert bounds([*step[:-20], B, *step[-20:], B]) == (0, 400)


def test_a_hundredth_of_a_pass_may_stray_and_no_more():
    step = [F] * 200 + [B] * 298 + [OPTIMIZER] * 60
    assert bounds([*step, B, B]) == (0, 498)
    # Four of 302 are a part of the pass.
    assert bounds([*step, B, B, B, B]) == (0, len(step) + 4)


def test_what_follows_without_a_gap_belongs_to_the_pass():
    # The optimizer begins while the last gradients are made.
    step = [F] * 200 + [B] * 200 + [OPTIMIZER, OPTIMIZER, B] + [OPTIMIZER] * 60
    assert bounds(step) == (0, 403)
    assert bounds([F] * 200 + [B] * 200) == (0, 400)


def test_an_early_op_does_not_start_the_forward_pass():
    step = [F] * 200 + [B] * 200
    assert bounds([F] + [OTHER] * 50 + step) == (51, 451)
    assert bounds([OTHER] * 50 + step) == (50, 450)


def test_in_a_small_program_every_op_counts():
    assert bounds([F, F, B, OPTIMIZER, OPTIMIZER, B]) == (0, 6)
    assert bounds([F, B]) == (0, 2)


def test_a_program_without_a_backward_pass_has_no_bounds():
    assert bounds([F] * 300) == (None, None)
    assert bounds([]) == (None, None)


def test_a_backward_pass_alone_has_an_end_and_keeps_its_bands():
    phases = [B] * 30 + [F] + [B] * 2
    assert bounds(phases) == (None, 33)
    assert [band.phase for band in phase_bands(phases, None)] == ["backward", "forward", "backward"]


def test_no_band_of_the_backward_pass_is_before_the_start_of_the_forward_pass():
    phases = [R, R, B, OPTIMIZER] + [F] * 10 + [R] + [F] * 10 + [B] * 30
    start, end = bounds(phases)
    assert (start, end) == (4, len(phases))
    assert [(band.phase, band.start, band.end) for band in phase_bands(phases, start)] == [
        ("other", 0, 3),
        ("optimizer", 3, 4),
        ("forward", 4, 14),
        ("recompute", 14, 15),
        ("forward", 15, 25),
        ("backward", 25, 55),
    ]


@given(st.lists(st.sampled_from(list(Phase)), max_size=300))
def test_bounds_and_bands_of_any_order_are_sound(phases):
    found = phase_bounds(phases)
    bands = phase_bands(phases, found.forward_start)
    assert [each for band in bands for each in range(band.start, band.end)] == list(range(len(phases)))
    assert all(one.phase != other.phase for one, other in itertools.pairwise(bands))
    if found.backward_end is not None:
        assert phases[found.backward_end - 1] in (B, R)
    if found.forward_start is not None:
        assert phases[found.forward_start] == F
        assert found.forward_start < found.backward_end
        before = [band.phase for band in bands if band.start < found.forward_start]
        assert not {"backward", "recompute"} & set(before)
