"""The ops that a line of source stands for, as the hot lines have it."""

from collections.abc import Callable, Sequence

from scopelight.analysis.ops.table import OpTable
from scopelight.program.hlo.frames import Frame


def is_of_line(table: OpTable, file: str, line: int) -> Callable[[Frame], bool]:
    """Whether a frame is of a line; ``file`` is its file as the hot lines name it, its path there, or as recorded."""
    frames = table.centre.frames

    def is_named(frame: Frame) -> bool:
        named = frames.file_of(frame)
        return frame.line == line and file in (frame.path, named.path, named.file)

    return is_named


def own_ops(table: OpTable, is_named: Callable[[Frame], bool]) -> Sequence[int]:
    """Rows of ``Executions.ops`` whose time went to a line."""
    charged = [each for entry in table.entries for each in entry.charged]
    return [each.row for each in charged if any(is_named(part.frame) for part in each.parts)]


def called_ops(table: OpTable, is_named: Callable[[Frame], bool]) -> Sequence[int]:
    """Those that the calls of a line led to."""
    frames, ops = table.centre.frames, table.centre.executions.ops
    charged = [each for entry in table.entries for each in entry.charged]
    return [each.row for each in charged if any(map(is_named, frames.of(ops[each.row].stack)))]


def ops_of_line(table: OpTable, file: str, line: int) -> Sequence[int]:
    """Those whose time went to the line of a file, else those that its calls led to."""
    is_named = is_of_line(table, file, line)
    return own_ops(table, is_named) or called_ops(table, is_named)
