"""Where few of the steps have most of the waiting for input, its share is by chance, and that is said."""

import pytest

from made.findings import codes, values
from made.host.input_host import GET_OPTIONS, input_profile, main_stands, stands
from scopelight.analysis.host.input.view import input_record


def waiting(*waits_ms):
    """The record of steps that wait at the queue for so long each."""
    rows = [
        row for at, waits in enumerate(waits_ms) for row in ((at * 30, 2), (at * 30 + 27 - waits, 0), (at * 30 + 27, 1))
    ]
    return input_record(input_profile(main=stands(main_stands().stacks, *rows)), GET_OPTIONS)


@pytest.mark.parametrize(("waits_ms", "steps"), [((17, 17, 1, 17), 2), ((1, 17, 1, 17), 1), ((1, 1, 17, 17), 1)])
def test_few_steps_with_most_of_the_waiting_are_told(waits_ms, steps):
    found = waiting(*waits_ms)
    assert values(found, "input-few-steps-wait") == {"steps": steps, "of": found.steady_steps}


@pytest.mark.parametrize("waits_ms", [(17, 17, 17, 17), (10, 12, 14, 12), (1, 1, 1, 17)])
def test_steps_that_wait_alike_or_hardly_are_not(waits_ms):
    assert "input-few-steps-wait" not in codes(waiting(*waits_ms))
