"""How commands that write a file tell of it, and end where it cannot be written."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from scopelight.cli.unreadable import UNREADABLE, exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.report.output_file import OutputRefusedError

_STANDARD_OUTPUT: Final = ("-", "/dev/stdout")


@contextmanager
def ending_well(output: Path, *refusals: type[Exception]) -> Iterator[None]:
    """Tell what went wrong in one sentence; ``refusals`` are errors whose message is one."""
    refused: tuple[type[Exception], ...] = (OutputRefusedError, *refusals)
    try:
        yield
    except FormatError as error:
        exit_unreadable(error)
    except refused as error:
        click.echo(f"scopelight: {error}", err=True)
        sys.exit(UNREADABLE)
    except BrokenPipeError:
        # Who reads has enough, as `head` does: click ends without a word.
        raise
    except OSError as error:
        click.echo(f"scopelight: {shown_output(output)} cannot be written ({error.strerror or error}).", err=True)
        sys.exit(UNREADABLE)


def is_piped(output: Path) -> bool:
    """Whether standard output is meant."""
    return str(output) in _STANDARD_OUTPUT


def shown_output(output: Path) -> str:
    """What is written to, for people."""
    return "standard output" if is_piped(output) else str(output)
