"""What is said in a few words of a prediction that does not fit: how much it needs, and where most of that is."""

from scopelight.analysis.memory.fit.records import FitRecord
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.sizes_of_whole import size_of_whole

_MOST_RATIO = 0.5


def without_room_text(record: FitRecord, script: str | None) -> str | None:
    """``does not fit: 64.0 of 15.75 GiB, most of it at line 12``; None where all programs fit, or nobody says.

    A line goes with the name of its file where that is not ``script``, a whole path.
    """
    # The first is the one that fits least.
    first = next(iter(record.programs), None)
    if first is None or first.fits is not False:
        return None
    if first.needed_bytes is None or first.available_bytes is None:
        return text("does not fit")
    size = size_of_whole(first.needed_bytes, first.available_bytes)
    most = _most(record, script) if record.program_id == first.program_id else None
    if most is None:
        return text("does not fit: {size}", size=size)
    place, taken_bytes = most
    return text(
        "does not fit: {size}, most of it {place}"
        if taken_bytes > first.needed_bytes * _MOST_RATIO
        else "does not fit: {size}, the largest part {place}",
        size=size,
        place=place,
    )


def _most(record: FitRecord, script: str | None) -> tuple[str, int] | None:
    """Where most is of what a plan holds at its peak, a line before an argument that takes as much."""
    line = max(record.lines, key=lambda each: each.bytes, default=None)
    argument = max(record.arguments, key=lambda each: each.bytes, default=None)
    if line is not None and (argument is None or line.bytes >= argument.bytes):
        is_script = line.file is not None and line.file == script
        name = (line.path or "").replace("\\", "/").rpartition("/")[2]
        if is_script or not name:
            return text("at line {line}", line=line.line), line.bytes
        return text("at {place}", place=f"{printable(name)}:{line.line}"), line.bytes
    if argument is not None:
        return text("in the argument {name}", name=printable(argument.name)), argument.bytes
    return None
