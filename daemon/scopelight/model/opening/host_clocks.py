"""The clocks of the hosts of a profile: what the collectives tell of them, and what is known of them already."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from scopelight.model.executions import Executions, ProgramRuns
from scopelight.model.profile import HostClock
from scopelight.model.rendezvous.clocks import clocks_of
from scopelight.model.rendezvous.of_profile import host_of_device, met
from scopelight.model.run.information import RunInformation
from scopelight.program.hlo.nouns import HloModule

_MOST_KNOWN: Final = 16
_Files = tuple[tuple[str, int, int], ...]

_known: OrderedDict[_Files, Mapping[str, HostClock]] = OrderedDict()
_lock: Final = Lock()


def told_clocks(
    executions: Executions,
    runs: ProgramRuns,
    modules: Sequence[HloModule],
    capture: RunInformation | None,
    names: Sequence[str],
) -> Mapping[str, HostClock]:
    """By host, called as in ``names``, what the collectives of a profile tell of its clock against the first one's."""
    _, instances = met(executions, runs, modules, capture, names)
    clocks = clocks_of(instances, host_of_device(executions), len(names))
    told = zip(names, clocks.offset_ps.tolist(), clocks.error_ps.tolist(), clocks.applied_ps.tolist(), strict=True)
    return {
        name: HostClock(offset_ps, error_ps, applied_ps) if error_ps >= 0 else HostClock()
        for name, offset_ps, error_ps, applied_ps in told
    }


def known_clocks(files: Sequence[Path]) -> Mapping[str, HostClock] | None:
    """What was told of the clocks of files that this process opened; None where it did not."""
    key = _key(files)
    with _lock:
        return _known.get(key) if key is not None else None


def remember_clocks(files: Sequence[Path], clocks: Mapping[str, HostClock]) -> None:
    """Keep what was told, for as long as the files stay as they are."""
    key = _key(files)
    if key is None:
        return
    with _lock:
        _known[key] = clocks
        while len(_known) > _MOST_KNOWN:
            _known.popitem(last=False)


def _key(files: Sequence[Path]) -> _Files | None:
    try:
        stats = [(each, each.stat()) for each in files]
    except OSError:
        return None
    return tuple((str(file.absolute()), stat.st_size, stat.st_mtime_ns) for file, stat in stats)
