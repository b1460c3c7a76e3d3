"""Findings as ``run.json`` keeps them: codes with values, of older runs sentences."""

from scopelight.findings import Finding, Value, warning


def read_findings(value: object) -> tuple[Finding, ...]:
    """The warnings in a field of ``run.json``; what is none of them is left out."""
    found = map(_finding, value) if isinstance(value, list) else ()
    return tuple(each for each in found if each is not None)


def _finding(value: object) -> Finding | None:
    if isinstance(value, str):
        return warning("recorded-note", text=value)
    if not isinstance(value, dict) or not isinstance(value.get("code"), str):
        return None
    values = value.get("values")
    plain = values.items() if isinstance(values, dict) else ()
    return Finding(value["code"], "warning", {str(name): _plain(each) for name, each in plain})


def _plain(value: object) -> Value:
    if isinstance(value, list):
        return tuple(each if isinstance(each, (str, int, float, bool)) else None for each in value)
    return value if isinstance(value, (str, int, float, bool)) else None
