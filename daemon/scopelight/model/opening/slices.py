"""Opening the lanes of a profile: headers and reach only, so that a timeline can be drawn within moments."""

import re
from collections import Counter as Counted
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np

from scopelight.formats.errors import FormatError
from scopelight.formats.side_by_side import reading_threads
from scopelight.formats.xspace.reader import LinePlace, LineSpan, XLine, XPlane, XSpace
from scopelight.model.joins import dense_ids
from scopelight.model.lane_kinds import LaneKind, WorkKind, counter_name, lane_kind, thread_work
from scopelight.model.memory.allocator_events import natural_order
from scopelight.model.opening.clocks import clock_offsets_ps, without_foreign
from scopelight.model.opening.host_clocks import clocks_corrected, known_clocks
from scopelight.model.opening.hosts import read_hosts
from scopelight.model.opening.paths import check_path, find_xspaces, is_memory_alone, is_program
from scopelight.model.opening.planes import readable_cut_plane
from scopelight.model.opening.sessions import host_name
from scopelight.model.run.left_out import left_out
from scopelight.model.run.lookup import run_at
from scopelight.model.run.names import PREDICTION_FILE, RUN_FILE
from scopelight.model.slices import Counter, CounterValues, Lane, Once, Section, SectionKind, SliceNames, Slices

SAMPLED_EVENTS = 64
"""Of each thread, to tell what it does."""

LONGEST_PS = 50 * 86_400 * 10**12
"""Below 2^62: sums and differences of two times of a profile fit 64 bits."""
MOST_COUNTERS = 1_000
"""Of one line; a hostile one could have one for each event."""

_KIND_ORDER: Sequence[LaneKind] = ("steps", "modules", "scopes", "ops", "async", "stream", "thread", "counter")
_WORK_ORDER: Sequence[WorkKind | None] = ("python", "input", "compile", "transfer", "ops", "other", None)
_DEVICE_PREFIX = "/device:"
_SIGNED_ID = re.compile(r"(.*/)-(\d{1,19})$")
"""The end of a thread's name where the profiler wrote its id as a signed number."""


@attrs.frozen(eq=False, repr=False)
class _Found:
    """A line with timed events, before it has its place."""

    host: int
    host_name: str
    plane: XPlane
    line: XLine
    span: LineSpan
    offset_ps: int
    first_name: int


def open_slices(path: Path) -> Slices:
    """The lanes of a run directory, a log directory or one file; no event is decoded but those of counters.

    Raises `FormatError` with one sentence where nothing can be read.
    """
    names = SliceNames()
    check_path(path)
    if is_program(path):
        folder = path.parent if path.name == RUN_FILE else path
        is_prediction = (folder / PREDICTION_FILE).is_file()
        return Slices((), (), (), names, 0, is_program=True, is_prediction=is_prediction)
    if path.name == RUN_FILE:
        path = path.parent
    if is_memory_alone(path):
        return Slices((), (), (), names, 0, is_memory_alone=True)
    files, findings = find_xspaces(path)
    spaces, unreadable = read_hosts(files)
    spaces, foreign = without_foreign(spaces)
    findings.extend((*unreadable, *foreign))
    offsets_ps, unaligned = clock_offsets_ps(spaces)
    applied_ps = _applied_ps(path, files, spaces)
    findings.extend(clocks_corrected(known_clocks([each.path for each in spaces]) or {}))
    offsets_ps = [stated + applied for stated, applied in zip(offsets_ps, applied_ps, strict=True)]
    findings.extend(unaligned)
    findings.extend(left_out(run_at(path)))
    hosts: dict[str, int] = {}
    candidates: list[tuple[int, str, XPlane, XLine, int, int]] = []
    for space, offset_ps in zip(spaces, offsets_ps, strict=True):
        of_file = host_name(space.path)
        host = hosts.setdefault(of_file, len(hosts))
        findings.extend(space.findings)
        cut_plane = readable_cut_plane(space)
        for plane in space.planes if cut_plane is None else (*space.planes, cut_plane):
            first_name = names.add_plane(plane.events_metadata)
            candidates.extend((host, of_file, plane, line, offset_ps, first_name) for line in plane.lines)
    with reading_threads() as pool:
        spans = pool.map(lambda each: _span(each[3]), candidates)
    found = [
        _Found(host, of_file, plane, line, span, offset_ps, first_name)
        for (host, of_file, plane, line, offset_ps, first_name), span in zip(candidates, spans, strict=True)
        if span is not None
    ]
    first_ps = min((each.span.first_ps + each.offset_ps for each in found), default=0)
    last_ps = max((each.span.last_ps + each.offset_ps for each in found), default=0)
    if last_ps - first_ps > LONGEST_PS:
        raise FormatError("its events lie more than 50 days apart, so some of their times must be wrong", path=path)
    sections, lanes, counters = _placed(found, first_ps, many_hosts=len(hosts) > 1)
    untimed = sum(each[3].events_count for each in candidates) - sum(each.span.events_count for each in found)
    return Slices(
        sections,
        lanes,
        counters,
        names,
        max(0, last_ps - first_ps),
        untimed_events=untimed,
        findings=tuple(findings),
        files=tuple(files),
    )


