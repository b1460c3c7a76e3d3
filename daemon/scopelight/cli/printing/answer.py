"""What a view answers of what is open, printed: as tables, as JSON or in another of its forms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scopelight.cli.groups import importing
from scopelight.cli.printing.json_output import print_json
from scopelight.cli.printing.output import console
from scopelight.views.table import View, function_of

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

DEFAULT_LIMIT = 20


def print_answer(
    view: View,
    subject: Subject,
    *,
    as_json: bool = False,
    written_as: str | None = None,
    limit: int = DEFAULT_LIMIT,
    **options: Any,  # noqa: ANN401 (the view's)
) -> None:
    """Print a view of what is open already: as tables, as JSON or, where it is named, in one of its other forms."""
    with importing():
        from scopelight.views.opening import source_text  # noqa: PLC0415

        function_of(view.answer)
    if as_json:
        print_json(view.ask(subject, view.options(**options)))
        return
    if written_as is not None:
        click.echo(function_of(view.written_as[written_as])(view.ask(subject, view.options(**options))), nl=False)
        return
    with importing():
        terminal = console()
        render = function_of(view.render)
    if view.fitted is not None:
        options = function_of(view.fitted)(options, terminal.width)
    record = view.ask(subject, view.options(**options))
    settings: dict[str, Any] = {"base": Path.cwd(), "limit": limit} if view.is_list else {}
    if view.quotes_lines:
        settings["line_text"] = source_text(subject).line
    from scopelight.report.findings.worded import naming  # noqa: PLC0415
    from scopelight.report.prediction.around import rendering  # noqa: PLC0415

    with naming(subject.path), rendering(record, terminal, at_length=view.id == "overview") as shown:
        render(shown, terminal, **settings)
