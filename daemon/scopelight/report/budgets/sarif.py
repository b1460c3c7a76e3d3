"""Budgets as SARIF 2.1.0, a format of results of checks: a rule for each budget, a result for each that is broken.

Of what one run does not tell, and of what is wrong with budgets, the tool notifies: services show every result as an
alarm.
"""

import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from scopelight import __version__
from scopelight.analysis.budgets.records import BudgetRow, BudgetsRecord
from scopelight.findings import Finding
from scopelight.report.budgets.github import in_repository
from scopelight.report.budgets.sentences import amount, budget_name, sentence, subject
from scopelight.report.findings.worded import in_terminal
from scopelight.report.language import text

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT: Final = "%SRCROOT%"


def sarif(record: BudgetsRecord, root: Path, exit_code: int) -> str:
    """The text of a file of SARIF. Files are relative to ``root``, that of the repository."""
    rules = [_rule(row) for row in record.rows]
    numbers = {rule["id"]: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "Scopelight", "version": __version__, "rules": rules}},
        "invocations": [
            {
                "executionSuccessful": True,
                "exitCode": exit_code,
                "toolExecutionNotifications": [
                    _notification(sentence(row), row.file, row.line, root)
                    for row in record.rows
                    if row.verdict in ("cannot-tell", "not-measured")
                ],
                "toolConfigurationNotifications": [
                    *(
                        _notification(in_terminal(each.finding), record.config, each.line, root)
                        for each in record.problems
                    ),
                    *(
                        _notification(in_terminal(each), record.config, 1, root, _level(each))
                        for each in record.findings
                    ),
                ],
            }
        ],
        "originalUriBaseIds": {_ROOT: {"uri": f"{root.absolute().as_uri()}/"}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(row, numbers[_rule_id(row)], root) for row in record.of("broken")],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule_id(row: BudgetRow) -> str:
    return row.name if row.place is None else f"{row.name}/{row.place}"


def _rule(row: BudgetRow) -> dict[str, Any]:
    return {
        "id": _rule_id(row),
        "name": row.name,
        "shortDescription": {"text": text("{what}: at most {limit}", what=subject(row), limit=amount(row, row.limit))},
        "defaultConfiguration": {"level": "error"},
        "properties": {"limit": row.limit, "unit": row.unit},
    }


def _result(row: BudgetRow, rule: int, root: Path) -> dict[str, Any]:
    return {
        "ruleId": _rule_id(row),
        "ruleIndex": rule,
        "kind": "fail",
        "level": "error",
        "message": {"text": sentence(row)},
        "locations": [_location(row.file, row.line, root)],
        "partialFingerprints": {"budget/v1": row.key},
        "properties": {"value": row.value, "limit": row.limit, "unit": row.unit, "budget": budget_name(row)},
    }


def _level(finding: Finding) -> str:
    return "note" if finding.severity == "note" else "warning"


def _notification(message: str, file: str | None, line: int, root: Path, level: str = "warning") -> dict[str, Any]:
    notification: dict[str, Any] = {"level": level, "message": {"text": message}}
    if file is not None:
        notification["locations"] = [_location(file, line, root)]
    return notification


def _location(file: str | None, line: int, root: Path) -> dict[str, Any]:
    path = in_repository(file, root) or ""
    is_inside = not Path(path).is_absolute()
    artifact = {"uri": quote(path), "uriBaseId": _ROOT} if is_inside else {"uri": Path(path).as_uri()}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}}}
