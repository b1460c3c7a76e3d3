"""What a command reads: a path, or the address of a log directory on a server, which is downloaded first."""

import sys
from pathlib import Path
from typing import Any

import click

from scopelight.cli.parameters.arguments import PathArgument
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError


class ProfileArgument(PathArgument):
    """A run, a log directory or one file, here or on a server: the path where it lies here."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 (click's)
        """The path."""
        return _fetched(value) if _is_address(value) else super().convert(value, param, ctx)


class PlaceArgument(PathArgument):
    """A folder, as a path, or one on a server, as its address."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 (click's)
        """The path, or the address."""
        return value if _is_address(value) else super().convert(value, param, ctx)


def _is_address(value: object) -> bool:
    return isinstance(value, str) and "://" in value


def _fetched(address: str) -> Path:
    from scopelight.model.remote.addresses import shown  # noqa: PLC0415 (few paths are addresses)
    from scopelight.model.remote.fetching import fetch  # noqa: PLC0415
    from scopelight.report.findings.worded import in_terminal  # noqa: PLC0415
    from scopelight.report.numbers import byte_size  # noqa: PLC0415

    is_seen = sys.stderr.isatty()

    def report(done: int, total: int) -> None:
        if is_seen:
            click.echo(f"\rDownloading {byte_size(done)} of {byte_size(total)}\x1b[K", nl=False, err=True)

    try:
        fetched = fetch(address, report)
    except FormatError as error:
        if is_seen:
            click.echo("\r\x1b[K", nl=False, err=True)
        exit_unreadable(error)
    if fetched.downloaded_bytes:
        start = "\r\x1b[K" if is_seen else ""
        click.echo(f"{start}{byte_size(fetched.downloaded_bytes)} were downloaded from {shown(address)}", err=True)
    for finding in fetched.findings:
        click.echo(in_terminal(finding), err=True)
    return fetched.path
