"""The columns of tables in the terminal have the titles that the panels have for the same quantities."""

import ast
import re
from pathlib import Path

import pytest

import scopelight

PACKAGE = Path(scopelight.__file__).parent
WEBVIEW = PACKAGE.parents[1] / "extension" / "webview"
TABLES = {
    ("ops", "render_ops"): ("opStatistics", {"padding"}),
    ("ops", "render_op_profile"): ("opProfile", {"line of source", "flop rate", "byte rate"}),
    ("ops", "render_flops"): ("flops", {"rate", "mfu", "hfu"}),
    ("ops", "render_roofline"): ("roofline", {"op or program", "flop rate", "space"}),
    ("compatibility", "_op_columns"): ("compatibility", set()),
    ("memory/plan", "render_memory_viewer"): ("memoryViewer", {"of the peak", "what", "from", "to"}),
    ("memory/profile", "_breakdown_columns"): ("memoryProfile", {"at the peak"}),
    ("memory/profile", "_snapshot_columns"): ("memoryProfile", {"alive"}),
    ("memory/profile", "_culprit_columns"): ("memoryProfile", set()),
}
"""By module and table of the terminal the panel of the same rows, and what that has no column of, or no words for."""
SHARED = {"", "of peak", "op", "line"}
"""Bars, shares that follow their quantity, and what all tables name alike."""


def terminal_titles(module, table):
    tree = ast.parse((PACKAGE / "report" / f"{module}.py").read_text(encoding="utf-8"))
    nodes = [node for node in tree.body if getattr(node, "name", "") == table]
    calls = [
        each for node in nodes for each in ast.walk(node) if getattr(getattr(each, "func", None), "id", "") == "Column"
    ]
    parts = [
        each
        for call in calls
        for each in (
            [call.args[0].body, call.args[0].orelse] if isinstance(call.args[0], ast.IfExp) else [call.args[0]]
        )
    ]
    return {each.value.lower() for each in parts if isinstance(each, ast.Constant)}


@pytest.mark.parametrize(("module", "table"), TABLES)
def test_titles_are_those_of_the_panel(module, table):
    panel, own = TABLES[module, table]
    texts = "".join(file.read_text(encoding="utf-8") for file in (WEBVIEW / "panels" / panel).glob("*.ts*"))
    known = {each.lower() for each in re.findall(r"l10n\.t\('((?:[^'\\]|\\.)*)'", texts)}
    titles = terminal_titles(module, table)
    assert len(titles) > 3
    assert titles - known - own - SHARED == set()
    assert own <= titles
