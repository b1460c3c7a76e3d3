"""Write ``extension/src/protocol.ts`` from ``scopelight.protocol``; with ``--check`` only say whether it is stale."""

import collections.abc
import inspect
import sys
import types
import typing
from pathlib import Path
from typing import Any

import attrs

from scopelight import findings, protocol
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.compare import records as compared
from scopelight.analysis.compare.trees import records as compared_trees
from scopelight.findings import Finding
from scopelight.protocol.settings import InitializationOptions
from scopelight.protocol.views import VIEW_NEEDS, VIEW_REQUESTS
from scopelight.report.findings.worded import WordedAdvice, WordedFinding
from scopelight.views import needs
from scopelight.views.needs import Need
from scopelight.views.table import VIEWS

TARGET = Path(__file__).parents[1] / "src" / "protocol.ts"
HEADER = """\
// Generated from daemon/scopelight/protocol by extension/scripts/generate_protocol.py: do not edit.
// Keys are the names of the daemon's fields. Times are picoseconds, lines are 1-based, ids are strings.
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
SENT_AS = {Finding: WordedFinding, Advice: WordedAdvice}
"""Records that the daemon sends as another class, with more fields."""


class Writer:
    """Collects the declarations that the protocol's types need, each once, in the order of their use."""

    def __init__(self) -> None:
        self.declarations: dict[str, str] = {}
        self._parameters: set[type] = set()
        self._aliases = {
            each: name
            for module in (findings, needs, compared, compared_trees, *_modules_of_options(), *_members(protocol))
            for name, each in vars(module).items()
            if typing.get_origin(each) is typing.Literal and not name.startswith("_")
        }

    def parameters(self, options: type) -> str:
        """The TypeScript type of what a request is asked with: what has a default may be left out."""
        self._parameters.add(options)
        return self.type(options)

    def type(self, annotation: Any) -> str:  # noqa: ANN401, PLR0911 (any annotation; one answer for each kind)
        """The TypeScript type of a Python annotation; declares what it names."""
        if annotation in PLAIN:
            return PLAIN[annotation]
        if inspect.isclass(annotation) and attrs.has(annotation):
            self._interface(annotation)
            return annotation.__name__
        if isinstance(annotation, typing.TypeVar):
            return annotation.__name__
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if inspect.isclass(origin) and attrs.has(origin):
            return f"{self.type(origin)}<{', '.join(map(self.type, arguments))}>"
        if origin in (typing.Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.type(each) for each in arguments))
        if origin is tuple and arguments[1:] == (...,):
            element = self.type(arguments[0])
            return f"readonly ({element})[]" if " " in element else f"readonly {element}[]"
        if origin is tuple:
            return f"readonly [{', '.join(map(self.type, arguments))}]"
        if origin in (dict, collections.abc.Mapping):
            entries = f"Record<{self.type(arguments[0])}, {self.type(arguments[1])}>"
            # Of names that are known not each has an entry.
            return f"Readonly<{entries if arguments[0] is str else f'Partial<{entries}>'}>"
        if origin is typing.Literal:
            values = " | ".join(f"'{each}'" for each in arguments)
            name = self._aliases.get(annotation)
            if name is None:
                return values
            self.declarations[name] = f"export type {name} = {values};\n"
            return name
        raise TypeError(f"the protocol has no TypeScript for {annotation!r}")

    def _interface(self, record: type) -> None:
        if record.__name__ in self.declarations:
            return
        self.declarations[record.__name__] = ""
        sent: type = SENT_AS.get(record, record)
        hints = typing.get_type_hints(sent)
        of_base = _arguments_of_bases(sent)
        fields = "".join(
            f"  readonly {each.name}{'?' if self._may_be_left_out(sent, each) else ''}:"
            f" {self.type(of_base.get(hints[each.name], hints[each.name]))};\n"
            for each in attrs.fields(sent)
        )
        parameters = ", ".join(each.__name__ for each in getattr(sent, "__parameters__", ()))
        # Declared after what it is made of.
        del self.declarations[record.__name__]
        comment = inspect.cleandoc(record.__doc__ or "").splitlines()
        text = "/** " + comment[0] + " */\n" if comment else ""
        if not fields:
            self.declarations[record.__name__] = (
                f"{text}export type {record.__name__} = Readonly<Record<string, never>>;\n"
            )
            return
        name = f"{record.__name__}<{parameters}>" if parameters else record.__name__
        self.declarations[record.__name__] = f"{text}export interface {name} {{\n{fields}}}\n"

    def _may_be_left_out(self, record: type, field: "attrs.Attribute[Any]") -> bool:
        return record in self._parameters and field.default is not attrs.NOTHING


