"""The view of compatibility."""

import functools
from collections.abc import Iterable, Mapping, Sequence

import attrs

from scopelight.analysis.compatibility.causes import cause_of
from scopelight.analysis.compatibility.compiler_words import sentence
from scopelight.analysis.compatibility.findings import findings_of, why_unknown
from scopelight.analysis.compatibility.placed_ops import PlacedOp, Scope, placed_ops
from scopelight.analysis.compatibility.records import (
    CompatibilityOp,
    CompatibilityPlace,
    CompatibilityRecord,
    PlaceKind,
)
from scopelight.analysis.compatibility.tallies import Tallies, Tally
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.keys import digest
from scopelight.findings import Finding
from scopelight.model.run.compatibility import OpVerdict
from scopelight.model.run.prediction import PredictedOutcome, PredictedProgram, Prediction
from scopelight.program.hlo.frames import Frame

_WORST_FIRST: Sequence[OpVerdict] = ("refused", "unjudged", "on-host", "emulated", "native")

_Program = tuple[str, PredictedOutcome]
"""The name of programs, and what became of them: those that have both are one row."""
_Line = tuple[str, int]
_Group = tuple[str, str, _Line | None, Scope, str | None]


def compatibility(subject: Subject, options: NoOptions) -> CompatibilityRecord:  # noqa: ARG001
    """What a TPU would do with each op of a run that was predicted."""
    profile = subject.profile
    prediction = profile.prediction or Prediction()
    known = profile.compatibility()
    centre = centre_of(profile, subject.line_options)
    if known is None:
        return CompatibilityRecord(
            prediction.target, prediction.device, findings=(why_unknown(profile), *_of_run(centre))
        )
    counted = _Counted(centre, prediction)
    for each in placed_ops(known, centre.frames):
        counted.add(each)
    ops = counted.ops()
    programs = counted.programs_()
    return CompatibilityRecord(
        target=prediction.target,
        device=prediction.device,
        total=counted.total(),
        ops=ops,
        programs=programs,
        functions=counted.functions_(),
        lines=counted.lines_(),
        scopes=counted.scopes_(),
        findings=(*findings_of(known, ops, programs), *_of_run(centre)),
    )


def _of_run(centre: Centre) -> tuple[Finding, ...]:
    """What is to be known of the run, without what is about times."""
    return tuple(
        each
        for each in centre.findings
        if each.code == "prediction-cancelled" or not each.code.startswith("prediction-")
    )


