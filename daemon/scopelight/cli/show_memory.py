"""``scopelight show memory-viewer`` and ``memory-lines``: what compiled programs keep in memory."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scopelight.cli.json_output import print_json
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError

if TYPE_CHECKING:
    from rich.console import Console

    from scopelight.analysis.totals.frames import LineOptions
    from scopelight.model.profile import Profile

_Command = Callable[..., None]


def _options(command: _Command) -> _Command:
    for option in (
        click.option(
            "--memory-space", type=click.IntRange(min=0), help="A memory space by its number; 0, the main memory."
        ),
        click.option(
            "--module",
            help="A program by its name, its id, or both as they are listed; without it the one with the largest peak.",
        ),
        click.option(
            "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Rows to print; JSON has all."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print the record as JSON."),
        click.argument("path", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


@click.command("memory-viewer")
@_options
def memory_viewer(path: Path, as_json: bool, limit: int, module: str | None, memory_space: int | None) -> None:
    """What a compiled program keeps in memory, position by position, and what is there at its peak.

    PATH may also be a compiled program (*.hlo.pb, or HLO text), or a directory of them.
    """
    from scopelight.analysis.memory.plan.viewer import memory_viewer as record_of  # noqa: PLC0415

    def render(record: Any, console: "Console") -> None:  # noqa: ANN401 (the record just made)
        from scopelight.report.memory import render_memory_viewer  # noqa: PLC0415

        render_memory_viewer(record, console, base=Path.cwd(), limit=limit)

    _show(path, module, memory_space, record_of, None if as_json else render)


@click.command("memory-lines")
@_options
def memory_lines(path: Path, as_json: bool, limit: int, module: str | None, memory_space: int | None) -> None:
    """The lines of source that the memory of a compiled program is for at its peak, most bytes first.

    PATH may also be a compiled program (*.hlo.pb, or HLO text), or a directory of them.
    """
    from scopelight.analysis.memory.plan.lines import memory_lines as record_of  # noqa: PLC0415

    def render(record: Any, console: "Console") -> None:  # noqa: ANN401
        from scopelight.report.memory import render_memory_lines  # noqa: PLC0415

        render_memory_lines(record, console, base=Path.cwd(), limit=limit)

    _show(path, module, memory_space, record_of, None if as_json else render)


def _show(
    path: Path,
    module: str | None,
    memory_space: int | None,
    record_of: Callable[["Profile", "LineOptions", str | None, int | None], Any],
    render: Callable[[Any, "Console"], None] | None,
) -> None:
    """Print the record of a path's program: as JSON without ``render``."""
    from scopelight.analysis.memory.plan.program_choice import program_choice  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    try:
        profile = open_profile(path)
        program_id = program_choice(profile).named(module).program_id if module is not None else None
    except FormatError as error:
        exit_unreadable(error)
    except LookupError as error:
        raise click.BadParameter(str(error), param_hint="--module") from error
    try:
        record = record_of(profile, line_options(profile, Path.cwd()), program_id, memory_space)
    except FormatError as error:
        exit_unreadable(error)
    except LookupError as error:
        raise click.BadParameter(str(error), param_hint="--memory-space") from error
    if render is None:
        print_json(record)
        return
    from rich.console import Console  # noqa: PLC0415

    render(record, Console())
