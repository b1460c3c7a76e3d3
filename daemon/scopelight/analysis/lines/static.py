"""The lines of compiled programs of which nothing ran: what they hold in memory and what they pad is known of them."""

from collections.abc import Iterator

import attrs

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.lines.table import line_table
from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions, SourceFile, UserFrames
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame


def static_lines(profile: Profile, options: LineOptions) -> LinesRecord:
    """`hot_lines` of a profile of which nothing ran, with every line of its programs: no line has time or executions.

    Ops are on the lines that they would be charged to.
    """
    centre = centre_of(profile, options)
    lines = [_unrun(line) for line in line_table(centre).lines]
    known = {(line.file or line.path, line.line) for line in lines}
    for frame in _innermost(profile, centre.frames):
        file = centre.frames.file(frame.path)
        if (file.file or file.path, frame.line) not in known:
            # Nothing runs for a constant or an argument, and it takes memory.
            known.add((file.file or file.path, frame.line))
            lines.append(_bare(centre.line_key(frame), file, frame))
    return attrs.evolve(hot_lines(profile, options), lines=tuple(lines))


def _innermost(profile: Profile, frames: UserFrames) -> Iterator[Frame]:
    stacks = {id(each.stack): each.stack for module in profile.modules for each in module.instructions}
    for stack in stacks.values():
        yield from frames.of(stack)[:1]


def _unrun(line: LineRecord) -> LineRecord:
    ops = tuple(attrs.evolve(op, executions=0) for op in line.ops)
    return attrs.evolve(line, executions=0, executions_per_step=None, ops=ops)


def _bare(key: str, file: SourceFile, frame: Frame) -> LineRecord:
    return LineRecord(
        key=key,
        path=file.path,
        file=file.file,
        line=frame.line,
        function=frame.function,
        self_ps=0,
        inclusive_ps=0,
        forward_ps=0,
        backward_ps=0,
        recompute_ps=0,
        optimizer_ps=0,
        other_ps=0,
        per_step_ps=None,
        inclusive_per_step_ps=None,
        per_step_spread_ps=None,
        executions=0,
        executions_per_step=None,
        ops=(),
    )