def _arguments_of_bases(record: type) -> dict[Any, Any]:
    """What stands for the type variables of the classes that a record is derived from."""
    return {
        variable: argument
        for base in getattr(record, "__orig_bases__", ())
        if attrs.has(typing.get_origin(base))
        for variable, argument in zip(typing.get_origin(base).__parameters__, typing.get_args(base), strict=True)
    }


def _members(package: types.ModuleType) -> list[types.ModuleType]:
    return [module for _, module in inspect.getmembers(package, inspect.ismodule)]


def _modules_of_options() -> list[types.ModuleType]:
    return [sys.modules[view.options.__module__] for view in VIEWS.values()]


def generate() -> str:
    """The text of ``protocol.ts``."""
    writer = Writer()
    writer.type(InitializationOptions)
    writer.type(Finding)
    tables = [
        _table("Requests", {name: _exchange(writer, *types) for name, types in protocol.REQUESTS.items()}),
        _table("Views", {name: _exchange(writer, *types) for name, types in VIEW_REQUESTS.items()}),
        _table("Details", {name: _exchange(writer, *types) for name, types in protocol.DETAILS.items()}),
        _table("Notifications", {name: writer.type(each) for name, each in protocol.NOTIFICATIONS.items()}),
    ]
    version = f"export const PROTOCOL_VERSION = {protocol.PROTOCOL_VERSION};\n"
    names = [
        _views(writer),
        _names("detailsIds", "Details", protocol.DETAILS),
        _names("notificationNames", "Notifications", protocol.NOTIFICATIONS),
    ]
    return "\n".join([HEADER, version, *writer.declarations.values(), *tables, *names])


def _exchange(writer: Writer, parameters: type, result: type) -> str:
    return f"{{ readonly params: {writer.parameters(parameters)}; readonly result: {writer.type(result)} }}"


def _table(name: str, rows: dict[str, str]) -> str:
    lines = "".join(f"  readonly '{key}': {value};\n" for key, value in rows.items())
    return f"export interface {name} {{\n{lines}}}\n"


def _views(writer: Writer) -> str:
    """The ids of views, and what each needs of a run."""
    rows = []
    for view, needs_of_it in VIEW_NEEDS.items():
        named = ", ".join(f"'{need}'" for need in needs_of_it)
        rows.append(f"  '{view}': {{ needs: [{named}] }},\n")
    row = f"{{ readonly needs: readonly {writer.type(Need)}[] }}"
    return (
        "export type ViewId = keyof Views;\n\n"
        "/** A view has something to show of a run that has any of its needs. */\n"
        f"export const views: Readonly<Record<ViewId, {row}>> = {{\n{''.join(rows)}}};\n"
    )


def _names(constant: str, table: str, names: collections.abc.Iterable[str]) -> str:
    """What a page may ask for, for its host to know when it runs."""
    listed = "".join(f"  '{each}',\n" for each in names)
    return f"export const {constant}: readonly (keyof {table})[] = [\n{listed}];\n"


def main() -> None:
    """Write the file, or with ``--check`` exit with 1 where it is stale."""
    text = generate()
    if "--check" in sys.argv[1:]:
        if not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text:
            sys.exit("extension/src/protocol.ts is stale: run `make protocol` and commit it.")
        return
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
