"""How a script ran out of memory, and which lines took it."""

import itertools
import re
from collections.abc import Iterator, Sequence

import attrs

from scopelight.analysis.memory.out_of_memory.message import OutOfMemoryText, read_out_of_memory
from scopelight.analysis.memory.out_of_memory.plan import (
    LEAST_SHARE_RATIO,
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
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.formats.errors import FormatError
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
        asked = attrs.evolve(asked, bytes=None, what="where it came up")
    culprits = _ordered(asked, alive or [], listed, planned, text.requested_bytes)[:MOST_CULPRITS]
    unknown = _unknown(profile, is_known=stage == "compile" or alive is not None)
    return OutOfMemoryRecord(
        message=recorded.message[:LONGEST_MESSAGE],
        requested_bytes=text.requested_bytes,
        limit_bytes=text.limit_bytes,
        stage=stage,
        culprits=tuple(culprits),
        sentence=_sentence(
            text,
            stage,
            culprits,
            asked,
            recorded,
            came_up=came_up,
            is_whole=unknown is None,
            exit_code=capture.exit_code,
        ),
        remedy=_remedy(text, stage, culprits, unknown, came_up=came_up),
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
    what = "had it compiled" if stage == "compile" else "asked for it"
    if text.requested_bytes is None:
        what = "was at work"
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
    beyond = ", not all of them in memory" if limits.is_beyond(latest) else ""
    found = []
    for line in snapshot_lines(latest):
        if line.bytes >= max(1, latest.bytes * LEAST_SHARE_RATIO):
            number = counts.get((line.file, line.line), 0)
            found.append(
                OutOfMemoryCulprit(
                    path=line.path,
                    file=line.file,
                    line=line.line,
                    function=line.function,
                    bytes=line.bytes,
                    what=f"{number} array{'' if number == 1 else 's'} alive{beyond}",
                    basis="snapshot",
                )
            )
    return found


def _listed(text: OutOfMemoryText, frames: UserFrames) -> Iterator[OutOfMemoryCulprit]:
    for buffer in text.buffers:
        what = buffer.what or buffer.op_name
        if buffer.path:
            yield _culprit(Frame(buffer.path, buffer.line or 0, ""), buffer.bytes, what, frames, "compiler")
        else:
            yield OutOfMemoryCulprit(None, None, None, "", buffer.bytes, buffer.op_name or what, "compiler")


def _culprit(
    frame: Frame, size_bytes: int | None, what: str, frames: UserFrames, basis: CulpritBasis
) -> OutOfMemoryCulprit:
    file = frames.file_of(frame)
    return OutOfMemoryCulprit(file.path, file.file, frame.line or None, frame.function, size_bytes, what, basis)


def _sentence(
    text: OutOfMemoryText,
    stage: OutOfMemoryStage,
    culprits: Sequence[OutOfMemoryCulprit],
    asked: OutOfMemoryCulprit | None,
    recorded: RecordedOutOfMemory,
    *,
    came_up: bool,
    is_whole: bool,
    exit_code: int | None,
) -> str:
    """What people read first.

    ``came_up``: the line of ``asked`` only shows it. ``is_whole``: it is known what was in memory, so that the first
    culprit is the largest of all.
    """
    where = "" if asked is None else f" (it came up at {_place(asked)})" if came_up else f" at {_place(asked)}"
    left = f"left with code {exit_code}" if exit_code is not None else "left"
    if stage == "compile":
        lead = f"The program compiled{where} does not fit into memory"
        if recorded.caught:
            lead += f" (the script caught the error, and {left})"
        needs = f": it needs {_size(text.requested_bytes)}" if text.requested_bytes is not None else ""
    else:
        who = "A thread of the script" if recorded.in_thread else "The script"
        lead = f"{who} ran out of memory{where}"
        if recorded.caught:
            lead += f", caught it, and {left}"
        needs = f": {_size(text.requested_bytes)} more were asked for" if text.requested_bytes is not None else ""
    there_is = f", there are {_size(text.limit_bytes)}" if needs and text.limit_bytes is not None else ""
    first = culprits[0] if culprits else None
    most = ""
    if first is not None and first is not asked and first.bytes is not None:
        if is_whole:
            by = f" by {_place(first)}" if first.line is not None else ""
            verb = "is taken" if first.basis == "compiler" else "was held"
            most = f" Most {verb}{by}: {_size(first.bytes)} ({first.what})."
        else:
            of = f" for {_place(first)}" if first.line is not None else " for one buffer"
            # A program may need more than the piece that it asked for first.
            these = "" if first.bytes > (text.requested_bytes or first.bytes) else "Of these "
            most = f" {these}{_size(first.bytes)} are{of} ({first.what})."
    return f"{lead}{needs}{there_is}.{most}"


def _unknown(profile: Profile, *, is_known: bool) -> tuple[str, str] | None:
    """Why it is not known what was in memory, and how that gets known; None where it is known."""
    if is_known:
        return None
    if profile.capture is not None and not profile.capture.watches_memory:
        return (
            "since this run did not watch it",
            "run again without --no-memory to see which lines' arrays pile up",
        )
    return (
        "since no snapshot of it could be kept",
        "see in the memory profile whether it grew all the while, as it does where arrays pile up",
    )


def _remedy(
    text: OutOfMemoryText,
    stage: OutOfMemoryStage,
    culprits: Sequence[OutOfMemoryCulprit],
    unknown: tuple[str, str] | None,
    *,
    came_up: bool,
) -> str:
    first = culprits[0].basis if culprits else None
    if stage == "compile" and first != "compiler":
        return (
            "Make batch or sequence smaller, recompute instead of keeping (jax.checkpoint), or shard over more devices."
            " To see which lines take it, run again with XLA_FLAGS='--xla_dump_to=FOLDER --xla_dump_hlo_as_proto':"
            " Scopelight keeps the compiler's plan then."
        )
    if stage == "compile":
        return (
            "Make what these lines keep smaller: a smaller batch or sequence, recomputing instead of keeping"
            " (jax.checkpoint), or sharding over more devices."
        )
    return _remedy_of_run(text, first, ": ".join(unknown) if unknown is not None else None, came_up=came_up)


def _remedy_of_run(text: OutOfMemoryText, first: CulpritBasis | None, unknown: str | None, *, came_up: bool) -> str:
    if first == "snapshot":
        return (
            "Arrays of these lines are still referred to: drop what is not needed any more (numbers leave the device"
            " with float()), and donate arguments that a call replaces (donate_argnums)."
        )
    if first == "compiler":
        smaller = (
            "The compiled program needs this memory while it runs: make what these lines make inside it smaller (a"
            " smaller batch or sequence), compute it in parts (jax.lax.map), or shard it over devices."
        )
        return f"{smaller} What else was in memory is not known, {unknown}." if unknown is not None else smaller
    if came_up or text.requested_bytes is not None:
        if unknown is None:
            what = "what this line waits for" if came_up else "this array"
            return f"Make {what} smaller, compute it in parts, or shard it over devices."
        what = "what this line waits for" if came_up else "its array"
        return (
            f"What else was in memory is not known, {unknown}. If this one request is too large by itself, make {what}"
            " smaller, compute it in parts, or shard it over devices."
        )
    if unknown is not None:
        return f"What was in memory is not known, {unknown}."
    return "See the memory profile for what grew; make batches smaller, or drop arrays that are not needed any more."


def _place(culprit: OutOfMemoryCulprit) -> str:
    return f"{culprit.path or '(unknown file)'}:{culprit.line}"


def _size(size_bytes: int | None) -> str:
    """In binary units, three significant digits."""
    size = float(size_bytes or 0)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 999.5:
            return f"{size:.3g} {unit}"
        size /= 1024
    return f"{size:.3g} TiB"
