"""The options of views as options of commands."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import click

from scopelight.analysis.options import Option, OptionError, options_of
from scopelight.cli.parameters.times import TIME
from scopelight.views.table import View


def flag_of(field: str, option: Option) -> str:
    """``--memory-space``."""
    return f"--{option.flag or field.replace('_', '-')}"


def option_params(view: View) -> Iterator[click.Option]:
    """An option of a command for each option of a view."""
    for field, kind, default, option in options_of(view.options):
        yield click.Option(
            [flag_of(field, option), field],
            type=_type(kind, option),
            is_flag=kind is bool,
            multiple=get_origin(kind) is tuple,
            default=default,
            show_default=default not in (None, False, ()),
            help=option.text,
        )


def bad_option(view: View, error: OptionError) -> click.BadParameter:
    """The error of a command whose option the view refused."""
    flags = {field: flag_of(field, option) for field, _, _, option in options_of(view.options)}
    return click.BadParameter(str(error), param_hint=f"'{flags[error.option]}'")


def _type(kind: Any, option: Option) -> Any:  # noqa: ANN401 (an annotation, and what click takes for it)
    if option.is_time:
        return TIME
    (kind, *_) = get_args(kind) if type(None) in get_args(kind) or get_origin(kind) is tuple else (kind,)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if option.least is not None or option.most is not None:
        return click.IntRange(min=option.least, max=option.most)
    return kind
