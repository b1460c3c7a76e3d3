"""Findings in words."""

import ast
import json
import re
from pathlib import Path

import attrs
import pytest

import scopelight
import scopelight_agent.alone as alone_module
from made.findings import SAMPLES
from scopelight.findings import Action, Finding, empty
from scopelight.report.as_json import as_json
from scopelight.report.findings.worded import WORDS, sentences, worded

DAEMON = Path(scopelight.__file__).parent


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


PROSE = re.compile(r"[A-Z].* .* .*\.$", re.DOTALL)
"""What reads like a sentence: a capital letter, words, a full stop."""


def syntax(*rooms):
    """The modules of rooms, each with its name and its syntax."""
    for room in rooms:
        for path in sorted((DAEMON / room).rglob("*.py")):
            yield path, ast.parse(path.read_text())


def texts(tree):
    """The texts of a module that are no docstrings, messages of what is raised, or what options are for."""
    apart = set()
    for node in ast.walk(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_error = isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith(("Error", "Option"))
        if is_docstring or is_error or isinstance(node, ast.Raise):
            apart.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node


@pytest.mark.parametrize("room", ["analysis", "model", "program", "source", "budgets"])
def test_analyses_hold_no_prose(room):
    found = [f"{path}:{node.lineno}: {node.value}" for path, tree in syntax(room) for node in texts(tree)]
    assert [each for each in found if PROSE.search(each.partition(": ")[2])] == []


def raised():
    """The codes that are given to findings anywhere."""
    makers = {"empty", "warning", "note", "advice", "error", "Finding"}
    for _, tree in syntax("formats", "program", "model", "analysis", "capture", "source", "budgets", "server"):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            # Rules advise by a method of what they observe.
            if getattr(node.func, "id", "") in makers or getattr(node.func, "attr", "") == "advice":
                first = node.args[0]
                options = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
                yield from (each.value for each in options if isinstance(each, ast.Constant))
                if any(isinstance(each, ast.Name) for each in options):
                    # Kinds of what an export leaves out are counted before they are said.
                    yield from (each.value for each in texts(tree) if each.value in WORDS)


def raised_by_the_agent():
    """What it says itself of a capture that nobody else follows: it knows no findings, and writes them as they are."""
    alone = ast.parse(Path(alone_module.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(alone):
        if isinstance(node, ast.Dict):
            named = zip(node.keys, node.values, strict=True)
            yield from (value.value for key, value in named if getattr(key, "value", None) == "code")


def test_every_code_that_is_raised_has_words_and_no_words_are_dead():
    codes = {*raised(), *raised_by_the_agent()}
    assert codes - set(WORDS) == set()
    assert set(WORDS) - codes == set()


@pytest.mark.parametrize(("code", "values", "said"), SAMPLES)
def test_what_each_code_says(code, values, said):
    assert sentences(Finding(code, "note", values), "editor") == said


def test_what_the_editor_has_a_command_for_is_a_command_line_in_the_terminal_alone():
    finding = Finding("budget-without-base", "warning")
    assert "scopelight check --against RUN" in sentences(finding, "terminal")
    assert "Compare with…" in sentences(finding, "editor")
    assert "--against" not in sentences(finding, "editor")


def test_the_words_of_every_code_are_asserted():
    assert {code for code, *_ in SAMPLES} == set(WORDS)


def test_a_code_of_a_newer_version_stands_for_itself():
    assert worded(Finding("of-tomorrow", "warning"), "editor").text == "of-tomorrow"
