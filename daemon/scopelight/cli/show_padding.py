"""``scopelight show padding``: what of arrays and matrix products is padding."""

from pathlib import Path

import click

from scopelight.cli.json_output import print_json
from scopelight.cli.target import chosen_target, target_option
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Rows to print; JSON has all.")
@target_option
def padding(path: Path, as_json: bool, limit: int, target_name: str | None) -> None:
    """Arrays and products that are rounded up to the device's tiles, greatest waste first.

    PATH may also be a compiled program: a *.hlo.pb, or HLO text.
    """
    from scopelight.analysis.padding.padding import padding as padding_record  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    target = chosen_target(target_name)
    try:
        profile = open_profile(path)
    except FormatError as error:
        exit_unreadable(error)
    record = padding_record(profile, line_options(profile, Path.cwd()), target)
    if as_json:
        print_json(record)
        return
    from rich.console import Console  # noqa: PLC0415

    from scopelight.report.padding import render_padding  # noqa: PLC0415

    render_padding(record, Console(), base=Path.cwd(), limit=limit)
