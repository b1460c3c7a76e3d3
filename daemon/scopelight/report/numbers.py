"""Numbers as people read them: three significant digits, the unit after the number, SI for time, binary for bytes."""

import math
from collections.abc import Sequence

from scopelight.report.prediction.marks import timed

_BAR_CELLS = 5
_TIME_UNITS = ((10**12, "s"), (10**9, "ms"), (10**6, "µs"), (10**3, "ns"))
_FLOP_UNITS = tuple((10 ** (18 - 3 * place), f"{prefix}FLOP") for place, prefix in enumerate("EPTGMk"))
_BYTE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def duration(time_ps: float) -> str:
    """A time in three significant digits with its SI unit: ``32.4 ms``; before zero with a minus.

    What would round to nothing and is not is ``<1 ps``. Where times are predicted, a ``≈`` leads.
    """
    if time_ps <= -0.5:
        return timed(f"\N{MINUS SIGN}{exact_duration(-time_ps)}")
    return timed(exact_duration(time_ps))


def exact_duration(time_ps: float) -> str:
    """The same of a time, not before zero, that was measured whatever others are: how long a compiler took."""
    if 0 < time_ps < 0.5:
        return "<1 ps"
    return _scaled(time_ps, _TIME_UNITS) or f"{max(0.0, time_ps):.0f} ps"


def share(share_ratio: float) -> str:
    """A share to a tenth of a percent: ``38.2 %``; what would round to nothing but is not is ``<0.1 %``."""
    if 0 < share_ratio < 0.0005:
        return "<0.1 %"
    return f"{share_ratio * 100:.1f} %"


def whole_share(share_ratio: float) -> str:
    """A share to a percent, where one glance is meant: ``38 %``."""
    if 0 < share_ratio <= 0.005:
        return "<1 %"
    return f"{share_ratio * 100:.0f} %"


def count(number: float) -> str:
    """A count: whole numbers in full, with thin groups of three (``12 000``); an average in three digits (``2.5``)."""
    if float(number).is_integer():
        return f"{int(number):,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    return f"{number:.3g}" if number < 999.5 else count(round(number))


def byte_size(size_bytes: float) -> str:
    """A size in binary units with three significant digits: ``62.1 MiB``."""
    size = float(size_bytes)
    for unit in _BYTE_UNITS:
        if size < 999.5 or unit == _BYTE_UNITS[-1]:
            break
        size /= 1024
    return f"{size:.3g} {unit}"


def flops(work_flops: float) -> str:
    """Work in three significant digits with its SI unit: ``412 GFLOP``."""
    return _scaled(work_flops, _FLOP_UNITS) or f"{work_flops:.0f} FLOP"


def flop_rate(rate_flops_per_s: float) -> str:
    """A rate of work: ``412 GFLOP/s``."""
    return f"{flops(rate_flops_per_s)}/s"


def byte_rate(rate_bytes_per_s: float) -> str:
    """A bandwidth: ``62.1 GiB/s``."""
    return f"{byte_size(rate_bytes_per_s)}/s"


def bar(share_ratio: float) -> str:
    """A share as filled cells out of five, by its square root, so that 2 %, 10 %, 30 % and 50 % can be told apart.

    Cells fill at 0, 4, 16, 36 and 64 %. Nothing fills none.
    """
    return level_bar(math.sqrt(max(0.0, share_ratio)))


def level_bar(level_ratio: float, *, inclusive: bool = False) -> str:
    """How full something is, a utilisation, as filled cells out of five: a cell for every fifth that is begun.

    Cells are dashed where the figure is ``inclusive``, of all that a line called.
    """
    # Tolerance: three fifths times five may be a little more than three.
    filled = min(_BAR_CELLS, max(0, math.ceil(level_ratio * _BAR_CELLS - 1e-9)))
    full, empty = ("╍", "·") if inclusive else ("▰", "▱")
    return full * filled + empty * (_BAR_CELLS - filled)


def _scaled(value: float, units: Sequence[tuple[int, str]]) -> str | None:
    """``value`` in the largest of ``units`` that it reaches; None where it reaches none."""
    for factor, unit in units:
        scaled = value / factor
        # 999.6 of a unit would be written as 1000: it is the next unit's 1.00.
        if scaled >= 0.9995:
            return f"{scaled:.{2 if scaled < 9.995 else 1 if scaled < 99.95 else 0}f} {unit}"
    return None
