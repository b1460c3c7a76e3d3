"""The view of the input of a script."""

import itertools
from collections.abc import Iterator

import attrs

from scopelight.analysis.host.input.device_side import device_side, devices, spreads, step_records
from scopelight.analysis.host.input.graph.operations import TF_DATA, has_called
from scopelight.analysis.host.input.host_side import with_host_side
from scopelight.analysis.host.input.records import InputRecord
from scopelight.analysis.host.input.verdict import SteadySteps, input_lines, level_of, steady_steps
from scopelight.analysis.host.unseen_coroutines import unseen_coroutines
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.waiting.charging import charge_waiting
from scopelight.analysis.totals.waiting.classes import INPUT
from scopelight.analysis.totals.waiting.transfers import transfer_advice
from scopelight.findings import PROFILE_SCRIPT, Finding, empty, note
from scopelight.model.host.states import HostState
from scopelight.model.profile import Profile

_MOST = 0.8
"""Of the waiting for input."""
_FEW = 2
"""Steps that have most of it, of more: how often such steps come is not known."""
_LEAST_OTHER = 0.001
"""Of the wall clock: with less of it views of lines say the same."""


def input_view(subject: Subject, options: NoOptions) -> InputRecord:  # noqa: ARG001 (every view has them)
    """Whether the steps of a run wait for data, where it is made, and what is slow about it."""
    return input_record(subject.profile, subject.line_options)


def input_record(profile: Profile, line_options: LineOptions | None = None) -> InputRecord:
    """The same of a profile."""
    centre = centre_of(profile, line_options)
    why_none = _why_none(profile, centre)
    if why_none is not None:
        return InputRecord(findings=(why_none, *centre.findings_of_steps))
    steady = steady_steps(profile, centre)
    record = with_host_side(_device_side(profile, centre, steady), profile, centre, steady)
    findings = *_how_to_read(profile, centre, steady, record), *centre.findings, *record.findings
    return attrs.evolve(record, findings=(*findings, *_transfers(centre, steady, record)))


def measured_input(profile: Profile, centre: Centre) -> float | None:
    """The share of the steps for which devices wait for input; None where that is not known."""
    if _why_none(profile, centre) is not None:
        return None
    return _device_side(profile, centre, steady_steps(profile, centre)).input_ratio


def _device_side(profile: Profile, centre: Centre, steady: SteadySteps) -> InputRecord:
    """How much of the steps waits for input, and where."""
    side = device_side(steady, is_known=_is_known(profile))
    steps = step_records(profile, steady, centre.steps, side)
    wall_ps = int(centre.steps.duration_ps[steady.is_steady].sum()) * len(steady.devices)
    input_ps = None if side.input_ps is None else int(side.input_ps[:, steady.is_steady].sum())
    input_ratio = None if input_ps is None else input_ps / max(1, wall_ps)
    names = {row: name for name, row in centre.devices.items()}
    return InputRecord(
        input_ratio=input_ratio,
        level=None if input_ratio is None else level_of(input_ratio),
        input_ps=input_ps,
        idle_ps=int(side.idle_ps[:, steady.is_steady].sum()),
        wall_ps=wall_ps,
        step_count=len(steps),
        steady_steps=int(steady.is_steady.sum()),
        window_ps=profile.duration_ps,
        lines=() if input_ps is None else input_lines(centre, steady, wall_ps),
        spreads=spreads(steady, centre.steps, side),
        devices=devices(profile, steady, side, names),
        steps=steps,
        launches=sum(each.launches for each in steps if each.is_steady),
        idle_launches=sum(each.idle_launches for each in steps if each.is_steady),
    )


def _is_known(profile: Profile) -> bool:
    """Whether anything tells when the host was at its input: a recording, or marks on a thread that launches."""
    return bool(profile.host_records()) or any(
        (each.state == HostState.INPUT).any() and (each.state == HostState.DISPATCH).any()
        for each in profile.host_states
    )


def _why_none(profile: Profile, centre: Centre) -> Finding | None:
    """Why nothing can be said of the input."""
    if centre.static is not None or not len(profile.executions):
        return empty("input-nothing-ran", PROFILE_SCRIPT)
    if not len(centre.steps):
        return empty("input-no-steps", PROFILE_SCRIPT)
    if not profile.host_states:
        return empty("input-host-not-traced", PROFILE_SCRIPT)
    return None


def _how_to_read(profile: Profile, centre: Centre, steady: SteadySteps, record: InputRecord) -> Iterator[Finding]:
    dropped = len(steady.is_steady) - int(steady.is_steady.sum())
    if dropped:
        yield note("input-steps-compile", steps=dropped, of=len(steady.is_steady))
    elif centre.scoped("steps").waiting.classes_ps.get("compile"):
        yield note("input-all-compile")
    few = _steps_that_wait(record)
    if few <= _FEW < record.steady_steps and record.level in ("moderate", "high"):
        yield note("input-few-steps-wait", steps=few, of=record.steady_steps)
    other_ratio = _other_ratio(steady, record)
    if other_ratio >= _LEAST_OTHER:
        yield note("input-of-other-classes", other_ratio=other_ratio)
    records, damage = profile.host_records(), profile.host_damage()
    yield from damage
    if not records:
        if not damage:
            yield note("input-lines-unknown", PROFILE_SCRIPT)
        return
    if not all(recording.has_lines for recording in profile.recordings):
        yield note("input-lines-sampled")
        unseen = unseen_coroutines(profile, centre)
        if unseen is not None:
            yield unseen
    kinds = {stage.kind for stage in record.stages}
    if "tf.data" not in kinds and any(has_called(each, TF_DATA) for each in records.values()):
        yield note("input-tf-data-unseen")
    if any(each.process_ids for each in record.operations):
        yield note("input-workers-unseen")
    if "grain" in kinds and not any(each.kind == "grain" for each in record.operations):
        yield note("input-grain-unseen")


def _transfers(centre: Centre, steady: SteadySteps, record: InputRecord) -> Iterator[Finding]:
    """What to do about transfers, whether or not they are of the input; where its verdict is on them it is said."""
    if record.verdict != "transfer":
        waiting = charge_waiting(steady.pieces, steady.rows[steady.in_steady], centre.frames, centre.parts)
        parts = record.steady_steps * len(steady.devices)
        yield from transfer_advice(centre, waiting, record.wall_ps, parts)


def _other_ratio(steady: SteadySteps, record: InputRecord) -> float:
    """The share of the steps for which devices waited where the script feeds them, for what has a name of its own."""
    if record.input_ps is None:
        return 0.0
    pieces, rows = steady.pieces, steady.input_rows
    return int(pieces.duration_ps[rows][pieces.kind[rows] != INPUT].sum()) / max(1, record.wall_ps)


def _steps_that_wait(record: InputRecord) -> int:
    """How many of the steady steps have most of the waiting for input, the longest first."""
    waits_ps = sorted((each.input_ps or 0 for each in record.steps if each.is_steady), reverse=True)
    until_ps = itertools.accumulate(waits_ps)
    return 1 + sum(each < _MOST * sum(waits_ps) for each in until_ps)
