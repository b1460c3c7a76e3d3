"""Why a function was compiled again: what jax says of it, read into what changed."""

import re
from collections.abc import Sequence
from typing import Literal

import attrs

from scopelight.legible import Legible

CompileCause = Literal["first", "argument", "static", "structure", "context", "redefined", "placement", "unexplained"]
"""It was not compiled before; an array that it takes has another shape or type; a static argument another value; what
it takes is put together otherwise; an option of jax was changed; it is another function, defined on the same line
again; its arrays lie elsewhere, so that it was not traced again; or jax does not say."""

_CHANGE = re.compile(r"\* at (.+?), now (.+) and before (.+?)(?:, so .*)?$", re.MULTILINE)
_STATIC = re.compile(r"Static\(val=(.*)\)$")
_OPTION = re.compile(r"\* (\w+) differs: now (.+) and before (.+)$", re.MULTILINE)
_FUNCTION = re.compile(r"^  for (\S+)(?: defined|$)|^    (\S+) id=", re.MULTILINE)
_NAMED = re.compile(r"\['([^']*)'\]$")
_STATIC_ARGS = re.compile(r"value of static args:\n +now (.*) and before (.*)$", re.MULTILINE)
_POSITION = re.compile(r"^ +(\[\d+\]): now (.+) and before (.+)$", re.MULTILINE)
"""As older versions write them."""
_NEVER, _ANOTHER, _PYTREE = "never seen function", "but seen another function", "different input pytree"
_CONTEXT = "tracing context"
_MOST = 16


@attrs.frozen(slots=True, repr=False)
class ChangedArgument(Legible):
    """What an argument, an array in it, or an option was, and became; None where it was not, or is not, there.

    The name is empty where it is not told.
    """

    name: str
    before: str | None
    after: str | None


@attrs.frozen(slots=True)
class Reason:
    """Why a program was compiled, and what of its arguments had changed, as far as that is told."""

    cause: CompileCause
    changed: tuple[ChangedArgument, ...] = ()


def function_in(explanation: str | None) -> str | None:
    """The name of the function that an explanation is about."""
    found = _FUNCTION.search(explanation) if explanation else None
    return None if found is None else found[1] or found[2]


def reason_of(explanation: str | None, *, was_traced: bool) -> Reason:
    """What an explanation says. A function that was not traced again was compiled for another place of its arrays."""
    if not was_traced:
        return Reason("placement")
    if explanation is None:
        return Reason("unexplained")
    if _NEVER in explanation:
        return Reason("redefined" if _ANOTHER in explanation else "first")
    return _difference(_closest(explanation))


def _difference(text: str) -> Reason:
    """What two calls differ in."""
    told = (*_OPTION.findall(text), *_POSITION.findall(text))
    options = [ChangedArgument(name, before, after) for name, after, before in told]
    if options or _CONTEXT in text.lower().partition("\n")[0]:
        return Reason("context", tuple(options[:_MOST]))
    values = [ChangedArgument("", before or None, after or None) for after, before in _STATIC_ARGS.findall(text)]
    changes = [(True, each) for each in values] or [_changed(*each) for each in _CHANGE.findall(text)]
    changed = tuple(each for _, each in changes[:_MOST])
    if not changes:
        return Reason("unexplained")
    if all(is_static for is_static, _ in changes):
        return Reason("static", changed)
    return Reason("structure" if _PYTREE in text else "argument", changed)


def _closest(explanation: str) -> str:
    """What is said of the closest previous call: older versions list several that are as close, of which the last
    was the last."""
    parts = re.split(r"^  \* key with ", explanation, flags=re.MULTILINE)
    return parts[-1] if len(parts) > 1 else explanation.partition("previous key:\n")[2] or explanation


def _changed(name: str, after: str, before: str) -> tuple[bool, ChangedArgument]:
    new, old = _STATIC.search(after), _STATIC.search(before)
    if new is not None and old is not None:
        named = _NAMED.search(name)
        return True, ChangedArgument(named[1] if named else name, old[1], new[1])
    return False, ChangedArgument(name, before, after)


def names_of(changed: Sequence[ChangedArgument]) -> tuple[str, ...]:
    """The names of what changed, each once."""
    return tuple(dict.fromkeys(each.name for each in changed))
