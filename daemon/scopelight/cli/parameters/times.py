"""Times on the command line."""

import math
import re
from typing import Any, Final

import click

_UNITS: Final = {"s": 10**12, "ms": 10**9, "us": 10**6, "µs": 10**6, "ns": 10**3, "ps": 1}
_TIME: Final = re.compile(r"(\d{1,18}(?:\.\d{1,12})?)\s*(s|ms|us|µs|ns|ps)")


class TimeType(click.ParamType[int]):
    """A time with its unit, as picoseconds from the profile's first event: ``12.5ms``."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 (click's)
        """Picoseconds."""
        if isinstance(value, int):
            return value
        found = _TIME.fullmatch(str(value).strip())
        if found is None:
            self.fail(f"{value!r} is no time with a unit, such as 12.5ms or 3s.", param, ctx)
        from fractions import Fraction  # noqa: PLC0415 (few commands are given times)

        return int(Fraction(found[1]) * _UNITS[found[2]])


TIME: Final = TimeType()


class Seconds(click.FloatRange):
    """A number of seconds within bounds. Python reads ``nan`` and ``inf`` as numbers, and no bound holds the first."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 (click's)
        """The seconds."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return seconds