@attrs.define
class _Counted:
    """Ops, counted by everything at once."""

    centre: Centre
    prediction: Prediction
    all: Tally = attrs.field(factory=Tally)
    programs: Tallies[_Program] = attrs.field(factory=Tallies)
    functions: Tallies[tuple[str, str]] = attrs.field(factory=Tallies)
    lines: Tallies[_Line] = attrs.field(factory=Tallies)
    scopes: Tallies[Scope] = attrs.field(factory=Tallies)
    frames: dict[_Line, Frame] = attrs.field(factory=dict)
    """Of each line the first."""
    first_lines: dict[tuple[str, str], Frame] = attrs.field(factory=dict)
    """Of each function the first."""
    groups: dict[_Group, list[PlacedOp]] = attrs.field(factory=dict)

    def add(self, placed: PlacedOp) -> None:
        verdict, count, number = placed.op.verdict, placed.count, placed.program
        self.all.add(verdict, count, number)
        program = self._by_number.get(number) if number is not None else None
        if program is not None:
            self.programs.of((program.name, program.outcome)).add(verdict, count, number)
        line = None
        if placed.frame is not None:
            frame = placed.frame
            line = (frame.path, frame.line)
            function = (frame.path, frame.function)
            self.frames.setdefault(line, frame)
            if frame.line < self.first_lines.setdefault(function, frame).line:
                self.first_lines[function] = frame
            self.lines.of(line).add(verdict, count, number)
            self.functions.of(function).add(verdict, count, number)
        for depth in range(1, len(placed.scope) + 1):
            self.scopes.of(placed.scope[:depth]).add(verdict, count, number)
        if verdict != "native":
            told = placed.op.key or f"{placed.op.primitive} {placed.op.message}"
            self.groups.setdefault((told, verdict, line, placed.scope, placed.phase), []).append(placed)

    def total(self) -> CompatibilityPlace | None:
        if not self.all.ops:
            return None
        return self._place("program", "", None, digest("compatibility", "all"), self.all)

    def ops(self) -> tuple[CompatibilityOp, ...]:
        rows = map(self._op, self.groups.items())
        return tuple(
            sorted(rows, key=lambda row: (_WORST_FIRST.index(row.verdict), -row.count, row.path or "", row.line or 0))
        )

    def programs_(self) -> tuple[CompatibilityPlace, ...]:
        first: dict[_Program, PredictedProgram] = {}
        numbers: dict[_Program, int] = {}
        for each in self.prediction.programs:
            of = (each.name, each.outcome)
            first.setdefault(of, each)
            numbers[of] = numbers.get(of, 0) + 1
        # One of which no op is known, for it has none or they were not told, is a program as well.
        return _worst_first(
            attrs.evolve(
                self._place(
                    "program",
                    name,
                    None,
                    digest("compatibility", "program", name, outcome),
                    self.programs.by_key.get((name, outcome), Tally()),
                ),
                outcome=outcome,
                message=sentence(each.message),
                programs=numbers[name, outcome],
            )
            for (name, outcome), each in first.items()
        )

    def functions_(self) -> tuple[CompatibilityPlace, ...]:
        return _worst_first(
            self._place(
                "function",
                function,
                self.first_lines[path, function],
                self.centre.function_key(path, function),
                tally,
            )
            for (path, function), tally in self.functions.by_key.items()
        )

    def lines_(self) -> tuple[CompatibilityPlace, ...]:
        return _worst_first(
            self._place("line", "", self.frames[line], self.centre.line_key(self.frames[line]), tally)
            for line, tally in self.lines.by_key.items()
        )

    def scopes_(self) -> tuple[CompatibilityPlace, ...]:
        return _worst_first(
            self._place("scope", "/".join(scope), None, digest("compatibility", "scope", *scope), tally)
            for scope, tally in self.scopes.by_key.items()
        )

    def _place(self, kind: PlaceKind, name: str, frame: Frame | None, key: str, tally: Tally) -> CompatibilityPlace:
        return CompatibilityPlace(
            key=key, kind=kind, name=name, **self.centre.frames.place_fields(frame), **tally.fields
        )

    def _op(self, group: tuple[_Group, list[PlacedOp]]) -> CompatibilityOp:
        (told, verdict, _, scope, phase), placed = group
        op, frame = placed[0].op, placed[0].frame
        line_key = None if frame is None else self.centre.line_key(frame)
        named = (self._by_number.get(each.program) for each in placed if each.program is not None)
        return CompatibilityOp(
            key=digest("compatibility", "op", told, verdict, line_key or "", *scope, phase or ""),
            line_key=line_key,
            verdict=op.verdict,
            primitive=op.primitive,
            count=sum(each.count for each in placed),
            **self.centre.frames.place_fields(frame),
            function="" if frame is None else frame.function,
            scope="/".join(scope),
            phase=placed[0].phase,
            programs=tuple(dict.fromkeys(each.name for each in named if each is not None)),
            operands=op.operands,
            results=op.results,
            parameters=op.parameters,
            wide=op.wide,
            judged_by=op.judged_by,
            cause=cause_of(op, was_cancelled=self._was_cancelled(placed)),
            sentence=sentence(op.message),
            message=op.message,
            kind_of_error=op.kind,
        )

    def _was_cancelled(self, placed: Sequence[PlacedOp]) -> bool:
        """Whether the preflight ended before anything could be known of an op."""
        programs = (self._by_number.get(each.program) for each in placed if each.program is not None)
        return self.prediction.was_cancelled or any(
            each is not None and each.outcome == "cancelled" for each in programs
        )

    @functools.cached_property
    def _by_number(self) -> Mapping[int, PredictedProgram]:
        return {each.number: each for each in self.prediction.programs}


def _worst_first(places: Iterable[CompatibilityPlace]) -> tuple[CompatibilityPlace, ...]:
    """Those with most ops that are not valid first, then those with most that are not native."""
    return tuple(
        sorted(
            places,
            key=lambda each: (
                -(each.refused + each.unjudged),
                -(each.emulated + each.on_host),
                -each.ops,
                each.path or "",
                each.line or 0,
                each.name,
            ),
        )
    )
