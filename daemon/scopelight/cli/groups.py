"""Groups of commands that are listed in an order of their own, with whole sentences, and made when they are called."""

import gc
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import click

from scopelight import garbage

_BLAS_THREADS: Final = "OPENBLAS_NUM_THREADS"


class ListedGroup(click.Group):
    """Knows its commands by name and sentence; ``make`` makes one when that one is called."""

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 (click's)
        sentences: Mapping[str, str],
        make: Callable[[str], click.Command],
        **options: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*arguments, **options)
        self._sentences = sentences
        self._make = make

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click names it)
        """The names."""
        return list(self._sentences)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click names it)
        """The command of a name."""
        return self._make(cmd_name) if cmd_name in self._sentences else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (click names it)
        """Write the list of commands into the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._sentences.items()))


@contextmanager
def importing() -> Iterator[None]:
    """While modules are imported nothing is looked through for garbage, and numpy starts no threads.

    Imports make a hundred thousand objects that stay: to look through them takes a tenth of a second. OpenBLAS, which
    numpy loads and nothing here uses, would start threads that wait busily for as long as numpy takes to import.
    """
    gc.disable()
    is_set = _BLAS_THREADS in os.environ
    os.environ.setdefault(_BLAS_THREADS, "1")
    try:
        yield
    finally:
        # Scripts that are started from here have all their threads.
        if not is_set:
            del os.environ[_BLAS_THREADS]
        gc.freeze()
        garbage.look_for_it_seldom()
        gc.enable()
