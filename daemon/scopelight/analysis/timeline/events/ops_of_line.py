"""The ops that a line of source stands for, as the hot lines have it."""

from collections.abc import Sequence

from scopelight.analysis.ops.table import OpTable
from scopelight.program.hlo.frames import Frame


def ops_of_line(table: OpTable, file: str, line: int) -> Sequence[int]:
    """Rows of ``Executions.ops``: those whose time went to the line, else those that its calls led to.

    ``file`` is the line's file as the hot lines name it, its path there, or as it was recorded.
    """
    frames, ops = table.centre.frames, table.centre.executions.ops

    def is_named(frame: Frame) -> bool:
        named = frames.file_of(frame)
        return frame.line == line and file in (frame.path, named.path, named.file)

    charged = [each for entry in table.entries for each in entry.charged]
    own = [each.row for each in charged if any(is_named(part.frame) for part in each.parts)]
    if own:
        return own
    return [each.row for each in charged if any(map(is_named, frames.of(ops[each.row].stack)))]
