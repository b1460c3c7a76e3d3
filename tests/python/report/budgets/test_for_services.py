"""What services read: GitHub's commands, SARIF by its schema, Markdown; whatever names there are."""

import json
import lzma
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import attrs
import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.budgets.judgement import judged
from scopelight.analysis.budgets.measured import exact, noisy
from scopelight.analysis.budgets.records import Budget, BudgetProblem, BudgetsRecord, ChangesSince
from scopelight.findings import empty, note, warning
from scopelight.report.budgets.as_markdown import budgets_in_markdown
from scopelight.report.budgets.github import command, github_commands
from scopelight.report.budgets.sarif import sarif

SCHEMA = json.loads(lzma.decompress((Path(__file__).parent / "sarif-schema-2.1.0.json.xz").read_bytes()))
"""That of OASIS, as @microsoft/jest-sarif holds it under the MIT licence."""
ROOT = Path("/project")
HOSTILE = "a%,b::error file=x::\r\n::stop-commands::k|`<b>\u202e"


def row(name, limit, measured, place=None, **where):
    file, _, function = (place or "").partition(":")
    budget = Budget(name, Fraction(limit), 3, place, file or None, function or None)
    return attrs.evolve(judged(budget, measured), **where)


def a_record(file="/project/src/train.py", name="jit_step"):
    place = "train.py:step"
    return BudgetsRecord(
        run="/project/.scopelight/1-train",
        config="/project/pyproject.toml",
        rows=(
            row("compilations", 1, exact(1, "counted"), file="/project/pyproject.toml"),
            row("peak_memory_gib", 2**30, exact(2**31, "planned", note("budget-peak-planned", program=name))),
            row("step_ms", 10**9, noisy(Fraction(2 * 10**9), [], on_cpu=True), place, file=file, line=7),
            row("share", Fraction(1, 2), noisy(Fraction(1, 2), [], on_cpu=True), place, file=file, line=7),
            row("flops_change", 0, warning("budget-without-base")),
        ),
        problems=(BudgetProblem(9, warning("budget-of-line", place=name, file=name)),),
    )


def commands(record):
    return list(github_commands(record, ROOT))


def test_github_is_told_of_lines_of_its_repository():
    said = commands(a_record())
    assert said[0] == "Budgets are held against .scopelight/1-train."
    assert [each.split("::")[1].split(" ")[0] for each in said[1:-1]] == [
        "error",
        "error",
        "warning",
        "warning",
        "warning",
    ]
    (step,) = (each for each in said if "step_ms" in each)
    assert step.startswith("::error file=src/train.py,line=7,title=Budget broken%3A train.py%3Astep step_ms::")
    assert "2.00 ms" in step
    assert said[-1] == "Budgets: 2 broken, 1 not measured, 1 without meaning, 1 cannot tell, 1 held."


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_name_ends_a_command_or_begins_another(message, file, title):
    line = command("error", message, file, 3, title)
    assert not {"\r", "\n"} & set(line)
    assert line.startswith("::error file=")
    properties, _, data = line.removeprefix("::error ").partition("::")
    # As the runner takes it apart.
    assert properties.count(",") == 2
    given_back = dict(each.split("=", 1) for each in properties.split(","))
    assert unquote(given_back["file"].replace("%0D", "\r")) == file.encode("utf-8", "replace").decode() or "%" in file
    assert ":" not in given_back["title"]
    assert data == data.replace("\n", "")


def test_what_changes_are_since_is_said_first():
    record = attrs.evolve(
        a_record(),
        run="/project/e/after",
        rounds=5,
        since=ChangesSince("/project/e/before", 5, "3f2a1b0c"),
        findings=(warning("compared-unlike-scripts", before="a.py", after="b.py"), note("budgets-of-no-change")),
    )
    said = commands(record)
    assert said[:2] == [
        "Budgets are held against e/after (5 rounds).",
        "Changes are since e/before (3f2a1b0c, 5 rounds).",
    ]
    assert [each.split(" ")[0] for each in said[-3:-1]] == ["::warning", "::notice"]
    assert "Held against `e/after` (5 rounds), changes since `e/before` (3f2a1b0c, 5 rounds)." in budgets_in_markdown(
        record, ROOT
    )
    (run,) = json.loads(sarif(record, ROOT, 1))["runs"]
    levels = [each["level"] for each in run["invocations"][0]["toolConfigurationNotifications"]]
    assert levels == ["warning", "warning", "note"]


def test_hostile_names_stay_on_one_line_each():
    record = a_record(file=f"/project/{HOSTILE}.py", name=HOSTILE)
    said = commands(record)
    assert len(said) == 7
    assert all("\n" not in each and "\r" not in each for each in said)
    assert [each for each in said if each.startswith("::stop")] == []
    text = budgets_in_markdown(record, ROOT)
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert not any(line.startswith("::") for line in text.splitlines())


@pytest.mark.parametrize(
    "record",
    [
        a_record(),
        a_record(file="/elsewhere/a b.py"),
        a_record(file=f"/project/{HOSTILE}.py", name=HOSTILE),
        BudgetsRecord(config="/project/pyproject.toml", findings=(empty("budgets-absent", config=None),)),
    ],
)
def test_sarif_is_valid_by_its_schema(record):
    document = json.loads(sarif(record, ROOT, 1))
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(document)
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(rules) == len(record.rows) == len({each["id"] for each in rules})
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    assert len(run["results"]) == len(record.of("broken"))


def test_sarif_has_the_line_relative_to_the_repository():
    (run,) = json.loads(sarif(a_record(), ROOT, 1))["runs"]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "src/train.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 7},
    }
    assert run["invocations"][0]["exitCode"] == 1
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 2
    (wrong,) = run["invocations"][0]["toolConfigurationNotifications"]
    assert wrong["locations"][0]["physicalLocation"]["region"] == {"startLine": 9}


def test_the_schema_refuses_what_is_wrong():
    document = json.loads(sarif(a_record(), ROOT, 1))
    document["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(document)


def test_a_summary_has_the_gravest_first():
    lines = budgets_in_markdown(a_record(), ROOT).splitlines()
    assert lines[0] == "## Budgets: 2 broken, 1 not measured, 1 without meaning, 1 cannot tell, 1 held"
    verdicts = [line.split("|")[1].strip(" *") for line in lines if line.startswith("| ")][2:]
    assert verdicts == ["broken", "broken", "not measured", "cannot tell", "held"]
    assert any("`src/train.py:7`" in line for line in lines)
