"""The view of the threads of a host."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.host.input.calls import PUTTING, queue_name
from scopelight.analysis.host.threads.records import (
    DarkFunction,
    HostLine,
    HostQueueRecord,
    HostThreadRecord,
    HostThreadsRecord,
)
from scopelight.analysis.host.threads.seen import SeenThread, cells_of, exclusive_spans, seen_threads
from scopelight.analysis.host.unseen_coroutines import unseen_coroutines
from scopelight.analysis.options import NoOptions
from scopelight.analysis.records import WaitingClass
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.waiting.charging import longest_first
from scopelight.analysis.totals.waiting.classes import CLASSES, OF_STATE
from scopelight.findings import PROFILE_SCRIPT, Finding, empty, note, warning
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Frame

MOST_LINES: Final = 50
"""Of a thread, those with most time."""


def host(subject: Subject, options: NoOptions) -> HostThreadsRecord:  # noqa: ARG001 (every view has them)
    """What the threads of a run's hosts were in, and where they stood."""
    return host_record(subject.profile, subject.line_options)


def host_record(profile: Profile, line_options: LineOptions | None = None) -> HostThreadsRecord:
    """The same of a profile."""
    centre = centre_of(profile, line_options)
    threads = [_thread(profile, centre, each) for each in seen_threads(profile)]
    if not threads:
        why_none = empty("host-not-traced", PROFILE_SCRIPT)
        return HostThreadsRecord(findings=(why_none, *centre.findings))
    recordings = profile.recordings
    return HostThreadsRecord(
        window_ps=profile.duration_ps,
        python=recordings[0].python if recordings else None,
        threads=tuple(threads),
        queues=_queues(profile, centre),
        dark=_dark(profile, centre),
        findings=(*_how_to_read(profile, centre), *centre.findings),
    )


def _how_to_read(profile: Profile, centre: Centre) -> Iterator[Finding]:
    recordings, damage = profile.recordings, profile.host_damage()
    yield from damage
    if not recordings and not damage:
        yield note("host-lines-unknown", PROFILE_SCRIPT)
    if any(not each.has_lines for each in recordings):
        yield note("host-lines-sampled")
    unseen = unseen_coroutines(profile, centre)
    if unseen is not None:
        yield unseen
    if any(each.is_overloaded for each in recordings):
        yield warning("host-overloaded")


def _thread(profile: Profile, centre: Centre, thread: SeenThread) -> HostThreadRecord:
    window_ps = profile.duration_ps
    states_ps: dict[WaitingClass, int] = {}
    for state, spans in exclusive_spans(thread):
        time_ps = _inside(spans, window_ps)
        if time_ps:
            states_ps[CLASSES[OF_STATE[state]]] = time_ps
    in_state_ps = sum(states_ps.values())
    lines, stood_ps, elsewhere_ps = _lines(centre, thread, window_ps)
    if stood_ps > in_state_ps:
        states_ps["python"] = stood_ps - in_state_ps
    began_ps = thread.garbage.start_ps
    inside = (began_ps >= 0) & (began_ps < window_ps)
    pauses_ps = thread.garbage.duration_ps[inside]
    return HostThreadRecord(
        key=f"{thread.host}:{thread.line_id}" + (f"#{thread.ordinal + 1}" if thread.ordinal else ""),
        name=thread.name,
        line_id=str(thread.line_id),
        native_id=thread.native_id,
        host=thread.host,
        launches=thread.launches,
        states_ps=longest_first(states_ps),
        known_ps=max(stood_ps, in_state_ps),
        elsewhere_ps=elsewhere_ps,
        lines=lines,
        basis=None if thread.stands is None else "exact" if thread.stands.is_exact else "estimated",
        collections=len(pauses_ps),
        collecting_ps=int(pauses_ps.sum()),
        longest_collection_ps=int(pauses_ps.max(initial=0)),
    )


def _inside(spans: Spans, window_ps: int) -> int:
    whole = np.array([0], dtype=np.int64), np.array([window_ps], dtype=np.int64)
    return int(covered_ps(spans, *whole)[0])


def _lines(centre: Centre, thread: SeenThread, window_ps: int) -> tuple[tuple[HostLine, ...], int, int]:
    """The lines on which a thread stood, how long that is known, and how long it stood on none of the user's."""
    if thread.stands is None:
        return (), 0, 0
    cells = cells_of(thread.stands, window_ps)
    own_ps: dict[LineKey, int] = {}
    total_ps: dict[LineKey, int] = {}
    frames: dict[LineKey, Frame] = {}
    elsewhere_ps = 0
    times_ps = cells.times_ps()
    for row, time_ps in times_ps.items():
        user = centre.frames.of(cells.stacks[row])
        if not user:
            elsewhere_ps += time_ps
            continue
        key = user[0].path, user[0].line
        own_ps[key] = own_ps.get(key, 0) + time_ps
        for frame in user:
            key = frame.path, frame.line
            frames.setdefault(key, frame)
            total_ps[key] = total_ps.get(key, 0) + time_ps
    ordered = sorted(own_ps, key=lambda key: (-own_ps[key], key))[:MOST_LINES]
    lines = tuple(
        HostLine(
            key=centre.line_key(frames[key]),
            **centre.frames.place_fields(frames[key]),
            function=frames[key].function,
            time_ps=own_ps[key],
            total_ps=total_ps[key],
            share_ratio=own_ps[key] / max(1, window_ps),
        )
        for key in ordered
    )
    return lines, sum(times_ps.values()), elsewhere_ps


def _queues(profile: Profile, centre: Centre) -> tuple[HostQueueRecord, ...]:
    found = []
    for host, record in profile.host_records().items():
        for number, seen in enumerate(record.queues):
            waits: dict[str, None] = {}
            held = seen.held
            capacity = int(seen.capacity.max(initial=0))
            # Who waits where is counted from when the script began: while a queue had room nobody waited for any.
            has_room = bool(len(held)) and not (0 < capacity <= int(held.max()))
            for (line_id, function), _ in sorted(seen.ends.items(), key=lambda each: -each[1]):
                if function == PUTTING and has_room:
                    continue
                thread = record.threads.get(line_id)
                waits[f"{thread.name if thread is not None else line_id}: {function}"] = None
            found.append(
                HostQueueRecord(
                    key=f"{host}:{number}",
                    kind=seen.queue.kind,
                    name=queue_name(record, seen, centre),
                    capacity=capacity if capacity > 0 else None,
                    mean_held=float(held.mean()) if len(held) else None,
                    least_held=int(held.min()) if len(held) else None,
                    greatest_held=int(held.max()) if len(held) else None,
                    readings=len(held),
                    waits=tuple(waits),
                )
            )
    return tuple(found)


def _dark(profile: Profile, centre: Centre) -> tuple[DarkFunction, ...]:
    found: dict[tuple[str, int], DarkFunction] = {}
    for recording in profile.recordings:
        codes: Sequence[int] = recording.dark
        for code in (recording.codes[each] for each in codes):
            place = centre.frames.place(Frame(code.file, code.line, code.function))
            found[code.file, code.line] = DarkFunction(place.path, place.file, code.line, code.function)
    return tuple(found.values())
