"""What the processes of a job are to jax, in ``run.json``: their devices, and which process a file is of."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from scopelight.capture.publishing.run_directory import RunDirectory, file_names
from scopelight.formats.lenient import from_json
from scopelight.model.run.information import RecordedDevice, RecordedHost


class ProcessRecord:
    """Hears of every process that has a backend."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._deciding = RecordedHost("")
        self._by_pid: dict[int | None, RecordedHost] = {}

    def hear(self, message: Mapping[str, Any], *, decides: bool) -> None:
        """A process has a backend: the devices of the one that ``decides`` come first."""
        process = from_json({**message, "name": ""}, RecordedHost) or RecordedHost("")
        self._by_pid[process.pid] = process
        found = (from_json(each, RecordedDevice) for each in message["devices"])
        told = tuple(each for each in found if each is not None)
        known = self._run.information.devices or ()
        if decides:
            self._deciding = process
        self._run.update(devices=_together(told, known) if decides else _together(known, told))

    def name_files(self, names: Iterable[str], pids: Mapping[str, int]) -> None:
        """Record which process each file of a session to come is of.

        ``names`` are those that the processes are published by. One without an id in ``pids`` is the process that
        decides.
        """
        hosts = {each.name: each for each in self._run.information.hosts}
        for name, file in file_names(names).items():
            pid = pids.get(name)
            process = self._deciding if pid is None else self._by_pid.get(pid, RecordedHost("", pid=pid))
            hosts[file] = attrs.evolve(process, name=file)
        self._run.update(hosts=tuple(hosts.values()))


def _together(first: tuple[RecordedDevice, ...], others: tuple[RecordedDevice, ...]) -> tuple[RecordedDevice, ...]:
    """What two tell of devices. Where the processes are one job to jax each knows all devices, and more of its own."""
    if not (_are_of_several(first) or _are_of_several(others)):
        return (*first, *others)
    found: dict[object, RecordedDevice] = {}
    for each in (*first, *others):
        key = (each.platform, each.id, each.process_index)
        found[key] = _filled(found[key], each) if key in found else each
    return tuple(found.values())


def _are_of_several(devices: Iterable[RecordedDevice]) -> bool:
    return len({each.process_index for each in devices}) > 1


def _filled(device: RecordedDevice, other: RecordedDevice) -> RecordedDevice:
    """A device with what another description of it has besides."""
    absent = [each.name for each in attrs.fields(RecordedDevice) if getattr(device, each.name) is None]
    return attrs.evolve(device, **{name: getattr(other, name) for name in absent})
