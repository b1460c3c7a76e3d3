"""``scopelight show ops``, ``op-profile``, ``flops`` and ``roofline``: the records that the panels receive."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scopelight.cli.json_output import print_json
from scopelight.cli.target import chosen_target, target_option
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError

if TYPE_CHECKING:
    from rich.console import Console

_Command = Callable[..., None]


def _options(command: _Command) -> _Command:
    """The options that all views of ops have."""
    for option in (
        click.option("--device", help="One device by its name in the profile; all together without it."),
        click.option(
            "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Rows to print; JSON has all."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print the record as JSON."),
        click.argument("path", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


@click.command()
@_options
@target_option
def ops(path: Path, as_json: bool, limit: int, device: str | None, target_name: str | None) -> None:
    """Every op that ran: time, FLOPs, bytes, how well it used the device, and its line."""
    from scopelight.analysis.ops import views as analyses  # noqa: PLC0415

    def render(record: Any, console: "Console") -> None:  # noqa: ANN401 (the record just made)
        from scopelight.report.ops import render_ops  # noqa: PLC0415

        render_ops(record, console, base=Path.cwd(), limit=limit)

    analysis = partial(analyses.op_statistics, target=chosen_target(target_name))
    _show(path, device, analysis, None if as_json else render)


@click.command("op-profile")
@_options
@click.option(
    "--by",
    "grouping",
    type=click.Choice(["category", "program", "scope", "line"]),
    default="category",
    show_default=True,
    help="What the tree is grouped by.",
)
def op_profile(path: Path, as_json: bool, limit: int, device: str | None, grouping: Any) -> None:  # noqa: ANN401 (a choice)
    """The ops as a tree, with the time that each node wasted."""
    from scopelight.analysis.ops import views as analyses  # noqa: PLC0415

    def render(record: Any, console: "Console") -> None:  # noqa: ANN401
        from scopelight.report.ops import render_op_profile  # noqa: PLC0415

        render_op_profile(record, console, base=Path.cwd(), limit=limit)

    _show(path, device, partial(analyses.op_profile, grouping=grouping), None if as_json else render)


@click.command()
@_options
@target_option
def flops(path: Path, as_json: bool, limit: int, device: str | None, target_name: str | None) -> None:
    """FLOPs of the model, its scopes and ops: MFU, HFU, padding and recomputation."""
    from scopelight.analysis.ops import views as analyses  # noqa: PLC0415

    def render(record: Any, console: "Console") -> None:  # noqa: ANN401
        from scopelight.report.ops import render_flops  # noqa: PLC0415

        render_flops(record, console, base=Path.cwd(), limit=limit)

    analysis = partial(analyses.flops, target=chosen_target(target_name))
    _show(path, device, analysis, None if as_json else render)


@click.command()
@_options
def roofline(path: Path, as_json: bool, limit: int, device: str | None) -> None:
    """What each op and program reached, against what its intensity allows."""
    from scopelight.analysis.ops import views as analyses  # noqa: PLC0415

    def render(record: Any, console: "Console") -> None:  # noqa: ANN401
        from scopelight.report.ops import render_roofline  # noqa: PLC0415

        render_roofline(record, console, base=Path.cwd(), limit=limit)

    _show(path, device, analyses.roofline, None if as_json else render)


def _show(
    path: Path,
    device: str | None,
    make: Callable[..., Any],
    render: Callable[[Any, "Console"], None] | None,
) -> None:
    """Print the record that an analysis makes of a path: as JSON without ``render``."""
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    try:
        profile = open_profile(path)
        record = make(profile, line_options(profile, Path.cwd()), device=device)
    except FormatError as error:
        exit_unreadable(error)
    except LookupError as error:
        raise click.BadParameter(str(error), param_hint="--device") from error
    if render is None:
        print_json(record)
        return
    from rich.console import Console  # noqa: PLC0415

    render(record, Console())
