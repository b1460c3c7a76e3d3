"""How a script ran out of memory, and which lines took it."""

import itertools
import re
from collections.abc import Iterator, Sequence

import attrs

from scopelight.analysis.memory.out_of_memory.plan import (
    LEAST_SHARE_RATIO,
    culprit,
    planned_culprits,
    result_culprits,
    temporary_culprits,
)
from scopelight.analysis.memory.plan.program_choice import program_choice
from scopelight.analysis.memory.profile.records import (
    CulpritBasis,
    OutOfMemoryCulprit,
    OutOfMemoryRecord,
    OutOfMemoryStage,
)
from scopelight.analysis.memory.profile.snapshot_limits import snapshot_limits
from scopelight.analysis.memory.profile.snapshot_lines import snapshot_lines, snapshot_record
from scopelight.analysis.records import place_fields
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.findings import Finding, advice, error, note, show_view
from scopelight.formats.errors import FormatError
from scopelight.formats.out_of_memory_message import OutOfMemoryText, read_out_of_memory
from scopelight.model.profile import Profile
from scopelight.model.run.information import RecordedOutOfMemory
from scopelight.program.hlo.frames import Frame, Stack

MOST_CULPRITS = 10
_WAITS = re.compile(r"(?:^|\.)(?:_value|__array__|block_until_ready|device_get)(?:\.|$)")
"""Functions of jax that wait for an array, or read it."""
WANT_SNAPSHOT = "out-of-memory"
"""Its name: it was taken as memory ran out."""
LONGEST_MESSAGE = 20_000
"""Characters of the message that a record carries."""


def out_of_memory(profile: Profile, line_options: LineOptions | None = None) -> OutOfMemoryRecord | None:
    """What is known of the end of a script that found no more memory; None for any other.

    Culprits are what the compiler planned or listed, the lines whose arrays were alive in the last snapshot, and the
    line that asked; the last one comes first where it asked for more than any other line held. Where it was a program
    that asked, by its plan, its lines come right before it: it only shows where that came up.
    """
    capture = profile.capture
    recorded = capture.out_of_memory if capture is not None else None
    if capture is None or recorded is None:
        return None
    options = line_options or LineOptions()
    centre = centre_of(profile, options)
    frames = centre.frames
    text = read_out_of_memory(recorded.message)
    stage: OutOfMemoryStage = "compile" if recorded.during_compilation or text.is_of_compiler else "run"
    asked = _asked(recorded, text, stage, frames)
    is_wait = stage == "run" and (recorded.waits or _is_wait(recorded.stack, frames))
    alive = _alive(profile, centre) if stage == "run" else None
    listed = planned_culprits(profile, options) or list(_listed(text, frames))
    if not listed and stage == "run" and text.requested_bytes is not None:
        choice = program_choice(profile, options)
        planned = temporary_culprits(profile, choice, options, text.requested_bytes)
        if not planned:
            results = result_culprits(profile, choice, options, text.requested_bytes, is_wait=is_wait)
            is_own = asked is not None and any(_is_of_line(each, asked) for lines in results for each in lines)
            is_wait = is_wait and not is_own
            # The line in the traceback may run what asked; and of several programs it may be any.
            planned = results[0] if len(results) == 1 and not is_own else []
    else:
        planned = []
    # A program asks for what it needs as a whole: the line that runs it, or waits for it, is where that shows.
    came_up = bool(planned) or is_wait
    if came_up and asked is not None:
        asked = attrs.evolve(asked, bytes=None, findings=(note("where-it-came-up"),))
    culprits = _ordered(asked, alive or [], listed, planned, text.requested_bytes)[:MOST_CULPRITS]
    is_known = stage == "compile" or alive is not None
    asked_place = place_fields(asked)
    return OutOfMemoryRecord(
        message=recorded.message[:LONGEST_MESSAGE],
        requested_bytes=text.requested_bytes,
        limit_bytes=text.limit_bytes,
        stage=stage,
        culprits=tuple(culprits),
        findings=(
            error(
                "does-not-fit" if stage == "compile" else "ran-out-of-memory",
                path=asked_place["path"],
                line=asked_place["line"],
                came_up=came_up,
                in_thread=recorded.in_thread,
                caught=recorded.caught,
                exit_code=capture.exit_code,
                requested_bytes=text.requested_bytes,
                limit_bytes=text.limit_bytes,
            ),
            *_most(culprits, asked, text.requested_bytes, is_known=is_known),
            *_advice(profile, text, stage, culprits, is_known=is_known, came_up=came_up),
        ),
    )


def _ordered(
    asked: OutOfMemoryCulprit | None,
    alive: Sequence[OutOfMemoryCulprit],
    listed: Sequence[OutOfMemoryCulprit],
    planned: Sequence[OutOfMemoryCulprit],
    requested_bytes: int | None,
) -> list[OutOfMemoryCulprit]:
    asking = [*planned, asked] if asked is not None else [*planned]
    most_alive = max((each.bytes or 0 for each in alive), default=0)
    is_last = bool(listed) or (requested_bytes or 0) < most_alive
    return [*listed, *alive, *asking] if is_last else [*asking, *alive]


