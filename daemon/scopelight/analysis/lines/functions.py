"""The totals of functions: all lines of one together."""

import attrs

from scopelight.analysis.records import FunctionRecord, phase_fields
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.scoped import Scoped
from scopelight.program.hlo.frames import Frame
from scopelight.program.phases.phase import Phase

_FunctionKey = tuple[str, str]


@attrs.define(eq=False, repr=False)
class _Function:
    lines: set[int] = attrs.field(factory=set)
    self_ps: int = 0
    wall_ps: int = 0
    inclusive_ps: int = 0
    inclusive_wall_ps: int = 0
    waiting_ps: int = 0
    waiting_inclusive_ps: int = 0
    phases: list[int] = attrs.field(factory=lambda: [0] * len(Phase))


def function_records(scoped: Scoped, centre: Centre) -> tuple[FunctionRecord, ...]:
    """Every function that a user frame names, most of the wall clock first.

    A line belongs to the function of its longest op, so a stack
    passes through the functions of its frames and those of its lines. Lines whose function was not recorded belong
    to none.
    """
    charges = scoped.charges
    functions: dict[_FunctionKey, _Function] = {}
    for line in charges.lines.values():
        if not line.frame.function:
            continue
        function = functions.setdefault(_key(line.frame), _Function())
        function.lines.add(line.frame.line)
        function.self_ps += line.self_ps
        function.wall_ps += line.wall_ps
        function.phases = [sum(pair) for pair in zip(function.phases, line.phases, strict=True)]
    for stack in charges.stacks.values():
        passed = {_key(charges.line(frame).frame) for frame in stack.user}
        for frame in centre.frames.every(stack.recorded):
            passed.add(_key(frame))
            if frame.function:
                functions.setdefault(_key(frame), _Function()).lines.add(frame.line)
        for key in passed:
            if key in functions:
                functions[key].inclusive_ps += stack.self_ps
                functions[key].inclusive_wall_ps += stack.wall_ps
    _add_waiting(functions, scoped)
    records = [_record(key, function, centre, scoped) for key, function in functions.items()]
    return tuple(sorted(records, key=_longest_first))


def _add_waiting(functions: dict[_FunctionKey, _Function], scoped: Scoped) -> None:
    lines = scoped.charges.lines
    for key, line in scoped.waiting.lines.items():
        # The line goes by one function, whether ops or the host are looked at.
        frame = lines[key].frame if key in lines else line.frame
        if line.waiting_ps and frame.function:
            function = functions.setdefault(_key(frame), _Function())
            function.lines.add(frame.line)
            function.waiting_ps += line.waiting_ps
    for stack, waiting_ps in scoped.waiting.stacks.items():
        for passed in {_key(frame) for frame in stack if frame.function}:
            function = functions.setdefault(passed, _Function())
            function.lines.update(frame.line for frame in stack if _key(frame) == passed)
            function.waiting_inclusive_ps += waiting_ps


def _key(frame: Frame) -> _FunctionKey:
    return frame.path, frame.function


def _record(key: _FunctionKey, function: _Function, centre: Centre, scoped: Scoped) -> FunctionRecord:
    file = centre.frames.file(key[0])
    return FunctionRecord(
        key=centre.function_key(*key),
        path=file.path,
        file=file.file,
        function=key[1],
        line=min(function.lines),
        lines=len(function.lines),
        self_ps=function.self_ps,
        inclusive_ps=function.inclusive_ps,
        wall_ps=function.wall_ps,
        inclusive_wall_ps=function.inclusive_wall_ps,
        waiting_ps=function.waiting_ps,
        waiting_inclusive_ps=function.waiting_inclusive_ps,
        share_ratio=scoped.share_ratio(function.wall_ps + function.waiting_ps),
        inclusive_share_ratio=scoped.share_ratio(function.inclusive_wall_ps + function.waiting_inclusive_ps),
        **phase_fields(function.phases),
        per_step_ps=scoped.per_step_ps(function.wall_ps + function.waiting_ps),
        inclusive_per_step_ps=scoped.per_step_ps(function.inclusive_wall_ps + function.waiting_inclusive_ps),
    )


def _longest_first(record: FunctionRecord) -> tuple[int, int, str, int]:
    inclusive_ps = record.inclusive_wall_ps + record.waiting_inclusive_ps
    return -record.wall_ps - record.waiting_ps, -inclusive_ps, record.path or "", record.line
