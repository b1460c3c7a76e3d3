"""Which an op is of its equals follows the program: neither the device that is asked for, nor how long it took."""

import pytest

from made.executions import executions_of, ops_of_module, profile_of_executions
from made.views import flops, op_profile, op_statistics

EQUALS = ops_of_module(
    [
        ("first", "add", (), "jit(step)/add"),
        ("second", "add", (), "jit(step)/add"),
        ("third", "add", (), "jit(step)/add"),
    ]
)
FIRST, SECOND, THIRD = EQUALS


def a_profile(*, first=10, third=10):
    """The first op runs on device 0 only, the third on device 1 only, the second on both."""
    rows = [(FIRST, 0, first), (SECOND, first, first + 5), (SECOND, 0, 7), (THIRD, 7, 7 + third)]
    return profile_of_executions(executions_of(rows, devices=[0, 0, 1, 1]), 100)


def keys_by_name(record):
    return {row.name: row.key for row in record.rows}


def test_a_filter_of_devices_leaves_keys_as_they_are():
    profile = a_profile()
    whole = keys_by_name(op_statistics(profile))
    assert set(whole) == {"first", "second", "third"}
    assert len(set(whole.values())) == 3
    for device, names in (("/device:TPU:0", {"first", "second"}), ("/device:TPU:1", {"second", "third"})):
        assert keys_by_name(op_statistics(profile, device=device)) == {name: whole[name] for name in names}


@pytest.mark.parametrize("view", [op_profile, flops])
def test_other_views_of_one_device_have_those_keys(view):
    whole = set(keys_by_name(op_statistics(a_profile())).values())
    one = {row.key for row in view(a_profile(), device="/device:TPU:1").rows if row.key in whole}
    assert one == {row.key for row in op_statistics(a_profile(), device="/device:TPU:1").rows}


def test_times_leave_keys_as_they_are():
    assert keys_by_name(op_statistics(a_profile(first=1, third=60))) == keys_by_name(op_statistics(a_profile()))
