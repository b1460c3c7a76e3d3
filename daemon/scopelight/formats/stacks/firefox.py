"""The Firefox Profiler's processed profile format, version 58: one thread, each stack one sample with its weight.

https://github.com/firefox-devtools/profiler/blob/main/src/types/profile.ts documents the tables, and
docs-developer/CHANGELOG-formats.md what each version changed; newer profilers convert older versions. Its only weights
of time are milliseconds: picoseconds are written as milliseconds with nine decimals, so that the numbers in the file
sum to the total exactly. There is no weight for FLOPs: they are counted as samples.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from scopelight.formats.stacks.weighted import PS_PER_MS, Unit, WeightedStacks, decimal

PROCESSED_VERSION: Final = 58
_GECKO_VERSION: Final = 31
_CATEGORIES: Final = ({"name": "Other", "color": "grey", "subcategories": ["Other"]},)
_WEIGHTS: Final[Mapping[Unit, tuple[str, int]]] = {
    "ps": ("tracing-ms", PS_PER_MS),
    "flops": ("samples", 1),
    "bytes": ("bytes", 1),
}


def firefox(stacks: WeightedStacks, product: str, started_ms: float) -> Iterator[str]:
    """The pieces of the file, a JSON object; ``started_ms`` is when the profile began, in ms since the epoch."""
    weight_type, divisor = _WEIGHTS[stacks.unit]
    texts: dict[str, int] = {}
    sources: dict[str, int] = {}
    functions: dict[tuple[str, str], int] = {}
    function_of = [
        functions.setdefault((frame.function or frame.label, frame.path), len(functions)) for frame in stacks.frames
    ]
    names = [texts.setdefault(name, len(texts)) for name, _ in functions]
    source_of = [sources.setdefault(path, len(sources)) if path else None for _, path in functions]
    table, leaves = _stack_table(stacks)
    weights = [decimal(weight, divisor) for weight in stacks.stacks.values()]
    # Samples follow each other without gaps, each as long as it weighs.
    times, before = [], 0
    for weight in stacks.stacks.values():
        times.append(decimal(before, divisor))
        before += weight
    empty: Sequence[int] = ()
    thread: dict[str, Any] = {
        "processType": "default",
        "processStartupTime": 0,
        "processShutdownTime": None,
        "registerTime": 0,
        "unregisterTime": None,
        "pausedRanges": empty,
        "name": stacks.quantity,
        "isMainThread": True,
        "processName": stacks.name,
        "pid": "0",
        "tid": 0,
        "markers": _table(0, data=empty, name=empty, startTime=empty, endTime=empty, phase=empty, category=empty),
        "stackTable": table,
        "frameTable": _table(
            len(stacks.frames),
            address=[-1] * len(stacks.frames),
            inlineDepth=[0] * len(stacks.frames),
            category=[0] * len(stacks.frames),
            subcategory=[0] * len(stacks.frames),
            func=function_of,
            nativeSymbol=[None] * len(stacks.frames),
            innerWindowID=[0] * len(stacks.frames),
            line=[frame.line or None for frame in stacks.frames],
            column=[None] * len(stacks.frames),
        ),
        "funcTable": _table(
            len(functions),
            name=names,
            isJS=[False] * len(functions),
            relevantForJS=[False] * len(functions),
            resource=[-1] * len(functions),
            source=source_of,
            lineNumber=[None] * len(functions),
            columnNumber=[None] * len(functions),
        ),
        "resourceTable": _table(0, lib=empty, name=empty, host=empty, type=empty),
        "nativeSymbols": _table(0, libIndex=empty, address=empty, name=empty, functionSize=empty),
    }
    filenames = [texts.setdefault(path, len(texts)) for path in sources]
    meta = {
        "interval": 1,
        "startTime": started_ms,
        "processType": 0,
        "categories": _CATEGORIES,
        "product": product,
        "stackwalk": 1,
        "version": _GECKO_VERSION,
        "preprocessedProfileVersion": PROCESSED_VERSION,
        "markerSchema": empty,
        "symbolicated": True,
        "symbolicationNotSupported": True,
        "importedFrom": product,
        "usesOnlyOneStackType": True,
        "sourceCodeIsNotOnSearchfox": True,
    }
    shared = {
        "stringArray": list(texts),
        "sources": _table(len(sources), uuid=[None] * len(sources), filename=filenames),
    }
    yield f'{{"meta":{_json(meta)},\n"libs":[],\n"shared":{_json(shared)},\n"threads":[{_json(thread)[:-1]},\n'
    # json would round what is not a whole number of milliseconds.
    yield f'"samples":{{"stack":{_json(leaves)},"time":[{",".join(times)}],"weight":[{",".join(weights)}],'
    yield f'"weightType":"{weight_type}","length":{len(weights)}}}}}]}}\n'


def _stack_table(stacks: WeightedStacks) -> tuple[dict[str, Any], list[int]]:
    """The tree of all stacks, parents first, and the row of each stack's innermost frame."""
    rows: dict[tuple[int | None, int], int] = {}
    leaves: list[int] = []
    for stack in stacks.stacks:
        row: int | None = None
        for frame in stack:
            row = rows.setdefault((row, frame), len(rows))
        assert row is not None
        leaves.append(row)
    return _table(len(rows), frame=[frame for _, frame in rows], prefix=[prefix for prefix, _ in rows]), leaves


def _table(length: int, **columns: Sequence[object]) -> dict[str, Any]:
    assert all(len(column) == length for column in columns.values())
    return {**columns, "length": length}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
