"""Ids of devices in a job: what planes say, else what jax said, else by the order of processes."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.devices.global_ids import ProcessPlace, global_ids
from scopelight.model.executions import ChipCore, Device
from scopelight.model.run.information import RecordedDevice, RecordedHost, RunInformation
from scopelight.program.hlo.nouns import HloModule


def devices_of(*hosts, ids=None, chips=None):
    """So many devices of each host; with ids, or chips, in their order."""
    places = [(host, ordinal) for host, count in enumerate(hosts) for ordinal in range(count)]
    return [
        Device(
            f"/device:TPU:{ordinal}",
            "tpu",
            host,
            ordinal,
            id=None if ids is None else ids[row],
            core=None if chips is None else ChipCore(0, ordinal, chips[row]),
        )
        for row, (host, ordinal) in enumerate(places)
    ]


def module_of(*ids):
    return HloModule("step", "7", (), (), 0, device_count=len(ids), device_ids=(tuple(ids),))


def recorded(*processes):
    """What jax says of a job, by process the ids of its devices."""
    return RunInformation(
        devices=tuple(
            RecordedDevice(id=str(each), process_index=process) for process, ids in enumerate(processes) for each in ids
        ),
        hosts=tuple(RecordedHost(f"host{process}", process) for process in range(len(processes))),
    )


def test_what_planes_say_counts():
    devices = devices_of(2, 2, ids=[4, 5, 6, 7])
    assert global_ids(devices, [module_of(*range(8))]) == [4, 5, 6, 7]
    assert global_ids(devices, []) == [4, 5, 6, 7]
    # Also before what jax said.
    assert global_ids(devices, [], recorded([0, 1], [2, 3]), ["host0", "host1"]) == [4, 5, 6, 7]


def test_where_two_cores_are_one_device_it_has_the_number_of_the_chip():
    devices = devices_of(2, ids=[4, 6], chips=[2, 3])
    assert global_ids(devices, [module_of(0, 1, 2, 3)]) == [2, 3]


def test_ids_that_programs_do_not_know_are_not_those_of_the_job():
    devices = devices_of(2, ids=[40, 41])
    assert global_ids(devices, [module_of(0, 1)]) == [0, 1]


def test_without_them_jax_says_which_ids_a_process_has():
    devices = devices_of(2, 2)
    run = recorded([2049, 2048], [0, 1])
    assert global_ids(devices, [], run, ["host0", "host1"]) == [2048, 2049, 0, 1]
    assert global_ids(devices_of(2), [], run, ["host1"]) == [0, 1]


@pytest.mark.parametrize(
    ("run", "names"),
    [
        (None, ["host0"]),
        (RunInformation(), ["host0"]),
        (recorded([5]), ["host0"]),
        (recorded([5, 6]), ["another"]),
        (recorded([5, 6]), []),
        (attrs.evolve(recorded([5, 6]), devices=(RecordedDevice(id="cpu"), RecordedDevice())), ["host0"]),
    ],
    ids=["no run", "no devices", "too few", "another host", "no names", "no numbers"],
)
def test_what_jax_did_not_say_is_counted(run, names):
    assert global_ids(devices_of(2), [], run, names) == [0, 1]


def test_processes_are_taken_to_have_as_many_devices_each():
    program = module_of(0, 1, 2048, 2049, 4096, 4097)
    devices = devices_of(2)
    assert global_ids(devices, [program], place=ProcessPlace(0, 3)) == [0, 1]
    assert global_ids(devices, [program], place=ProcessPlace(2, 3)) == [4096, 4097]
    assert global_ids(devices_of(2, 2, 2), [program]) == [0, 1, 2048, 2049, 4096, 4097]
    assert global_ids(devices_of(2, 2), []) == [0, 1, 2, 3]


def test_devices_are_counted_by_their_ordinals():
    devices = devices_of(3)[::-1]
    assert global_ids(devices, []) == [2, 1, 0]


def test_what_cannot_be_counted_is_unknown_and_no_two_are_alike():
    for devices, modules in (
        (devices_of(2, 1), []),
        (devices_of(2), [module_of(0, 1, 2)]),
        (devices_of(1, 1), [module_of(0, 1, 2)]),
    ):
        ids = global_ids(devices, modules)
        assert all(each < 0 for each in ids)
        assert len(set(ids)) == len(devices)
    # Ids that planes repeat are none.
    assert global_ids(devices_of(2, ids=[3, 3]), [module_of(0, 1, 2)]) == [-1, -2]


def test_no_devices():
    assert global_ids([], []) == []


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=4),
    st.lists(st.integers(0, 9), max_size=8),
    st.integers(0, 5),
    st.integers(1, 5),
)
def test_devices_never_share_an_id(hosts, known, number, count):
    devices = devices_of(*hosts)
    ids = global_ids(devices, [module_of(*known)], place=ProcessPlace(number % count, count))
    assert len(ids) == len(set(ids)) == len(devices)
