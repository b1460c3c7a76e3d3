"""Accelerators, as libraries of their makers tell of them: NVML called by hand, tpu-info where it is installed."""

import ctypes
import json
import threading

import attrs
import pytest

from scopelight.capture.resources.accelerators import Accelerators
from scopelight.capture.resources.nvidia import NvidiaGpus, NvmlError
from scopelight.capture.resources.samples import Samples
from scopelight.capture.resources.tpu import Tpus
from scopelight.model.host.resource_lines import read_resources
from scopelight.model.run.names import HOST_SAMPLES_FILE


class FakeNvml:
    """Answers as the library does: through pointers, with a code."""

    def __init__(self, gpus=2, *, init=0, utilisation=0):
        self.gpus, self.init, self.utilisation = gpus, init, utilisation
        self.is_shut_down = False

    def nvmlInit_v2(self):  # noqa: N802
        return self.init

    def nvmlShutdown(self):  # noqa: N802
        self.is_shut_down = True
        return 0

    def nvmlDeviceGetCount_v2(self, count):  # noqa: N802
        count._obj.value = self.gpus
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, index, device):  # noqa: N802
        device._obj.value = 100 + index.value
        return 0

    def nvmlDeviceGetName(self, device, name, room):  # noqa: N802
        name.value = f"GPU of {device.value}"[: room.value].encode()
        return 0

    def nvmlDeviceGetUtilizationRates(self, device, used):  # noqa: N802
        used._obj.gpu = device.value - 100 + 50
        return self.utilisation

    def nvmlDeviceGetMemoryInfo(self, device, memory):  # noqa: N802
        assert isinstance(device, ctypes.c_void_p)
        memory._obj.total, memory._obj.used = 80 << 30, 3 << 30
        return 0


def test_each_gpu_is_read():
    gpus = NvidiaGpus(FakeNvml())
    assert list(gpus.read()) == [
        {
            "kind": "gpu",
            "index": index,
            "name": f"GPU of {100 + index}",
            "busy_ratio": 0.5 + index / 100,
            "used_bytes": 3 << 30,
            "total_bytes": 80 << 30,
        }
        for index in range(2)
    ]


def test_a_slice_of_a_gpu_has_memory_and_no_rate():
    (row,) = NvidiaGpus(FakeNvml(1, utilisation=3)).read()
    assert (row["busy_ratio"], row["used_bytes"]) == (None, 3 << 30)


def test_a_driver_that_refuses_is_told():
    with pytest.raises(NvmlError, match="nvmlInit_v2 returned 9"):
        NvidiaGpus(FakeNvml(init=9))


@attrs.frozen
class Usage:
    device_id: int
    memory_usage: int
    total_memory: int
    duty_cycle_pct: float


class FakeMetrics:
    def get_chip_usage(self, chip):
        assert chip == "v5e"
        return [Usage(0, 1 << 30, 16 << 30, 37.5)]


class SilentMetrics:
    def get_chip_usage(self, _):
        raise ConnectionError("no runtime serves its figures")


def test_tpus_are_as_their_runtime_says_and_unknown_until_it_says_so():
    (row,) = Tpus(FakeMetrics(), "v5e").read()
    assert (row["kind"], row["index"], row["busy_ratio"], row["used_bytes"]) == ("tpu", 0, 0.375, 1 << 30)
    assert list(Tpus(SilentMetrics(), "v5e").read()) == []


class FailingFamily:
    part = "TPUs"
    every_seconds = 0.0

    def read(self):
        raise RuntimeError("the library is too old")

    def close(self):
        raise RuntimeError("it is too old to be closed")


def test_one_family_that_fails_is_told_and_the_others_go_on(tmp_path):
    samples, library, written = Samples(tmp_path), FakeNvml(1), threading.Event()
    gpus = NvidiaGpus(library)
    seen = []

    def read(before=gpus.read):
        seen.append(1)
        if len(seen) > 1:
            written.set()
        return before()

    gpus.read = read
    accelerators = Accelerators(samples, [FailingFamily(), gpus])
    accelerators.start()
    assert written.wait(60)
    accelerators.stop()
    samples.close()
    found = read_resources(tmp_path / HOST_SAMPLES_FILE)
    assert [each.values["part"] for each in found.findings] == ["TPUs"]
    (device,) = found.devices
    assert (device.kind, device.total_bytes, device.busy.value[0]) == ("gpu", 80 << 30, 0.5)
    assert library.is_shut_down


def test_a_full_disk_is_told_once_and_nothing_more_is_written(tmp_path, monkeypatch):
    samples = Samples(tmp_path)
    samples.write({"time_ns": 1})

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", full)
    samples.write({"time_ns": 2})
    monkeypatch.undo()
    samples.write({"time_ns": 3})
    samples.close()
    assert samples.problem == "No space left on device"
    lines = (tmp_path / HOST_SAMPLES_FILE).read_text().splitlines()
    assert [json.loads(line)["time_ns"] for line in lines] == [1]
