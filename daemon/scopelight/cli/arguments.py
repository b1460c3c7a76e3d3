"""Paths as arguments of commands."""

from pathlib import Path
from typing import Any

import click


class PathArgument(click.Path):
    """A path, which must not be empty: an unset variable of a shell is not the current folder."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (click's)
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 (click's)
        """The path."""
        if value == "":
            self.fail("The path is empty. The current folder is '.'.", param, ctx)
        return super().convert(value, param, ctx)
