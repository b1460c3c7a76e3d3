"""What is seen in a trace: the steps, as they will be shown, and whether they went on after the last compile."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.capture.observed import Cut, Observation
from scopelight.findings import warning

if TYPE_CHECKING:
    from scopelight.analysis.steps.steps import Steps
    from scopelight.model.profile import Profile


def preload() -> None:
    """Import what `observe` needs while the script is still starting."""
    import scopelight.analysis.steps.bursts  # noqa: PLC0415
    import scopelight.model.opening.profile  # noqa: F401, PLC0415


def observe(file: Path, earlier: Sequence[Path] = ()) -> Observation:
    """Look for the steps in a trace, and how often they came in it and in those that it follows on.

    One that cannot be read shows nothing, with the reason.
    """
    from scopelight.analysis.steps.bursts import longest_burst  # noqa: PLC0415
    from scopelight.analysis.steps.steps import find_steps  # noqa: PLC0415
    from scopelight.formats.errors import FormatError  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415

    try:
        profile = open_profile(file)
    except FormatError as error:
        return Observation(None, why_none=warning("trace-unreadable", problem=error.sentence), is_unreadable=True)
    found = find_steps(profile)
    period_ps, burst = found.period_ps, longest_burst(found, profile.compiling)
    alone = Observation(
        period_seconds=None if period_ps is None else period_ps / 1e12,
        periods=len(found),
        executions=len(profile.executions) or profile.unrecorded_runs,
        why_none=found.why_none,
        name=found.name,
        cut=_cut(profile, found),
        burst_seconds=None if burst is None else burst.duration_ps / 1e12,
        burst_steps=None if burst is None else burst.steps,
    )
    alone = _with_compiles(alone, profile)
    if earlier:
        # Where a file system has no hard links, or one of them is damaged, this one has to do.
        with contextlib.suppress(OSError, FormatError), _joined([*earlier, file]) as folder:
            return alone.or_joined(_with_compiles(alone, open_profile(folder)))
    return alone


def _cut(profile: "Profile", steps: "Steps") -> Cut | None:
    if not len(steps):
        return None
    start_ps = profile.executions.start_ps
    before = start_ps < steps.start_ps[0]
    after = start_ps >= steps.start_ps[-1] + steps.duration_ps[-1]
    return Cut(int(before.sum()), int(after.sum()), int(profile.executions.self_ps[before | after].sum()))


@contextlib.contextmanager
def _joined(traces: Sequence[Path]) -> Iterator[Path]:
    """A folder in which traces of one process, one after the other, are read as one."""
    with tempfile.TemporaryDirectory(dir=traces[-1].parent) as name:
        folder = Path(name)
        for number, each in enumerate(traces, 1):
            (folder / f"script.part{number}.xplane.pb").hardlink_to(each)
        yield folder


def _with_compiles(alone: Observation, profile: "Profile") -> Observation:
    """What was seen in a trace, with how often the steps of the profile came while nothing was compiled."""
    import numpy as np  # noqa: PLC0415

    from scopelight.analysis.steps.steps import find_repetition, find_steps  # noqa: PLC0415

    compiling = profile.compiling
    compile_start_ps = np.zeros(0, np.int64) if compiling is None else compiling.start_ps
    compile_end_ps = compile_start_ps if compiling is None else compile_start_ps + compiling.duration_ps
    steps = find_steps(profile)
    if steps.source in (None, "repetition"):
        # Also where a trace was cut within a step: the script waits meanwhile.
        repetition = find_repetition(profile)
        name, start_ps = repetition.program, repetition.boundaries_ps
    else:
        name, start_ps = steps.name, np.append(steps.start_ps, steps.start_ps[-1] + steps.duration_ps[-1])
    since = int((start_ps >= compile_end_ps[-1]).sum()) if len(compile_end_ps) else None
    ended = np.searchsorted(compile_end_ps, start_ps[:-1], "right")
    is_clean = ended == np.searchsorted(compile_start_ps, start_ps[1:], "left")
    apart_ps = np.diff(start_ps)[is_clean]
    if not len(apart_ps):
        return attrs.evolve(alone, seen=0, begun_since_compile=since)
    # Those of a warm-up may be longer or shorter.
    latest_ps = apart_ps[-(since - 1) :] if since is not None and since > 1 else apart_ps
    return attrs.evolve(
        alone,
        name=name,
        period_seconds=float(np.median(latest_ps)) / 1e12,
        seen=len(apart_ps),
        begun_since_compile=since,
    )
