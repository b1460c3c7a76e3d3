"""Findings in words."""

import json

import attrs

from scopelight.findings import Action, Finding, empty
from scopelight.report.as_json import as_json
from scopelight.report.findings.worded import worded


def test_the_terminal_is_told_a_command_line_and_the_editor_an_action():
    finding = empty("no-op-ran", Action("profile-script"))
    terminal, editor = worded(finding, "terminal"), worded(finding, "editor")
    assert terminal.text == editor.text == "No op ran on a device while the profile was made."
    assert terminal.remedy.endswith(": `scopelight run SCRIPT`.")
    assert "scopelight" not in editor.remedy
    assert editor.action == Action("profile-script")


@attrs.frozen
class _Record:
    findings: tuple[Finding, ...]


def test_a_record_as_json_holds_findings_with_their_words():
    record = _Record(
        (Finding("no-op-ran", "empty", {"runs": (1, 2)}, ("a key",), Action("show-view", {"view": "ops"})),)
    )
    (finding,) = json.loads(json.dumps(as_json(record, "terminal")))["findings"]
    assert finding.pop("text").startswith("No op ran")
    assert finding.pop("remedy").endswith("`scopelight show ops`.")
    assert finding == {
        "code": "no-op-ran",
        "severity": "empty",
        "values": {"runs": [1, 2]},
        "evidence": ["a key"],
        "action": {"command": "show-view", "arguments": {"view": "ops"}},
    }
