"""pprof's profile.proto, compressed with gzip.

Every sample has two values, for pprof knows no unit of time below the nanosecond: the weight itself in picoseconds,
which sums to the total exactly, and, last, because pprof shows the last one unless told otherwise, whole nanoseconds
that sum to the total in nanoseconds, rounded to the nearest. FLOPs and bytes have one value.

Texts are referred to by their place in the string table, whose first text is empty; ids of functions and locations
begin with 1. A location is one line of a function; stacks are innermost first.
"""

import gzip
from collections.abc import Mapping, Sequence
from typing import Final

from scopelight.formats.pprof import pprof_pb2
from scopelight.formats.stacks.weighted import PS_PER_NS, StackFrame, Unit, WeightedStacks

_UNITS: Final[Mapping[Unit, str]] = {"ps": "picoseconds", "flops": "count", "bytes": "bytes"}


def pprof(stacks: WeightedStacks, started_ns: int | None = None) -> bytes:
    """The file; ``started_ns`` is when the profile began, in ns since the epoch."""
    message = pprof_pb2.Profile(time_nanos=started_ns or 0)
    texts: dict[str, int] = {"": 0}
    """Texts by their place in the string table."""
    name = stacks.quantity.replace(" ", "_")
    message.sample_type.add(type=_place(texts, name), unit=_place(texts, _UNITS[stacks.unit]))
    values: list[Sequence[int]] = [list(stacks.stacks.values())]
    if stacks.unit == "ps":
        message.sample_type.add(type=_place(texts, "time"), unit=_place(texts, "nanoseconds"))
        values.append(_in_nanoseconds(values[0]))
    _add_locations(message, texts, stacks.frames)
    for stack, *weights in zip(stacks.stacks, *values, strict=True):
        message.sample.add(location_id=[row + 1 for row in reversed(stack)], value=weights)
    message.string_table.extend(text.encode("utf-8", "replace") for text in texts)
    # Without the time of writing in it, equal profiles are equal files.
    return gzip.compress(message.SerializeToString(deterministic=True), mtime=0)


def _place(texts: dict[str, int], text: str) -> int:
    return texts.setdefault(text, len(texts))


def _add_locations(message: pprof_pb2.Profile, texts: dict[str, int], frames: Sequence[StackFrame]) -> None:
    functions: dict[tuple[str, str], int] = {}
    for row, frame in enumerate(frames):
        key = (frame.function or frame.label, frame.path)
        function = functions.get(key)
        if function is None:
            function = functions[key] = len(functions) + 1
            place = _place(texts, key[0])
            message.function.add(id=function, name=place, system_name=place, filename=_place(texts, frame.path))
        message.location.add(id=row + 1).line.add(function_id=function, line=frame.line)


def _in_nanoseconds(weights_ps: Sequence[int]) -> Sequence[int]:
    """Whole nanoseconds whose sum is that of the weights, rounded: those that lose the most are rounded up."""
    whole = [weight // PS_PER_NS for weight in weights_ps]
    missing = (sum(weights_ps) + PS_PER_NS // 2) // PS_PER_NS - sum(whole)
    by_loss = sorted(range(len(weights_ps)), key=lambda row: -(weights_ps[row] % PS_PER_NS))
    for row in by_loss[:missing]:
        whole[row] += 1
    return whole
