"""A tool: what a model is told of it, what it takes, and which function answers."""

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import attrs

from scopelight.analysis.options import Option, options_of
from scopelight.views.table import VIEWS, View, class_at, function_of

RunOption = Annotated[
    str | None,
    Option("A run by the name of its folder or by its path, as list_runs tells them; without it the newest one."),
]
FormatOption = Annotated[
    Literal["text", "json"], Option("Plain text, or the same figures as JSON, which is as short: its lists are cut.")
]


@attrs.frozen
class NoRun:
    """What every tool takes that is asked about no run."""

    format: FormatOption = "text"


@attrs.frozen
class OfRun(NoRun):
    """What every tool takes that is asked about a run."""

    run: RunOption = None


@attrs.frozen
class Tool:
    """One tool. ``description`` says to a model what it answers and when to ask it.

    ``answer`` names the function from an `Asked` to an `Answer` as ``module:function``, ``options_at`` the class of
    what it takes in the same way; those modules are imported when the tool is called, or described. A tool that is a
    view, ``view_id``, takes the options of that as well, and is about what the view says. ``runs_script``: it starts
    the user's script, so that a person has to agree.
    """

    name: str
    title: str
    description: str
    options_at: str
    answer: str
    view_id: str | None = None
    shown_as: str | None = None
    """The view that an editor can open to show the same to the person."""
    shows_line: bool = False
    """Whether an editor can go to the line that it answers with."""
    runs_script: bool = False

    @property
    def view(self) -> View | None:
        """The view that it is."""
        return None if self.view_id is None else VIEWS[self.view_id]

    @property
    def can_show(self) -> bool:
        """Whether an editor can show the person what the model reads."""
        return self.shows_line or self.shown_as is not None

    @property
    def is_read_only(self) -> bool:
        """Whether it changes nothing and starts nothing."""
        return not self.runs_script

    @property
    def options(self) -> type:
        """The class of what it takes, beside the options of its view."""
        return class_at(self.options_at)

    @property
    def about(self) -> str:
        """The description, with what its view says of itself."""
        return self.description if self.view is None else f"{self.view.sentence} {self.description}"

    def function(self) -> Any:  # noqa: ANN401 (from an `Asked` to an `Answer`)
        """The function that answers."""
        return function_of(self.answer)

    def fields(self) -> Iterator[tuple[str, Any, Any, Option]]:
        """Of all that it takes the field, type, default (`attrs.NOTHING` where it must be given), and what it means."""
        own = {field for field, *_ in options_of(self.options)}
        yield from options_of(self.options)
        if self.view is not None:
            yield from (each for each in options_of(self.view.options) if each[0] not in own)


def call(tool: str, **arguments: str | int | Sequence[str] | None) -> str:
    """A call as ``next:`` lines write it: ``line_detail(line="train.py:48")``; what is None or empty is left out."""
    given = ((name, value) for name, value in arguments.items() if value is not None and value != ())
    return f"{tool}({', '.join(f'{name}={json.dumps(value, ensure_ascii=False)}' for name, value in given)})"
