"""What the shim tells of the devices of a job, without a job: attributes that are there, missing, None, or raise."""

import os
import sys
from types import SimpleNamespace

import pytest

from scopelight_agent.shim import jax_process


class Raising:
    """A device that knows what it is and fails when it is asked where."""

    platform, device_kind, id, process_index = "tpu", "TPU v4", 7, 1

    def __getattr__(self, name):
        raise RuntimeError(name)


def device(number=0, process_index=0, **place):
    return SimpleNamespace(platform="tpu", device_kind="TPU v4", id=number, process_index=process_index, **place)


@pytest.fixture
def client(monkeypatch):
    """The client of a backend that jax has made in process 1."""
    client = SimpleNamespace(platform="tpu", process_index=lambda: 1, devices=list)
    bridge = SimpleNamespace(_backends={"tpu": client}, _default_backend=client)
    monkeypatch.setitem(sys.modules, "jax._src.xla_bridge", bridge)
    return client


def told(client, *devices):
    client.devices = lambda: list(devices)
    backend, found = jax_process.backend_and_devices()
    assert backend == "tpu"
    return found


def test_where_a_device_is_is_told_of_those_of_all_processes(client):
    here = device(coords=(0, 1, 2), core_on_chip=0, slice_index=0, local_hardware_id=0)
    elsewhere = device(9, 1, coords=[3, 1, 2], core_on_chip=1, slice_index=1, local_hardware_id=None)
    plain = {"platform": "tpu", "kind": "TPU v4"}
    first = {"coords": [0, 1, 2], "core_on_chip": 0, "slice_index": 0, "local_hardware_id": 0}
    second = {"coords": [3, 1, 2], "core_on_chip": 1, "slice_index": 1}
    assert told(client, here, elsewhere) == [
        {**plain, "id": "0", "process_index": 0, **first},
        {**plain, "id": "9", "process_index": 1, **second},
    ]


@pytest.mark.parametrize(
    "place",
    [
        {},
        {"coords": None, "core_on_chip": None, "slice_index": None, "local_hardware_id": None},
        {"coords": (0, "x"), "core_on_chip": 0.5, "slice_index": "0", "local_hardware_id": []},
    ],
)
def test_what_a_device_does_not_have_is_absent(client, place):
    assert [set(each) for each in told(client, device(**place))] == [{"platform", "kind", "id", "process_index"}]


def test_what_raises_is_absent(client):
    assert told(client, Raising()) == [{"platform": "tpu", "kind": "TPU v4", "id": "7", "process_index": 1}]


def test_a_process_says_which_one_it_is(client):
    assert jax_process.this_process() == {"pid": os.getpid(), "process_index": 1}
    del client.process_index
    assert jax_process.this_process() == {"pid": os.getpid()}
