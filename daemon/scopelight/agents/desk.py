"""What a tool works with: the workspace, open runs, what was given to it, and a person that can be asked."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import attrs

from scopelight.agents.answer import ToolError
from scopelight.agents.foreign import guarded_sentence, plain_place
from scopelight.agents.opened import OpenedRuns
from scopelight.agents.tool import Tool, call
from scopelight.agents.workspace import Workspace
from scopelight.analysis.options import OptionError
from scopelight.formats.errors import FormatError
from scopelight.views.table import DETAILS, VIEWS, Question

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

Options = TypeVar("Options")
Consent = Literal["agreed", "declined", "cannot-ask"]


def _ask_no_one(_question: str) -> Consent:
    return "cannot-ask"


def _tell_no_one(_said: str) -> None:
    """Where no one follows."""


def _never() -> bool:
    return False


@attrs.frozen
class Client:
    """Who calls: ``asks`` puts a question to the person, ``tells`` says how far it is, ``is_cancelled`` ends it."""

    asks: Callable[[str], Consent] = _ask_no_one
    tells: Callable[[str], None] = _tell_no_one
    is_cancelled: Callable[[], bool] = _never


@attrs.frozen
class Desk:
    """What is there for all tools of a server."""

    workspace: Workspace
    opened: OpenedRuns = attrs.field(factory=OpenedRuns)
    client: Client = Client()


@attrs.frozen
class Asked(Generic[Options]):
    """One call: the ``tool``, its ``options``, and those of its view."""

    desk: Desk
    tool: Tool
    options: Options
    view_options: Any = None

    @property
    def run(self) -> str | None:
        """The run as it was named; None where it was not."""
        named: str | None = getattr(self.options, "run", None)
        return named

    @property
    def path(self) -> Path:
        """The run that is meant. Raises `ToolError` where there is none."""
        return self.desk.workspace.run(self.run)

    @property
    def base(self) -> Path:
        """The folder that paths are written relative to."""
        return self.desk.workspace.base

    def subject(self) -> "Subject":
        """The open run. Raises `ToolError` where it cannot be read."""
        path = self.path
        subject = self.desk.opened.subject(self.desk.workspace, path)
        with self.reading(subject):
            subject.profile  # noqa: B018 (it is opened here)
        return subject

    def record(self, view: str, options: Any = None) -> Any:  # noqa: ANN401 (the table's)
        """What a view says of the run; without ``options``, with its usual ones."""
        return self._answer(VIEWS[view], options)

    def detail(self, question: str, options: Any) -> Any:  # noqa: ANN401 (the table's)
        """What is asked of one thing in a view."""
        return self._answer(DETAILS[question], options)

    def own_record(self) -> Any:  # noqa: ANN401 (the table's)
        """What the tool's own view says, with the options that were given."""
        assert self.tool.view is not None
        return self._answer(self.tool.view, self.view_options)

    def call(self, tool: str, **arguments: str | int | Sequence[str] | None) -> str:
        """A call about the same run."""
        return call(tool, **arguments, run=self.run)

    def _answer(self, question: Question, options: Any) -> Any:  # noqa: ANN401
        subject, given = self.subject(), question.options() if options is None else options
        with self.reading(subject):
            return subject.once(f"agents {question.id}", given, lambda: question.ask(subject, given))

    @contextmanager
    def reading(self, *subjects: "Subject") -> Iterator[None]:
        """While runs are read: what is wrong with one, or with what was asked of it, is a `ToolError`."""
        try:
            yield
        except OptionError as error:
            raise ToolError(f"{error.option}: {guarded_sentence(error.args[0])}", self.call("summary")) from error
        except FormatError as error:
            name = plain_place(self.desk.workspace.name_of(_meant(error, subjects).path))
            raise ToolError(f"{name} cannot be read: {guarded_sentence(error.sentence)}", call("list_runs")) from error


def _meant(error: FormatError, subjects: Sequence["Subject"]) -> "Subject":
    """The run whose file cannot be read; the first where the error does not say which."""
    if error.path is not None:
        file = Path(error.path)
        for subject in subjects:
            if file.is_relative_to(subject.path):
                return subject
    return subjects[0]


def of_all(names: Sequence[str], most: int) -> str:
    """``a, b, c``, of many the first with how many are left out."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
