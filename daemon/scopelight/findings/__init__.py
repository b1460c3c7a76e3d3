"""Findings: what an analysis has to say about a profile, as codes with values. `report/findings` words them."""

from scopelight.findings.finding import (
    PROFILE_SCRIPT,
    Action,
    Finding,
    Severity,
    Value,
    advice,
    each_once,
    empty,
    error,
    note,
    show_view,
    warning,
)

__all__ = [
    "PROFILE_SCRIPT",
    "Action",
    "Finding",
    "Severity",
    "Value",
    "advice",
    "each_once",
    "empty",
    "error",
    "note",
    "show_view",
    "warning",
]
