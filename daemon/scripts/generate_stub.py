"""Write ``daemon/scopelight/__init__.pyi`` from the table of views; with ``--check`` only say whether it is stale."""

import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scopelight.analysis.options import options_of
from scopelight.api import method_name
from scopelight.views.table import VIEWS, View
from scopelight_agent import interface

TARGET = Path(__file__).parents[1] / "scopelight" / "__init__.pyi"
HEADER = """\
# Generated from the table of views by daemon/scripts/generate_stub.py: do not edit.
import os
from collections.abc import Iterable
from typing import Literal

{imports}
from scopelight.analysis.compare.records import ComparedBy
from scopelight.analysis.compare.records import ComparisonRecord
from scopelight.analysis.options import OptionError as OptionError
from scopelight.api import ExecutionColumns
from scopelight.api import ProfileError as ProfileError
from scopelight.sql.errors import QueryError as QueryError
from scopelight.sql.table import QueryTable
{in_scripts}

__version__: str

class Run:
    @property
    def executions(self) -> ExecutionColumns: ...
    def compare(self, other: Run | str | os.PathLike[str], *, by: ComparedBy = "line") -> ComparisonRecord: ...
    def sql(
        self,
        text: str,
        *,
        limit: int | None = None,
        timeout_s: float = 30.0,
        others: Run | str | os.PathLike[str] | Iterable[Run | str | os.PathLike[str]] = (),
    ) -> QueryTable: ...
"""
FUNCTIONS = """\

def compare(
    before: Run | str | os.PathLike[str] | Iterable[Run | str | os.PathLike[str]],
    after: Run | str | os.PathLike[str] | Iterable[Run | str | os.PathLike[str]] | None = None,
    *,
    by: ComparedBy = "line",
    roots: tuple[str | os.PathLike[str], ...] = (),
) -> ComparisonRecord: ...

def open(path: str | os.PathLike[str], *, roots: tuple[str | os.PathLike[str], ...] = ()) -> Run: ...
"""


def generate() -> str:
    """The text of the stub."""
    records = {view.record.__name__: view.record.__module__ for view in VIEWS.values()}
    ordered = sorted(records.items(), key=lambda each: each[::-1])
    imports = "\n".join(f"from {module} import {name}" for name, module in ordered)
    in_scripts = "\n".join(f"from scopelight_agent import {name} as {name}" for name in interface.__all__)
    return HEADER.format(imports=imports, in_scripts=in_scripts) + "".join(map(_method, VIEWS.values())) + FUNCTIONS


def _method(view: View) -> str:
    options = ", ".join(_options(view))
    parameters = f"self, *, {options}" if options else "self"
    return f"    def {method_name(view)}({parameters}) -> {view.record.__name__}: ...\n"


def _options(view: View) -> Iterator[str]:
    for name, kind, default, _ in options_of(view.options):
        yield f"{name}: {_written(kind)} = {default!r}"


def _written(kind: Any) -> str:  # noqa: ANN401 (an annotation)
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return " | ".join(map(_written, typing.get_args(kind)))
    if typing.get_origin(kind) is typing.Literal:
        return f"Literal[{', '.join(map(repr, typing.get_args(kind)))}]"
    if typing.get_origin(kind) is tuple:
        return f"tuple[{_written(typing.get_args(kind)[0])}, ...]"
    return "None" if kind is type(None) else str(kind.__name__)


def main() -> None:
    """Write the file, or with ``--check`` exit with 1 where it is stale."""
    text = generate()
    if "--check" in sys.argv[1:]:
        if not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text:
            sys.exit("daemon/scopelight/__init__.pyi is stale: run `make stub` and commit it.")
        return
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