def _applied_ps(path: Path, files: Sequence[Path], spaces: Sequence[XSpace]) -> Sequence[int]:
    """What is added to the clock of each file's host: what met in collectives says it, so the profile is opened."""
    names = [host_name(each.path) for each in spaces]
    if len(set(names)) < 2:
        return [0] * len(spaces)
    from scopelight.model.opening.profile import open_files  # noqa: PLC0415 (few profiles have several hosts)

    clocks = known_clocks([each.path for each in spaces])
    if clocks is None:
        try:
            profile = open_files(path, files)
        except FormatError:
            # The lanes of what cannot be read are shown all the same.
            return [0] * len(spaces)
        clocks = {each.name: each.clock for each in profile.traces}
    return [clocks[name].applied_ps if name in clocks else 0 for name in names]


def _span(line: XLine) -> LineSpan | None:
    span = line.span(SAMPLED_EVENTS)
    line.forget_pages()
    return span


def _placed(
    found: Sequence[_Found], origin_ps: int, *, many_hosts: bool
) -> tuple[Sequence[Section], Sequence[Lane], Sequence[Counter]]:
    """Sections in their order, and the lanes and counters of each in theirs."""
    by_section: dict[tuple[int, str], list[_Found]] = {}
    for each in found:
        by_section.setdefault((each.host, each.plane.name), []).append(each)
    sections: list[Section] = []
    lanes: list[Lane] = []
    counters: list[Counter] = []
    for host, plane_name in sorted(by_section, key=_section_order):
        members = by_section[host, plane_name]
        section = _section(members[0], many_hosts=many_hosts)
        names = _names(members, section.kind)
        taken: dict[str, int] = {}
        own: list[Lane] = []
        for each in members:
            kind = lane_kind(section.kind == "device", each.line.name)
            if kind == "counter":
                counters.extend(_counters(each, section.id, len(sections), origin_ps, taken))
                continue
            name = names[each.line.place]
            own.append(
                Lane(
                    id=_unique(f"{section.id}/{name}", taken),
                    section=len(sections),
                    name=name,
                    kind=kind,
                    work=_work(each, name) if kind == "thread" else None,
                    events=each.span.events_count,
                    first_ps=each.span.first_ps + each.offset_ps - origin_ps,
                    last_ps=each.span.last_ps + each.offset_ps - origin_ps,
                    line=each.line,
                    shift_ps=each.offset_ps - origin_ps,
                    first_name=each.first_name,
                )
            )
        lanes.extend(sorted(own, key=_lane_order))
        sections.append(section)
    return sections, lanes, counters


