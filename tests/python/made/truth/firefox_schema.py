"""The Firefox Profiler's processed profile format, version 58, as its types document it (src/types/profile.ts).

https://github.com/firefox-devtools/profiler. What is optional there may be absent here; nothing else may be added.
"""

from typing import Any

NUMBER = (int, float)


class Optional:
    """A field that may be absent."""

    def __init__(self, kind: object) -> None:
        self.kind = kind


class Column:
    """A list as long as its table, of one kind or of None where ``nullable``."""

    def __init__(self, kind: object, *, nullable: bool = False) -> None:
        self.kind = (kind, None) if nullable else kind


class Row:
    """A row of another table, given by its path from the thread or the profile; ``least`` may be -1, which is none."""

    def __init__(self, table: str, least: int = 0) -> None:
        self.table, self.least = table, least


def nullable(kind: object) -> Column:
    return Column(kind, nullable=True)


META = {
    "interval": NUMBER,
    "startTime": NUMBER,
    "processType": int,
    "categories": Optional([{"name": str, "color": str, "subcategories": [str]}]),
    "product": str,
    "stackwalk": int,
    "version": int,
    "preprocessedProfileVersion": int,
    "markerSchema": list,
    "symbolicated": Optional(bool),
    "symbolicationNotSupported": Optional(bool),
    "importedFrom": Optional(str),
    "usesOnlyOneStackType": Optional(bool),
    "sourceCodeIsNotOnSearchfox": Optional(bool),
}
THREAD = {
    "processType": str,
    "processStartupTime": NUMBER,
    "processShutdownTime": (*NUMBER, None),
    "registerTime": NUMBER,
    "unregisterTime": (*NUMBER, None),
    "pausedRanges": list,
    "name": str,
    "isMainThread": bool,
    "processName": Optional(str),
    "pid": str,
    "tid": (int, str),
    "samples": {
        "stack": nullable(Row("stackTable")),
        "time": Column(NUMBER),
        "weight": Column(NUMBER),
        "weightType": ("samples", "tracing-ms", "bytes"),
        "length": int,
    },
    "markers": {
        "data": Column(object),
        "name": Column(Row("stringArray")),
        "startTime": nullable(NUMBER),
        "endTime": nullable(NUMBER),
        "phase": Column(int),
        "category": Column(Row("categories")),
        "length": int,
    },
    "stackTable": {"frame": Column(Row("frameTable")), "prefix": nullable(Row("stackTable")), "length": int},
    "frameTable": {
        "address": Column(int),
        "inlineDepth": Column(int),
        "category": nullable(Row("categories")),
        "subcategory": nullable(int),
        "func": Column(Row("funcTable")),
        "nativeSymbol": nullable(Row("nativeSymbols")),
        "innerWindowID": nullable(int),
        "line": nullable(int),
        "column": nullable(int),
        "length": int,
    },
    "funcTable": {
        "name": Column(Row("stringArray")),
        "isJS": Column(bool),
        "relevantForJS": Column(bool),
        "resource": Column(Row("resourceTable", -1)),
        "source": nullable(Row("sources")),
        "lineNumber": nullable(int),
        "columnNumber": nullable(int),
        "length": int,
    },
    "resourceTable": {
        "lib": nullable(Row("libs")),
        "name": Column(Row("stringArray")),
        "host": nullable(Row("stringArray")),
        "type": Column(int),
        "length": int,
    },
    "nativeSymbols": {
        "libIndex": Column(Row("libs")),
        "address": Column(int),
        "name": Column(Row("stringArray")),
        "functionSize": nullable(int),
        "length": int,
    },
}
PROFILE = {
    "meta": META,
    "libs": list,
    "shared": {
        "stringArray": [str],
        "sources": {"length": int, "uuid": nullable(str), "filename": Column(Row("stringArray"))},
    },
    "threads": [THREAD],
}


def check_processed_profile(profile: dict[str, Any]) -> None:
    """Raise `AssertionError` where ``profile`` is no processed profile of version 58."""
    lengths = {
        "stringArray": len(profile["shared"]["stringArray"]),
        "sources": profile["shared"]["sources"]["length"],
        "libs": len(profile["libs"]),
        "categories": len(profile["meta"]["categories"]),
    }
    assert profile["meta"]["preprocessedProfileVersion"] == 58
    # The default category is the first grey one.
    assert any(category["color"] == "grey" for category in profile["meta"]["categories"])
    assert all(category["subcategories"][0] == "Other" for category in profile["meta"]["categories"])
    assert len(set(profile["shared"]["stringArray"])) == lengths["stringArray"]
    for thread in profile["threads"]:
        tables = {name: table["length"] for name, table in thread.items() if isinstance(table, dict)}
        _check(profile, PROFILE, "profile", {**lengths, **tables}, None)
        for row, prefix in enumerate(thread["stackTable"]["prefix"]):
            assert prefix is None or prefix < row


def _check(value: Any, kind: Any, where: str, lengths: dict[str, int], length: int | None) -> None:
    if isinstance(kind, Optional):
        kind = kind.kind
    if isinstance(kind, dict):
        assert isinstance(value, dict), where
        needed = {name for name, field in kind.items() if not isinstance(field, Optional)}
        assert needed <= set(value) <= set(kind), (where, set(value) ^ set(kind))
        for name, each in value.items():
            _check(each, kind[name], f"{where}.{name}", lengths, value.get("length"))
    elif isinstance(kind, Column):
        assert len(value) == length, where
        for each in value:
            _check(each, kind.kind, where, lengths, None)
    elif isinstance(kind, list):
        for each in value:
            _check(each, kind[0], where, lengths, None)
    elif isinstance(kind, Row):
        assert isinstance(value, int), where
        assert kind.least <= value < lengths[kind.table], (where, value)
    elif isinstance(kind, tuple):
        assert any(_is(value, each, lengths) for each in kind), (where, value)
    else:
        assert _is(value, kind, lengths), (where, value)


def _is(value: Any, kind: Any, lengths: dict[str, int]) -> bool:
    if isinstance(kind, tuple):
        return any(_is(value, each, lengths) for each in kind)
    if isinstance(kind, Row):
        return isinstance(value, int) and kind.least <= value < lengths[kind.table]
    if kind is None or isinstance(kind, str):
        return bool(value == kind)
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool and kind is not object)
