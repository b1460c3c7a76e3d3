"""Which core of which chip a plane is of, as its stat says in bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.recorded import FILE_OF_BACKEND
from made.xspace import message, number, text
from scopelight.model.backends.core_details import core_details
from scopelight.model.executions import ChipCore
from scopelight.model.opening.profile import open_profile


def test_a_core_is_told_by_its_number_its_chip_and_its_place_in_the_job():
    stat = number(2, 5) + number(3, 1) + number(4, 2) + number(5, 6) + number(6, 13)
    assert core_details(stat) == (ChipCore(core=1, local_chip=2, chip=6), 13)


def test_zeros_are_left_out():
    assert core_details(number(4, 3)) == (ChipCore(0, 3, 0), 0)


def test_fields_that_nobody_knows_are_no_matter():
    assert core_details(number(5, 6) + text(9, "abc") + number(12, 1)) == (ChipCore(0, 0, 6), 0)


@pytest.mark.parametrize(
    "stat",
    [None, 7, "core", b"", b"\xff" * 12, number(5, 6)[:-1], number(5, 1 << 40), message(5, number(1, 1))],
    ids=["none", "number", "text", "empty", "no message", "cut off", "too great", "of another kind"],
)
def test_what_is_no_such_message_says_nothing(stat):
    assert core_details(stat) == (None, None)


@given(st.binary(max_size=40))
def test_any_bytes_say_something_possible_or_nothing(stat):
    core, of_job = core_details(stat)
    assert (core is None) == (of_job is None)
    if core is not None:
        assert all(0 <= each < 2**31 for each in (core.core, core.local_chip, core.chip, of_job))


def test_the_chips_of_a_recorded_host_are_the_second_half_of_its_slice(shared_data):
    profile = open_profile(shared_data / FILE_OF_BACKEND["tpu"])
    assert [each.core.chip for each in profile.executions.devices] == [4, 5, 6, 7]
    assert [each.core.local_chip for each in profile.executions.devices] == [0, 1, 2, 3]
    assert len({each.id for each in profile.executions.devices}) == 4
