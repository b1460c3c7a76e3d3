"""Adds the daemon's texts to the bundle that translators start from: ``python daemon/scripts/export_texts.py BUNDLE``.

They are what stands as a constant in calls of ``text``, ``template`` (of ``scopelight.report.language``), ``Words``,
``Phrase``, ``FormatError``, and of what makes one of these of what it is given.
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "scopelight"
WORDING = {
    **{"text": 1, "template": 1, "Words": 2},
    # `fail` is given what it speaks of first, or not at all.
    **{"Phrase": 1, "FormatError": 1, "fail": 2, "fail_expecting": 1, "_error": 1},
}
"""Calls that word a text, and among how many of their arguments without a name its templates are."""


def texts() -> set[str]:
    """The templates of the daemon."""
    return {each for file in PACKAGE.rglob("*.py") for each in texts_of(ast.parse(file.read_text(encoding="utf-8")))}


def texts_of(tree: ast.AST) -> Iterator[str]:
    """The templates in a piece of code."""
    for node in ast.walk(tree):
        called = name_of_called(node)
        if isinstance(node, ast.Call) and called in WORDING:
            named = [each.value for each in node.keywords if called == "Words" and each.arg in ("one", "remedy")]
            for argument in [*node.args[: WORDING[called]], *named]:
                yield from _constants(argument)


def name_of_called(node: ast.AST) -> str:
    """The name of the function or method that ``node`` calls; empty where it is no call of either."""
    called = node.func if isinstance(node, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""


def _constants(node: ast.expr) -> Iterator[str]:
    """A constant, or both where one of two is chosen."""
    if isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value


if __name__ == "__main__":
    bundle = Path(sys.argv[1])
    known = json.loads(bundle.read_text(encoding="utf-8"))
    known.update({each: each for each in sorted(texts()) if each not in known})
    bundle.write_text(json.dumps(known, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
