"""Numbers as people read them: three significant digits, the unit after the number, SI for time, binary for bytes."""

import math

_BAR_CELLS = 5
_TIME_UNITS = ((10**12, "s"), (10**9, "ms"), (10**6, "µs"), (10**3, "ns"))
_BYTE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def duration(time_ps: float) -> str:
    """A time in three significant digits with its SI unit: ``32.4 ms``."""
    for factor, unit in _TIME_UNITS:
        value = time_ps / factor
        # 999.6 of a unit would be written as 1000: it is the next unit's 1.00.
        if value >= 0.9995:
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"
    return f"{time_ps:.0f} ps"


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


def bar(share_ratio: float) -> str:
    """A share as filled cells out of five, by its square root, so that 2 %, 10 %, 30 % and 50 % can be told apart.

    Cells fill at 0, 4, 16, 36 and 64 %. Nothing fills none.
    """
    # Tolerance: the root of 0.16 times five may be a little more than two.
    filled = min(_BAR_CELLS, max(0, math.ceil(math.sqrt(max(0.0, share_ratio)) * _BAR_CELLS - 1e-9)))
    return "▰" * filled + "▱" * (_BAR_CELLS - filled)
