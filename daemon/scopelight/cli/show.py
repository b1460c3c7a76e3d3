"""``scopelight show VIEW``: what a run, a log directory or one file holds; one command for each entry of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from scopelight.analysis.options import OptionError
from scopelight.cli.groups import ListedGroup, importing
from scopelight.cli.parameters.places import ProfileArgument
from scopelight.cli.parameters.view_options import bad_option, option_params
from scopelight.cli.printing.answer import DEFAULT_LIMIT, print_answer
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.views.table import VIEWS, View

COMPARISON: Final = "targets"
COMPARES: Final = "Predicted runs of one script side by side, and measured ones beside them: memory, time, lines."


def print_view(view: View, path: Path, **given: Any) -> None:  # noqa: ANN401 (what `print_answer` takes)
    """Print a view of a path to standard output.

    Raises `FormatError` where it cannot be read, and `OptionError` where it does not have what an option names.
    """
    with importing():
        # What reads and analyses takes half a second to import.
        from scopelight.views.opening import open_subject  # noqa: PLC0415
    print_answer(view, open_subject(path, Path.cwd()), **given)


def _command(view: View) -> click.Command:
    def command(path: Path, **given: Any) -> None:  # noqa: ANN401 (click's)
        if given["as_json"] and given.get("written_as") is not None:
            raise click.UsageError(f"--json and --{given['written_as']} are two forms of a record: give one of them.")
        try:
            print_view(view, path, **given)
        except FormatError as error:
            exit_unreadable(error)
        except OptionError as error:
            raise bad_option(view, error) from error

    params: list[click.Parameter] = [
        click.Argument(["path"], type=ProfileArgument()),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the record as JSON."),
    ]
    params.extend(
        click.Option([f"--{form}", "written_as"], flag_value=form, help=f"Print the record as {form.upper()}.")
        for form in view.written_as
    )
    if view.is_list:
        params.append(
            click.Option(
                ["--limit"],
                type=click.IntRange(min=1),
                default=DEFAULT_LIMIT,
                show_default=True,
                help="Rows to print; of JSON it cuts nothing.",
            )
        )
    params.extend(option_params(view))
    help_text = view.sentence if view.more is None else f"{view.sentence}\n\n{view.more}"
    return click.Command(view.id, params=params, callback=command, help=help_text)


def _made(name: str) -> click.Command:
    if name != COMPARISON:
        return _command(VIEWS[name])
    from scopelight.cli.targets import targets  # noqa: PLC0415 (few compare)

    return targets


@click.group(
    cls=ListedGroup,
    sentences={view.id: view.sentence for view in VIEWS.values()} | {COMPARISON: COMPARES},
    make=_made,
)
def show() -> None:
    """Show what a run holds.

    PATH is a run, a TensorBoard log directory or one file, or the address of one (s3://, gs://, https://).
    Of several windows, or sessions, the newest is shown: name the folder of another, which `scopelight runs PATH`
    lists. `targets` takes several runs, and sets them side by side.
    """