def _section(member: _Found, *, many_hosts: bool) -> Section:
    plane = member.plane.name
    kind: SectionKind = "device" if _is_device(plane) else "host"
    of_host = member.host_name if many_hosts else ""
    if kind == "device":
        shown = plane.removeprefix(_DEVICE_PREFIX)
        name = f"{shown} · {of_host}" if many_hosts else shown
    elif plane == "/host:CPU":
        name = f"Host {member.host_name}".rstrip()
    else:
        name = f"Host {member.host_name} · {plane.removeprefix('/host:')}"
    return Section(f"{kind}:{of_host}{plane}", name, kind, member.host, plane)


def _names(members: Sequence[_Found], kind: SectionKind) -> Mapping[LinePlace, str]:
    """What to call the lines of a section; threads of one name have their ids too."""
    recorded = {each.line.place: each.line.display_name or each.line.name for each in members}
    if kind == "device":
        return recorded
    often = Counted(name for name, _ in {(recorded[each.line.place], each.line.id) for each in members})
    return {
        each.line.place: thread_name(f"{name}/{each.line.id}" if often[name] > 1 else name)
        for each, name in zip(members, recorded.values(), strict=True)
    }


def thread_name(recorded: str) -> str:
    """A thread's name with its id as the system has it: without a sign, of 32 bits where that is all it takes."""
    match = _SIGNED_ID.match(recorded)
    if match is None:
        return recorded
    below_zero = int(match[2])
    bits = 32 if below_zero <= 1 << 31 else 64
    return f"{match[1]}{(-below_zero) % (1 << bits)}" if below_zero <= 1 << 63 else recorded


def _is_device(plane_name: str) -> bool:
    return plane_name.startswith((_DEVICE_PREFIX, "#Chip"))


def _section_order(key: tuple[int, str]) -> tuple[object, ...]:
    host, plane = key
    return (host, not _is_device(plane), plane.startswith("/host:") and plane != "/host:CPU", natural_order(plane))


def _lane_order(lane: Lane) -> tuple[object, ...]:
    is_copying = lane.kind == "stream" and not re.search(r"compute|kernel", lane.name, re.IGNORECASE)
    return (_KIND_ORDER.index(lane.kind), _WORK_ORDER.index(lane.work), is_copying, natural_order(lane.name))


def _unique(wanted: str, taken: dict[str, int]) -> str:
    """``wanted``, or with a number behind it where it is taken already."""
    taken[wanted] = taken.get(wanted, 0) + 1
    if taken[wanted] == 1:
        return wanted
    return _unique(f"{wanted}#{taken[wanted]}", taken)


def _work(found: _Found, name: str) -> WorkKind:
    metadata = found.plane.events_metadata
    rows = found.span.sampled[found.span.sampled >= 0].tolist()
    texts = {row: metadata.text(row) for row in set(rows)}
    return thread_work(name, [texts[row] for row in rows])


def _counters(found: _Found, section_id: str, section: int, origin_ps: int, taken: dict[str, int]) -> Iterator[Counter]:
    """One counter for each name of event on the line."""
    metadata, _, _ = found.line.timed()
    ids, firsts = dense_ids(metadata)
    counts = np.bincount(ids)
    shift_ps = found.offset_ps - origin_ps
    for number, row in enumerate(metadata[firsts].tolist()[:MOST_COUNTERS]):
        shown = found.plane.events_metadata.shown_name(row)
        name, unit = counter_name(shown)

        def read(wanted: int = row) -> CounterValues:
            events = found.line.events()
            mine = np.flatnonzero(events.metadata == wanted)
            mine = mine[np.argsort(events.start_ps[mine], kind="stable")]
            return CounterValues(events.start_ps[mine] + shift_ps, events.first_numbers(rows=mine))

        counter_id = _unique(f"{section_id}/{found.line.name}/{shown}", taken)
        yield Counter(counter_id, section, name, unit, int(counts[number]), Once(read))
