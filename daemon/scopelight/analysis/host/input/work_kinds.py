"""What kind of work a stage is, as XProf names the kinds."""

import ast
from typing import Final

from scopelight.analysis.host.input.records import InputWork
from scopelight.analysis.totals.waiting.data_flow import awaited_arrays
from scopelight.model.host.stage_events import Stage

_READERS: Final = frozenset(
    {
        "open",
        "read",
        "read_bytes",
        "read_text",
        "readline",
        "readlines",
        "readinto",
        "load",
        "fromfile",
        "memmap",
        "imread",
        "read_csv",
        "read_parquet",
        "read_hdf",
        "read_table",
        "urlopen",
        "recv",
    }
)
"""Functions that read files or from elsewhere, by their names."""


def work_of_stage(stage: Stage, *, on_consumer: bool) -> InputWork | None:
    """The work of a library's stage, on the thread that launches the steps or on another; None where it only waits."""
    if stage.category == "read":
        return "read-on-demand" if on_consumer else "read-ahead"
    if stage.category == "prefetch":
        return None
    if stage.category in ("preprocessing", "enqueue"):
        return "preprocessing" if stage.category == "preprocessing" else "enqueue"
    return "other"


def work_of_line(text: str | None, *, on_consumer: bool) -> InputWork | None:
    """The work of a line of the user's, by the functions that it calls; None of one on which the thread that launches
    the steps just waits for an array."""
    if text is not None and on_consumer and _only_waits(text):
        return None
    if text is not None and _calls(text) & _READERS:
        return "read-on-demand" if on_consumer else "read-ahead"
    return "other"


def _only_waits(text: str) -> bool:
    try:
        statements = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(isinstance(each, ast.Expr) for each in statements) and any(map(awaited_arrays, statements))


def _calls(text: str) -> set[str]:
    line = text.strip()
    for source in (line, f"{line} pass" if line.endswith(":") else f"{line})"):
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        functions = [each.func for each in ast.walk(tree) if isinstance(each, ast.Call)]
        return {
            each.attr if isinstance(each, ast.Attribute) else each.id
            for each in functions
            if isinstance(each, ast.Attribute | ast.Name)
        }
    return set()
