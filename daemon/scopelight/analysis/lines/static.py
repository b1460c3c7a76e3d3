"""The lines of compiled programs of which nothing ran: what they hold in memory and what they pad is known of them."""

from collections.abc import Iterator

import attrs

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.lines.table import line_table
from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame


def static_lines(profile: Profile, options: LineOptions) -> LinesRecord:
    """`hot_lines` of a profile of which nothing ran, with every line of its programs: no line has time or executions.

    Ops are on the lines that they would be charged to.
    """
    centre = centre_of(profile, options)
    lines = [_unrun(line) for line in line_table(centre, centre.scoped("window")).lines]
    known = {(line.file or line.path, line.line) for line in lines}
    for frame in _innermost(profile, centre.frames):
        file = centre.frames.file(frame.path)
        if (file.file or file.path, frame.line) not in known:
            # Nothing runs for a constant or an argument, and it takes memory.
            known.add((file.file or file.path, frame.line))
            lines.append(LineRecord(centre.line_key(frame), file.path, file.file, frame.line, frame.function))
    return attrs.evolve(hot_lines(profile, options), lines=tuple(lines))


def _innermost(profile: Profile, frames: UserFrames) -> Iterator[Frame]:
    stacks = {id(each.stack): each.stack for module in profile.modules for each in module.instructions}
    for stack in stacks.values():
        yield from frames.of(stack)[:1]


def _unrun(line: LineRecord) -> LineRecord:
    ops = tuple(attrs.evolve(op, executions=0) for op in line.ops)
    return attrs.evolve(line, executions=0, executions_per_step=None, ops=ops)
