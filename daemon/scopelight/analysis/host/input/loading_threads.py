"""Which threads make the script's data, and on which of their lines they only wait."""

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import attrs

from scopelight.analysis.host.input.calls import filling_threads
from scopelight.analysis.host.input.pools import POOLS, asks_pools, awaiting_lines, members_of
from scopelight.analysis.host.threads.seen import SeenThread, cells_of, seen_threads
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.waiting.feeding import feeding_of, is_fetching, is_of, launch_of, lines_mostly_in
from scopelight.analysis.totals.waiting.launching import launching_threads
from scopelight.formats.columns import Bool
from scopelight.model.host.record import HostRecord
from scopelight.model.host.stage_events import ThreadStages
from scopelight.model.host.stands import Stands
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame, Stack

_WAITING: Final = (
    ("/queue.py", ("get", "put", "join")),
    ("multiprocessing/queues.py", ("get", "put")),
    ("multiprocessing/connection.py", ("wait", "poll", "_recv", "recv")),
    ("/threading.py", ("wait", "acquire", "join", "_wait_for_tstate_lock")),
    ("concurrent/futures/_base.py", ("result", "wait")),
    ("concurrent/futures/thread.py", ("_worker",)),
    ("asyncio/queues.py", ("get", "put", "join")),
    ("asyncio/locks.py", ("acquire", "wait", "wait_for")),
)
"""Ends of files of the standard library, and functions there in which a thread waits for others."""
_MAKING: Final = (("torch/utils/data/_utils/fetch.py", ("fetch",)),)
"""The same of libraries, in which the thread that asks for data makes it."""


@attrs.frozen(eq=False, repr=False)
class LoadingThread:
    """A thread that makes data, or launches the steps: then ``feeds`` is by stack whether it stands where it feeds
    them, and ``asks`` the line of their loop on which it mostly does.

    ``stages`` are what libraries marked of it, ``waits`` the lines on which it mostly waits for others. ``around`` are
    files and names of the functions in which the steps are launched, and of those that call these.
    """

    thread: SeenThread
    stages: Sequence[ThreadStages]
    is_launching: bool
    feeds: Bool | None
    waits: Collection[LineKey]
    asks: Frame | None = None
    around: Collection[tuple[str, str]] = ()


def loading_threads(profile: Profile, centre: Centre) -> Sequence[LoadingThread]:
    """The threads of all hosts that make data: those that libraries marked, those that fill queues, those of pools that
    the script asks for results, and those that launch the steps."""
    records = profile.host_records()
    events = profile.stage_events()
    marked: dict[tuple[int, int], list[ThreadStages]] = {}
    for each in events.threads if events is not None else ():
        marked.setdefault((each.host, each.line_id), []).append(each)
    launching = launching_threads(profile)
    launchers = {(host, each.line_id): each for host, threads in launching.items() for each in threads}
    seen = {(each.host, each.line_id): each for each in seen_threads(profile)}
    makes = {
        (host, line_id)
        for host, record in records.items()
        for line_id in (
            *filling_threads(record, centre),
            *_pooled_threads(record, [each.line_id for each in launching.get(host, ())], centre),
        )
    }
    found = []
    # Those that launch come first.
    for key, thread in seen.items():
        is_launching = key in launchers
        if not (is_launching or key in marked or key in makes):
            continue
        record = records.get(thread.host)
        feeds = asks = None
        launch: Stack = ()
        awaits = frozenset[LineKey]()
        if is_launching and thread.stands is not None:
            stacks = thread.stands.stacks
            feeds = feeding_of(
                profile, thread.host, launching[thread.host], stacks, centre.frames, centre.indented_text
            )
            launch = launch_of(profile, launching[thread.host], centre.frames, centre.indented_text)
            asks = _asking_line(thread.stands, feeds, launch[0], profile.duration_ps) if launch else None
            if record is not None:
                awaits = awaiting_lines(itertools.compress(stacks, feeds), centre)
            if record is not None and awaits:
                makes |= {(thread.host, member) for member in _members(record)}
        waits = waiting_lines(record, thread.line_id, centre) | awaits if record is not None else awaits
        around = frozenset((frame.path, frame.function) for frame in launch)
        found.append(LoadingThread(thread, marked.get(key, ()), is_launching, feeds, waits, asks, around))
    return found


def _asking_line(stands: Stands, feeds: Bool, loop: Frame, window_ps: int) -> Frame | None:
    """The line of the function that launches the steps on which a thread stood longest while it fed them."""
    times_ps: Counter[Frame] = Counter()
    for row, time_ps in cells_of(stands, window_ps).times_ps().items():
        if feeds[row]:
            own = (each for each in stands.stacks[row] if (each.path, each.function) == (loop.path, loop.function))
            times_ps.update(dict.fromkeys(itertools.islice(own, 1), time_ps))
    return max(times_ps, key=lambda frame: (times_ps[frame], -frame.line), default=None)


def _pooled_threads(record: HostRecord, launching: Collection[int], centre: Centre) -> Iterator[int]:
    """The threads of pools, where the script asks those for results."""
    members = _members(record)
    if members and asks_pools(record, launching, centre):
        yield from members


def _members(record: HostRecord) -> frozenset[int]:
    return frozenset(each for pool in record.operations if pool.kind in POOLS for each in members_of(pool))


def waiting_lines(record: HostRecord, line_id: int, centre: Centre) -> frozenset[LineKey]:
    """Lines of the user's on which most samples of a thread were in what waits for others."""
    stacks = list(record.sampled_stacks(line_id))
    waits = lines_mostly_in(stacks, centre.frames, is_waiting)
    return waits - lines_mostly_in(stacks, centre.frames, lambda frame: is_of(frame, _MAKING))


def is_waiting(frame: Frame) -> bool:
    """Whether a frame is one in which a thread waits for others."""
    return is_fetching(frame) or is_of(frame, _WAITING)
