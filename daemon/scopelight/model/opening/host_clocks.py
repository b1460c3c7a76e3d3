"""The clocks of the hosts of a profile: what this process was told of them already, and what is to be said of them."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from scopelight.findings import Finding, note, show_view
from scopelight.model.profile import HostClock

_MOST_KNOWN: Final = 16
_Files = tuple[tuple[str, int, int], ...]

_known: OrderedDict[_Files, Mapping[str, HostClock]] = OrderedDict()
_lock: Final = Lock()


def clocks_corrected(clocks: Mapping[str, HostClock]) -> tuple[Finding, ...]:
    """A note where clocks were moved: how many, by how much at most, and how wrong that may be."""
    moved = [each for each in clocks.values() if each.applied_ps]
    if not moved:
        return ()
    most = max(moved, key=lambda each: abs(each.applied_ps))
    error_ps = max(each.error_ps or 0 for each in clocks.values())
    most_ps = abs(most.applied_ps)
    return (note("clocks-corrected", show_view("clocks"), hosts=len(moved), most_ps=most_ps, error_ps=error_ps),)


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