def _asked(
    recorded: RecordedOutOfMemory, text: OutOfMemoryText, stage: OutOfMemoryStage, frames: UserFrames
) -> OutOfMemoryCulprit | None:
    """The user's line that was at work when memory ran out."""
    frame = next(iter(frames.of(recorded.stack)), None)
    if frame is None:
        return None
    what = note("was-at-work")
    if text.requested_bytes is not None:
        what = note("had-it-compiled") if stage == "compile" else note("asked-for-it")
    return _culprit(frame, text.requested_bytes, what, frames, "traceback")


def _is_wait(stack: Stack, frames: UserFrames) -> bool:
    """Whether the user's line called what waits for an array that was made before: print, float, numpy."""
    user = frames.of(stack)
    inner = itertools.takewhile(lambda frame: not user or frame != user[0], stack)
    return any("/jax/_src/" in frame.path.replace("\\", "/") and _WAITS.search(frame.function) for frame in inner)


def _is_of_line(culprit: OutOfMemoryCulprit, other: OutOfMemoryCulprit) -> bool:
    return (culprit.path, culprit.file, culprit.line) == (other.path, other.file, other.line)


def _alive(profile: Profile, centre: Centre) -> list[OutOfMemoryCulprit] | None:
    """Lines whose arrays were alive when memory ran out, else in the latest snapshot that can be read.

    None where there is none.
    """
    latest = None
    limits = snapshot_limits(profile.memory)
    # A script that caught the error has let go of arrays by its end.
    latest_last = sorted(profile.memory.snapshots, key=lambda each: each.name == WANT_SNAPSHOT)
    for snapshot in reversed(latest_last):
        try:
            latest = snapshot_record(snapshot, centre, profile.started_ns, limits)
        except FormatError:
            continue
        break
    if latest is None:
        return None
    counts: dict[tuple[str | None, int | None], int] = {}
    for row in latest.rows:
        if row.kind != "executable":
            counts[row.file, row.line] = counts.get((row.file, row.line), 0) + row.count - row.unknown_count
    is_beyond = limits.is_beyond(latest)
    found = []
    for line in snapshot_lines(latest):
        if line.bytes >= max(1, latest.bytes * LEAST_SHARE_RATIO):
            number = counts.get((line.file, line.line), 0)
            what = note("arrays-alive", arrays=number, beyond_memory=is_beyond)
            found.append(culprit(line, line.bytes, what, "snapshot"))
    return found


def _listed(text: OutOfMemoryText, frames: UserFrames) -> Iterator[OutOfMemoryCulprit]:
    for buffer in text.buffers:
        names = (buffer.what, buffer.op_name) if buffer.path else (buffer.op_name, buffer.what)
        what = note("listed-by-the-compiler", what=names[0] or names[1])
        line = buffer.line if buffer.path else None
        yield _culprit(Frame(buffer.path, line or 0, ""), buffer.bytes, what, frames, "compiler")


def _culprit(
    frame: Frame, size_bytes: int | None, what: Finding, frames: UserFrames, basis: CulpritBasis
) -> OutOfMemoryCulprit:
    file = frames.file_of(frame)
    return OutOfMemoryCulprit(file.path, file.file, frame.line or None, frame.function, size_bytes, (what,), basis)


def _most(
    culprits: Sequence[OutOfMemoryCulprit],
    asked: OutOfMemoryCulprit | None,
    requested_bytes: int | None,
    *,
    is_known: bool,
) -> Iterator[Finding]:
    """What most of the memory was for, where that is not the line that asked.

    ``is_known``: it is known what was in memory, so that the first culprit is the largest of all.
    """
    first = culprits[0] if culprits else None
    if first is None or first is asked or first.bytes is None:
        return
    role = first.findings[0]
    yield error(
        "most-of-memory" if is_known else "part-of-request",
        path=first.path,
        line=first.line,
        held_bytes=first.bytes,
        planned=first.basis == "compiler",
        # A program may need more than the piece that it asked for first.
        of_request=first.bytes <= (requested_bytes or first.bytes),
        role=role.code,
        **role.values,
    )


def _advice(
    profile: Profile,
    text: OutOfMemoryText,
    stage: OutOfMemoryStage,
    culprits: Sequence[OutOfMemoryCulprit],
    *,
    is_known: bool,
    came_up: bool,
) -> Iterator[Finding]:
    first = culprits[0].basis if culprits else None
    if stage == "compile":
        yield advice("make-what-is-kept-smaller" if first == "compiler" else "make-program-smaller")
        return
    if first == "snapshot":
        yield advice("drop-arrays")
        return
    if first == "compiler":
        yield advice("make-temporaries-smaller")
    if not is_known:
        is_watched = profile.capture is None or profile.capture.watches_memory
        yield note("memory-not-kept" if is_watched else "memory-not-watched")
    if first == "compiler":
        return
    if came_up or text.requested_bytes is not None:
        yield advice("make-awaited-smaller" if came_up else "make-array-smaller", alone=not is_known)
    elif is_known:
        yield advice("see-what-grew", show_view("memory-profile"))
