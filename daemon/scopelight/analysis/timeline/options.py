"""Options of the view of the timeline outside of the panel."""

from typing import Annotated

import attrs

from scopelight.analysis.options import Option


@attrs.frozen
class TimelineListingOptions:
    """Where the window begins and ends, from the profile's first event, and how many pixels it is drawn on."""

    start_ps: Annotated[
        int | None,
        Option("Where the window begins, such as 12.5ms; else where the profile does.", flag="from", is_time=True),
    ] = None
    end_ps: Annotated[int | None, Option("Where the window ends; else at the end.", flag="to", is_time=True)] = None
    width_px: Annotated[
        int | None,
        Option(
            "Pixels (in the terminal, cells) to which slices are merged; else 1000, or what the terminal has room for.",
            flag="width",
            least=1,
            most=100_000,
        ),
    ] = None
