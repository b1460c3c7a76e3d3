"""Options of views: each is a field of its view's class, and says of itself what a flag or a keyword argument needs."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_type_hints

import attrs

from scopelight.legible import Legible


class OptionError(LookupError):
    """An option names what the run does not have. ``option`` is its field; the message is a sentence for people."""

    def __init__(self, option: str, sentence: str) -> None:
        super().__init__(sentence)
        self.option = option


@attrs.frozen(repr=False)
class Option(Legible):
    """What is to be known of an option beside its type and default.

    ``text`` says for people what it does. ``flag`` is its name on the command line where that is not its field's;
    ``least`` and ``most`` bound a number. ``is_time``: a number of picoseconds, written with a unit on a command line.
    """

    text: str
    flag: str | None = None
    least: int | None = None
    most: int | None = None
    is_time: bool = False


Scope = Literal["steps", "window", "outside"]
"""What of a run a view looks at; the whole window where the run has no complete steps."""

ScopeOption = Annotated[
    Scope | None,
    Option(
        "What is looked at: the complete steps, which is also meant without it, the whole window that was captured, or"
        " what of it lies outside of the steps."
    ),
]
DeviceOption = Annotated[
    str | None,
    Option('One device by its name in the profile, or those of one host, as "host 1"; all together without it.'),
]
TargetOption = Annotated[str | None, Option('The TPU to hold padding against where nothing says it, as "TPU v5e".')]
ProgramOption = Annotated[
    str | None,
    Option(
        "A program by its name, its id, or both as they are listed; without it the one with the largest peak.", "module"
    ),
]
MemorySpaceOption = Annotated[int | None, Option("A memory space by its number; 0, the main memory.", least=0)]


@attrs.frozen(repr=False)
class NoOptions(Legible):
    """A view without options."""


@attrs.frozen(repr=False)
class ScopeOptions(Legible):
    """A view that is asked only what of the run it looks at."""

    scope: ScopeOption = None


def options_of(options: type) -> Iterator[tuple[str, Any, Any, Option]]:
    """Of each option in a class of options its field, type, default, and what else is to be known of it."""
    for field, hint in get_type_hints(options, include_extras=True).items():
        kind, option = get_args(hint)
        yield field, kind, attrs.fields_dict(options)[field].default, option
