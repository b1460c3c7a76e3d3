"""``scopelight show VIEW``: what a run, a log directory or one file holds; one command for each entry of the table."""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

from scopelight.analysis.options import Option, OptionError, options_of
from scopelight.cli.groups import ListedGroup
from scopelight.cli.importing import importing
from scopelight.cli.json_output import print_json
from scopelight.cli.times import TIME
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.views.table import VIEWS, View, function_of

DEFAULT_LIMIT = 20


def print_view(view: View, path: Path, *, as_json: bool = False, limit: int = DEFAULT_LIMIT, **options: Any) -> None:  # noqa: ANN401 (the view's)
    """Print a view of a path to standard output.

    Raises `FormatError` where it cannot be read, and `OptionError` where it does not have what an option names.
    """
    with importing():
        # What reads and analyses takes half a second to import.
        from scopelight.views.opening import open_subject, source_text  # noqa: PLC0415

        answer = function_of(view.answer)
    subject = open_subject(path, Path.cwd())
    if as_json:
        print_json(answer(subject, view.options(**options)))
        return
    with importing():
        from rich.console import Console  # noqa: PLC0415

        render = function_of(view.render)
    console = Console()
    if view.fitted is not None:
        options = function_of(view.fitted)(options, console.width)
    record = answer(subject, view.options(**options))
    settings: dict[str, Any] = {"base": Path.cwd(), "limit": limit} if view.is_list else {}
    if view.quotes_lines:
        settings["line_text"] = source_text(subject).line
    render(record, console, **settings)


def flag_of(field: str, option: Option) -> str:
    """``--memory-space``."""
    return f"--{option.flag or field.replace('_', '-')}"


def _command(view: View) -> click.Command:
    flags = {field: flag_of(field, option) for field, _, _, option in options_of(view.options)}

    def command(path: Path, **given: Any) -> None:  # noqa: ANN401 (click's)
        try:
            print_view(view, path, **given)
        except FormatError as error:
            exit_unreadable(error)
        except OptionError as error:
            raise click.BadParameter(str(error), param_hint=f"'{flags[error.option]}'") from error

    params: list[click.Parameter] = [
        click.Argument(["path"], type=click.Path(path_type=Path)),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the record as JSON."),
    ]
    if view.is_list:
        params.append(
            click.Option(
                ["--limit"],
                type=click.IntRange(min=1),
                default=DEFAULT_LIMIT,
                show_default=True,
                help="Rows to print; JSON has all.",
            )
        )
    for field, kind, default, option in options_of(view.options):
        params.append(
            click.Option(
                [flags[field], field],
                type=_type(kind, option),
                is_flag=kind is bool,
                default=default,
                show_default=default not in (None, False),
                help=option.text,
            )
        )
    help_text = view.sentence if view.more is None else f"{view.sentence}\n\n{view.more}"
    return click.Command(view.id, params=params, callback=command, help=help_text)


def _type(kind: Any, option: Option) -> Any:  # noqa: ANN401 (an annotation, and what click takes for it)
    if option.is_time:
        return TIME
    (kind, *_) = get_args(kind) if type(None) in get_args(kind) else (kind,)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if option.least is not None or option.most is not None:
        return click.IntRange(min=option.least, max=option.most)
    return kind


@click.group(
    cls=ListedGroup,
    sentences={view.id: view.sentence for view in VIEWS.values()},
    make=lambda name: _command(VIEWS[name]),
)
def show() -> None:
    """Show what a run holds. PATH is a run, a TensorBoard log directory or one file."""
