"""Transfers that devices wait for: advice of their own, whoever asks for them."""

import attrs
import numpy as np
import pytest

from made.findings import codes, values
from made.host.input_host import GET_OPTIONS, MAIN_STACKS, input_profile, stands
from made.host.waiting_host import MS
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.model.host.states import HostState

AT_STEP, AT_LOG = 1, 2


def moving(transfer_ms):
    """The thread that launches stands where it feeds nothing while data is moved, from 12 ms of each step on."""
    main = stands(MAIN_STACKS, *((at * 30 + begin, stack) for at in range(4) for begin, stack in ((0, 2), (27, 1))))
    made = input_profile(main=main)
    (states,) = made.host_states
    start_ps = np.arange(4, dtype=np.int64) * 30 * MS + 12 * MS
    return attrs.evolve(
        made,
        host_states=[
            attrs.evolve(
                states,
                state=np.append(states.state, np.full(4, HostState.TRANSFER, dtype=np.int8)),
                start_ps=np.append(states.start_ps, start_ps),
                end_ps=np.append(states.end_ps, start_ps + transfer_ms * MS),
            )
        ],
    )


@pytest.mark.parametrize(
    "view", [lambda made: input_record(made, GET_OPTIONS), lambda made: hot_lines(made, GET_OPTIONS)]
)
def test_what_feeds_no_step_is_told_with_its_line(view):
    found = view(moving(12))
    told = values(found, "steps-wait-for-transfers")
    assert told["transfer_ratio"] == pytest.approx(12 / 30, abs=0.01)
    assert told["per_step_ps"] == pytest.approx(12 * MS, rel=0.01)
    assert (told["file"], told["line"]) == ("train.py", 7)


def test_of_little_nothing_is_said():
    for found in (input_record(moving(1), GET_OPTIONS), hot_lines(moving(1), GET_OPTIONS)):
        assert "steps-wait-for-transfers" not in codes(found)
