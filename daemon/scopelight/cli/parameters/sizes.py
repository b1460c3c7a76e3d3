"""Sizes, as options give them."""

import contextlib
import re

import click


def size_in_bytes(_context: click.Context, _parameter: click.Parameter, given: str | None) -> int | None:
    """``200MB``, ``1.5GB`` or a plain number."""
    if given is None:
        return None
    found = re.fullmatch(r"([\d.]+)\s*([kMGT]?)i?B?", given.strip(), re.IGNORECASE)
    if found is not None:
        with contextlib.suppress(ValueError, OverflowError):
            size = int(float(found[1]) * 1000.0 ** " kmgt".index(found[2].lower() or " "))
            if size > 0:
                return size
    raise click.BadParameter(f"{given} is no size: give one such as 200MB.")
