"""Findings: what an analysis has to say about a profile, as codes with values. `report/findings` words them."""

from scopelight.findings.finding import Action, Finding, Severity, Value, empty, note, warning

__all__ = ["Action", "Finding", "Severity", "Value", "empty", "note", "warning"]
