"""Arguments of commands: paths, and which options were given."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource


class PathArgument(click.Path):
    """A path, which must not be empty: an unset variable of a shell is not the current folder."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (click's)
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 (click's)
        """The path."""
        if value == "":
            self.fail("The path is empty. The current folder is '.'.", param, ctx)
        return super().convert(value, param, ctx)


def given_options(ctx: click.Context) -> frozenset[str]:
    """The options that the command line gives, as ``--from-step``; those that have their default are not among them."""
    usual = (None, ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
    options = [each for each in ctx.command.params if isinstance(each, click.Option)]
    return frozenset(each.opts[0] for each in options if each.name and ctx.get_parameter_source(each.name) not in usual)
