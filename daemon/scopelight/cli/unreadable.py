"""How a command ends where a path cannot be read as a profile."""

import sys
from typing import NoReturn

import click

from scopelight.formats.errors import FormatError

UNREADABLE = 1
"""Exit code."""


def exit_unreadable(error: FormatError) -> NoReturn:
    """Say it in a sentence and end."""
    click.echo(f"scopelight: {error}", err=True)
    sys.exit(UNREADABLE)
