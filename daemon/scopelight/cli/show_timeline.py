"""``scopelight show timeline``: the tracks of a profile and a window of them, as the panel draws it."""

from pathlib import Path

import click

from scopelight.cli.json_output import print_json
from scopelight.cli.times import TIME, check_span
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--from", "start_ps", type=TIME, help="Where the window begins, such as 12.5ms; else where the profile does."
)
@click.option("--to", "end_ps", type=TIME, help="Where the window ends; else at the end.")
@click.option(
    "--width",
    "width_px",
    type=click.IntRange(min=1, max=100_000),
    help="Pixels (in the terminal, cells) to which slices are merged; else 1000, or what the terminal has room for.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the records as JSON, the columns decoded.")
def timeline(path: Path, start_ps: int | None, end_ps: int | None, width_px: int | None, as_json: bool) -> None:
    """The tracks of devices and host threads, and when each was busy.

    Times count from the profile's first event.
    """
    from rich.console import Console  # noqa: PLC0415

    from scopelight.analysis.timeline.timeline import incomplete, open_timeline  # noqa: PLC0415
    from scopelight.analysis.timeline.tracks.derived import derive  # noqa: PLC0415
    from scopelight.analysis.timeline.windows.listing import TimelineListing, listed_whole  # noqa: PLC0415
    from scopelight.analysis.timeline.windows.window import FURTHEST_PS  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.report.timeline import render_timeline, strip_width  # noqa: PLC0415

    console = Console()
    try:
        opened = open_timeline(path)
        record = opened.record()
        if record.reason is None:
            try:
                profile = open_profile(path)
                opened = opened.completed(profile, derive(opened.slices, profile))
            except FormatError as error:
                opened = opened.without_profile(incomplete(error))
            record = opened.record()
            check_span(start_ps, end_ps, record.duration_ps)
            first_ps = start_ps or 0
            last_ps = min(FURTHEST_PS, end_ps if end_ps is not None else max(record.duration_ps, first_ps + 1))
            cells = width_px or (1_000 if as_json else strip_width(console.width))
            listing = TimelineListing(record, listed_whole(opened, first_ps, last_ps, cells))
        else:
            listing = TimelineListing(record, None)
    except FormatError as error:
        exit_unreadable(error)
    if as_json:
        print_json(listing)
    else:
        render_timeline(listing, console)
