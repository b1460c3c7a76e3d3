"""What is under way: on a terminal one line that changes, else each kind of step once."""

import contextlib
import sys

import click

from scopelight.cli.announcing import say


class StatusLine:
    """``say`` a step (``downloading: 12 of 205 MB``); what stands before its colon is its kind."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._kind = ""

    def say(self, step: str) -> None:
        """What is done now."""
        kind = step.partition(":")[0]
        if self._is_terminal:
            _echo(f"\r\x1b[Kscopelight: {step}")
        elif kind != self._kind:
            say(step)
        self._kind = kind

    def clear(self) -> None:
        """Nothing is under way any more."""
        if self._is_terminal and self._kind:
            _echo("\r\x1b[K")
        self._kind = ""


def _echo(text: str) -> None:
    with contextlib.suppress(OSError):
        click.echo(text, err=True, nl=False)
