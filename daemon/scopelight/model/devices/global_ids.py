"""Ids of devices in a job of several processes, as groups of collectives name them."""

from collections.abc import Sequence

import attrs

from scopelight.model.executions import Device
from scopelight.model.run.information import RunInformation
from scopelight.program.hlo.nouns import HloModule


@attrs.frozen
class ProcessPlace:
    """Which of the files of a capture a profile is of: the ``number``-th of ``count``, in order of their names."""

    number: int = 0
    count: int = 1


def global_ids(
    devices: Sequence[Device],
    modules: Sequence[HloModule],
    run: RunInformation | None = None,
    host_names: Sequence[str] = (),
    place: ProcessPlace | None = None,
) -> list[int]:
    """By device its id among all devices of the job; negative where it is not known.

    A device's own id counts, as its plane says it; else what jax said of it in ``run.json``. Without either, processes
    are taken to have as many devices each, in the order of their files' names; ``place`` is that of a single file.
    ``host_names`` are by `Device.host`.
    """
    known = sorted({each for module in modules for partition in module.device_ids for each in partition})
    # Where two cores of a chip are one device it has the chip's number.
    chips = [each.core.chip if each.core is not None else None for each in devices]
    for own in ([each.id for each in devices], chips):
        ids = [each for each in own if each is not None]
        if len(set(ids)) == len(devices) and set(ids) <= set(known or ids):
            return ids
    if told := _told(devices, run, host_names):
        return told
    return _counted(devices, known, place) or [-1 - row for row in range(len(devices))]


def _told(devices: Sequence[Device], run: RunInformation | None, host_names: Sequence[str]) -> list[int] | None:
    """What ``run.json`` says: the devices of a process, in order of their ids, are those of its file in their order."""
    if run is None or not run.devices or not host_names:
        return None
    of_process: dict[int, list[int]] = {}
    for each in run.devices:
        if each.id is not None and each.id.isdecimal():
            of_process.setdefault(each.process_index or 0, []).append(int(each.id))
    found = []
    for device in devices:
        process = run.process_index(host_names[device.host])
        ids = sorted(of_process.get(process if process is not None else -1, []))
        if device.ordinal >= len(ids):
            return None
        found.append(ids[device.ordinal])
    return found if len(set(found)) == len(found) else None


def _counted(devices: Sequence[Device], known: Sequence[int], place: ProcessPlace | None) -> list[int] | None:
    ordered = sorted(range(len(devices)), key=lambda row: (devices[row].host, devices[row].ordinal))
    hosts = len({each.host for each in devices})
    first, count = (place.number, place.count) if place is not None and hosts == 1 else (0, hosts)
    each = len(devices) // max(1, hosts)
    ids = known or list(range(count * each))
    if len(devices) != hosts * each or len(ids) != count * each:
        return None
    found = [0] * len(devices)
    for position, row in enumerate(ordered):
        found[row] = ids[first * each + position]
    return found
