"""``scopelight check``: a run held against the budgets of its project."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from scopelight.analysis.budgets.records import BudgetsRecord, Verdict
from scopelight.cli.groups import importing
from scopelight.cli.parameters.arguments import PathArgument
from scopelight.cli.parameters.places import ProfileArgument
from scopelight.cli.printing.json_output import print_json
from scopelight.cli.printing.output import console
from scopelight.formats.errors import FormatError

NOT_MEASURED: Final = 3
EXIT_CODES: Final[Mapping[Verdict, int]] = {"held": 0, "broken": 1, "cannot-tell": 2, "not-measured": NOT_MEASURED}
_SUMMARY: Final = "GITHUB_STEP_SUMMARY"


class _MisusedError(click.UsageError):
    exit_code = NOT_MEASURED


class _Check(click.Command):
    """A command whose own mistakes are not mistaken for a verdict: click ends with 2, which is "cannot tell" here."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:  # noqa: ANN401 (click's)
        """Read the arguments."""
        try:
            return super().make_context(*arguments, **options)
        except click.UsageError as error:
            raise _MisusedError(error.format_message(), error.ctx) from error


@click.command(cls=_Check)
@click.argument("run", type=ProfileArgument(), required=False)
@click.option(
    "--against",
    metavar="BASE",
    help="What budgets of changes are since: a run, a folder of rounds, an experiment (what came before), or a revision"
    " of git, of which the newest other run here counts that was made with nothing changed since.",
)
@click.option(
    "--config",
    type=PathArgument(exists=True, dir_okay=False),
    help="The file of budgets. [default: the pyproject.toml nearest above the run's script, or above this folder]",
)
@click.option(
    "--format",
    "written_as",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="A table, the record, annotations of a GitHub workflow, or SARIF 2.1.0.",
)
@click.option("--strict", is_flag=True, help="Count what cannot be told as broken.")
@click.option(
    "--summary",
    type=PathArgument(dir_okay=False),
    help=f"Append a summary in Markdown to a file. [default: with --format github, what {_SUMMARY} names]",
)
@click.option("--target", help="The device that padding is predicted for, such as 'TPU v5e'.")
def check(
    run: Path | None,
    against: str | None,
    config: Path | None,
    written_as: str,
    strict: bool,
    summary: Path | None,
    target: str | None,
) -> None:
    """Hold RUN (default: the newest here) against [tool.scopelight.budgets] of its project's pyproject.toml.

    Of rounds in a folder, or of an experiment that `scopelight run --against` made, all are held: of an experiment what
    came after, since what came before.

    \b
        [tool.scopelight.budgets]
        step_ms = 200
        compilations = 1
        "train.py:train_step".step_ms = 160
        "data.py".waiting_share = "5 %"

    Exit code: 1 where a budget is broken; else 3 where one was not measured or means nothing; else 2 where one run does
    not tell (1 with --strict); else 0.
    """
    from scopelight.budgets.repository import repository_root  # noqa: PLC0415 (help is told without it)

    record = _record(run, against, config, target)
    code = exit_code(record, strict=strict)
    root = repository_root(Path(record.config).parent if record.config else Path.cwd())
    _print(record, written_as, root, code)
    where = summary or (Path(os.environ[_SUMMARY]) if written_as == "github" and os.environ.get(_SUMMARY) else None)
    if where is not None:
        _summarise(record, where, root)
    sys.exit(code)


def exit_code(record: BudgetsRecord, *, strict: bool) -> int:
    """What the process ends with."""
    from scopelight.analysis.budgets.outcome import outcome  # noqa: PLC0415 (as above)

    verdict = outcome(record)
    return EXIT_CODES["broken" if strict and verdict == "cannot-tell" else verdict]


def _record(run: Path | None, against: str | None, config: Path | None, target: str | None) -> BudgetsRecord:
    with importing():
        from scopelight.analysis.options import OptionError  # noqa: PLC0415 (as above)
        from scopelight.budgets.checked_run import checked_run  # noqa: PLC0415
        from scopelight.budgets.sides import NoRunError, sides_of  # noqa: PLC0415
    here = Path.cwd()
    try:
        return checked_run(sides_of(run, against, here), here, config=config, target=target)
    except (FormatError, NoRunError, OptionError) as error:
        _end(str(error))


def _print(record: BudgetsRecord, written_as: str, root: Path, code: int) -> None:
    if written_as == "json":
        print_json(record)
    elif written_as == "github":
        from scopelight.report.budgets.github import github_commands  # noqa: PLC0415 (each has its own)

        for line in github_commands(record, root):
            click.echo(line)
    elif written_as == "sarif":
        from scopelight.report.budgets.sarif import sarif  # noqa: PLC0415

        click.echo(sarif(record, root, code), nl=False)
    else:
        from scopelight.report.budgets.terminal import render_budgets  # noqa: PLC0415

        render_budgets(record, console(), base=Path.cwd())


def _summarise(record: BudgetsRecord, file: Path, root: Path) -> None:
    from scopelight.report.budgets.as_markdown import budgets_in_markdown  # noqa: PLC0415 (few have a summary)

    try:
        with file.open("a", encoding="utf-8") as summary:
            summary.write(budgets_in_markdown(record, root))
    except OSError as error:
        click.echo(f"scopelight: {file} cannot be written ({error.strerror or error}).", err=True)


def _end(sentence: str) -> NoReturn:
    click.echo(f"scopelight: {sentence}", err=True)
    sys.exit(NOT_MEASURED)
