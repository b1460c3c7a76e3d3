"""The edits that follow an advice, by its code."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import attrs

from scopelight.analysis.advice.fixes.change import Text
from scopelight.analysis.advice.fixes.compiling import compile_function
from scopelight.analysis.advice.fixes.donation import donate
from scopelight.analysis.advice.fixes.fix import Fix
from scopelight.analysis.advice.fixes.flags import remove_flag
from scopelight.analysis.advice.fixes.reading import EVERY, read_every_steps
from scopelight.analysis.advice.records import Advice


@attrs.frozen(slots=True, eq=False)
class Advised:
    """An advice where its line is now: 1-based, in the file at ``path``; ``texts`` are the run's files by path."""

    advice: Advice
    path: str
    line: int
    texts: Mapping[str, Text]

    @property
    def text(self) -> Text:
        """That of its file."""
        return self.texts[self.path]


def fixes_of(advised: Advised) -> Iterator[Fix]:
    """Every edit that is proven to do what the advice says, and no more."""
    find = _FIXES.get(advised.advice.code)
    if find is not None and advised.path in advised.texts:
        yield from find(advised)


def _donation(advised: Advised) -> Iterator[Fix]:
    action = advised.advice.action
    given = None if action is None else action.arguments.get("positions")
    positions = [each for each in given if isinstance(each, int)] if isinstance(given, tuple) else []
    function = str(advised.advice.values.get("function", ""))
    changes = donate(function, positions, advised.path, advised.texts)
    if changes is not None:
        yield Fix("donate", advised.path, changes, function)


def _reading(advised: Advised) -> Iterator[Fix]:
    changes = read_every_steps(advised.line, advised.text)
    if changes is not None:
        yield Fix("read-every-steps", advised.path, changes, str(EVERY))


def _flags(advised: Advised) -> Iterator[Fix]:
    names = advised.advice.values.get("names")
    flags = [str(each) for each in names] if isinstance(names, tuple | list) else ["jax_enable_x64"]
    for flag in flags:
        for path, text in advised.texts.items():
            changes = remove_flag(flag, text)
            if changes is not None:
                yield Fix("remove-flag", path, changes, flag)


def _compiling(advised: Advised) -> Iterator[Fix]:
    found = compile_function(advised.line, advised.text)
    if found is not None:
        name, changes = found
        yield Fix("compile-function", advised.path, changes, name)


_FIXES: Final[Mapping[str, Callable[[Advised], Iterator[Fix]]]] = {
    "missing-donation": _donation,
    "donate-to-fit": _donation,
    "sync-in-step": _reading,
    "double-precision": _flags,
    "debug-settings": _flags,
    "many-programs": _compiling,
}
