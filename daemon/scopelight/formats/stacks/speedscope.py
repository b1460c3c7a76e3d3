"""speedscope's file format: one sampled profile, each stack one sample.

https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts. Its smallest unit of time is the
nanosecond: picoseconds are written as nanoseconds with three decimals, so that the numbers in the file sum to the
total exactly. speedscope reads them as doubles, whose sum is the total once it is rounded to the picosecond again.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from scopelight.formats.chrome_trace.writer import quoted
from scopelight.formats.stacks.weighted import PS_PER_NS, Unit, WeightedStacks, decimal

SCHEMA: Final = "https://www.speedscope.app/file-format-schema.json"
_UNITS: Final[Mapping[Unit, tuple[str, int]]] = {
    "ps": ("nanoseconds", PS_PER_NS),
    "flops": ("none", 1),
    "bytes": ("bytes", 1),
}


def speedscope(stacks: WeightedStacks, exporter: str) -> Iterator[str]:
    """The pieces of the file, a JSON object; ``exporter`` says what wrote it."""
    unit, divisor = _UNITS[stacks.unit]
    frames = ",\n".join(
        f'{{"name":{quoted(frame.function or frame.label)}'
        + (f',"file":{quoted(frame.path)}' if frame.path else "")
        + (f',"line":{frame.line}' if frame.line else "")
        + "}"
        for frame in stacks.frames
    )
    yield f'{{"$schema":"{SCHEMA}","exporter":{quoted(exporter)},"name":{quoted(stacks.name)},"activeProfileIndex":0,\n'
    yield f'"shared":{{"frames":[\n{frames}\n]}},\n'
    name = quoted(f"{stacks.name}: {stacks.quantity}")
    yield f'"profiles":[{{"type":"sampled","name":{name},"unit":"{unit}",'
    yield f'"startValue":0,"endValue":{decimal(stacks.total, divisor)},\n'
    samples = ",".join(str(list(stack)) for stack in stacks.stacks)
    weights = ",".join(decimal(weight, divisor) for weight in stacks.stacks.values())
    yield f'"samples":[{samples}],\n"weights":[{weights}]}}]}}\n'
