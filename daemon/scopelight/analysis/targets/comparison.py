"""Puts predicted runs of one script, and measured ones, side by side, their lines joined by their keys."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.lines.view import lines as lines_view
from scopelight.analysis.memory.fit.records import FitRecord
from scopelight.analysis.memory.fit.view import fit
from scopelight.analysis.memory.options import FitOptions
from scopelight.analysis.memory.plan.records import MemoryLine
from scopelight.analysis.missing_programs import step_not_told
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.views import ops
from scopelight.analysis.options import ScopeOptions
from scopelight.analysis.padding.options import PaddingOptions
from scopelight.analysis.padding.view import padding
from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.analysis.subject import Subject
from scopelight.analysis.targets.records import ComparedFigures, ComparedLine, ComparedRun, TargetsRecord
from scopelight.findings import Finding, empty, note, warning
from scopelight.formats.errors import FormatError
from scopelight.model.devices.table import device_model
from scopelight.model.profile import Profile
from scopelight.model.run.listing import kind_in_full


class _Seen(NamedTuple):
    """A run as far as it can be read: of each of its lines, by key, what is shown of it."""

    run: ComparedRun
    places: Mapping[str, LineRecord | MemoryLine]
    figures: Mapping[str, ComparedFigures]


def targets(named: Sequence[tuple[str, Subject]]) -> TargetsRecord:
    """Compare predicted runs, each with a name, and with what was measured on a TPU.

    A run of another device, or one that cannot be read, is said and left out; without a prediction nothing is compared.
    """
    seen: list[_Seen] = []
    findings: list[Finding] = []
    for name, subject in named:
        try:
            device = _tpu_of(subject.profile)
            if device is None:
                findings.append(warning("compared-run-elsewhere", run=name))
                continue
            seen.append(_see(name, subject, device))
        except FormatError as error:
            findings.append(warning("compared-run-unreadable", run=name, problem=error.sentence))
    runs = tuple(each.run for each in seen)
    devices = tuple(dict.fromkeys(each.device for each in runs if each.basis == "predicted"))
    if not devices:
        return TargetsRecord((), (), findings=(empty("nothing-to-compare"), *findings))
    return TargetsRecord(
        runs=runs,
        lines=tuple(_joined(seen)),
        findings=(*findings, *_notes(runs, devices)),
        predicted_for=", ".join(devices),
    )


def _notes(runs: Sequence[ComparedRun], devices: Sequence[str]) -> Iterator[Finding]:
    measured = tuple(each.name for each in runs if each.basis == "measured")
    if measured:
        yield note("compared-with-measured", names=measured)
    yield note("compared-by-estimates", devices=len(devices))
    between = tuple(each.name for each in runs if each.has_slices and each.step_ps is not None)
    if between:
        yield warning("compared-between-slices", names=between)
    without = tuple(each.name for each in runs if each.step_ps is None and each.basis == "predicted")
    if without:
        yield note("compared-without-time", names=without)


def _tpu_of(profile: Profile) -> str | None:
    """The TPU that a run is predicted for, or ran on; None where it ran on something else, or nothing of it ran."""
    if profile.prediction is not None:
        return profile.prediction.device
    devices = profile.executions.devices
    if not devices or any(each.kind != "tpu" for each in devices):
        return None
    stated = next((each.stated.name for each in devices if each.stated is not None and each.stated.name), None)
    model = device_model(stated) if stated is not None else None
    if model is not None:
        return model.name
    recorded = profile.capture.device_kinds if profile.capture is not None else ()
    return kind_in_full(stated or next(iter(recorded), "TPU"))


def _see(name: str, subject: Subject, device: str) -> _Seen:
    prediction = subject.profile.prediction
    memory = fit(subject, FitOptions())
    record = lines_view(subject, ScopeOptions())
    is_whole = prediction is None or step_not_told(prediction) is None
    is_timed = is_whole and record.op_time_ps > 0
    costs = LineCosts(record, ops(subject, OpsOptions()), padding(subject, PaddingOptions())) if is_timed else None
    run = _in_sum(name, subject, device, memory, record)
    if costs is not None:
        run = _with_times(run, record, costs)
    at_the_peak = {each.key: each for each in memory.lines}
    timed = {each.key: (row, each) for row, each in enumerate(record.lines)} if costs is not None else {}
    figures: dict[str, ComparedFigures] = {}
    for key in dict.fromkeys((*timed, *at_the_peak)):
        row, line = timed.get(key, (-1, None))
        if key not in at_the_peak and line is not None and not line.wall_ps:
            # A line that only calls others.
            continue
        planned = at_the_peak.get(key)
        padded = costs.padding(row) if costs is not None and row >= 0 else None
        figures[key] = ComparedFigures(
            per_step_ps=_time_of(line, record) if costs is not None else None,
            share_ratio=(line.share_ratio if line is not None else 0.0) if costs is not None else None,
            peak_bytes=(planned.bytes if planned is not None else 0) if memory.peak_bytes is not None else None,
            peak_unpadded_bytes=(planned.unpadded_bytes if planned is not None else 0)
            if memory.peak_bytes is not None
            else None,
            used_ratio=padded.used_ratio if padded is not None else None,
        )
    places: dict[str, LineRecord | MemoryLine] = {**at_the_peak, **{key: line for key, (_, line) in timed.items()}}
    return _Seen(run, {key: places[key] for key in figures}, figures)


def _in_sum(name: str, subject: Subject, device: str, memory: FitRecord, record: LinesRecord) -> ComparedRun:
    profile = subject.profile
    prediction = profile.prediction
    known = next((each for each in memory.programs if each.fits is not None), None)
    unestimated = next((each for each in record.findings if each.code == "prediction-without-estimate"), None)
    ratio = unestimated.values["bytes_ratio"] if unestimated is not None else None if prediction is None else 0.0
    executions = unestimated.values["executions"] if unestimated is not None else 0
    return ComparedRun(
        name=name,
        run=str(subject.path),
        basis="predicted" if prediction is not None else "measured",
        target=prediction.target if prediction is not None else None,
        device=device,
        devices=prediction.devices if prediction is not None else len(profile.executions.devices),
        program=known.name if known is not None else None,
        fits=known.fits if known is not None else None,
        needed_bytes=known.needed_bytes if known is not None else None,
        available_bytes=known.available_bytes if known is not None else None,
        peak_bytes=memory.peak_bytes,
        peak_unpadded_bytes=None
        if memory.peak_bytes is None
        else sum(each.unpadded_bytes for each in memory.lines)
        + sum(each.unpadded_bytes for each in memory.arguments)
        + (memory.rest_bytes or 0),
        unestimated_executions=executions if isinstance(executions, int) else 0,
        unestimated_bytes_ratio=ratio if isinstance(ratio, float) else None,
        has_slices=any(each.code == "prediction-between-slices" for each in record.findings),
    )


def _with_times(run: ComparedRun, record: LinesRecord, costs: LineCosts) -> ComparedRun:
    has_steps = record.extent.steps > 0
    lost = [found.lost_ratio for row in range(len(record.lines)) if (found := costs.padding(row)) is not None]
    return attrs.evolve(
        run,
        step_ps=record.step_time.mean_ps if has_steps else float(record.extent.duration_ps),
        steps=record.extent.steps,
        padding_ratio=sum(lost) if lost else None,
    )


def _time_of(line: LineRecord | None, record: LinesRecord) -> int:
    """In a step, or of the whole script where it has none that repeats."""
    if line is None:
        return 0
    if line.per_step_ps is not None:
        return line.per_step_ps
    return line.wall_ps if not record.extent.steps else 0


def _joined(seen: Sequence[_Seen]) -> Iterator[ComparedLine]:
    keys = dict.fromkeys(key for each in seen for key in each.figures)

    def most(key: str) -> tuple[float, int]:
        figures = [found for each in seen if (found := each.figures.get(key)) is not None]
        shares = (each.share_ratio for each in figures if each.share_ratio is not None)
        return -max(shares, default=0.0), -max((each.peak_bytes or 0 for each in figures), default=0)

    for key in sorted(keys, key=most):
        place = next(each.places[key] for each in seen if key in each.places)
        yield ComparedLine(
            key=key,
            path=place.path,
            file=place.file,
            line=place.line,
            function=place.function,
            figures=tuple(each.figures.get(key) for each in seen),
        )
