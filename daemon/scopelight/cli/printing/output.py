"""Standard output and standard error as they are: of any encoding and width, full, or closed by who reads them."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, NoReturn, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console

_FAILED: Final = 1
"""Exit code where the output could not be written."""
_WIDEST: Final = 1_000
"""Cells of a terminal; what claims to be wider is not drawn wider."""
_NO_ROOM: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENXIO))
_PLAIN: Final = {
    **dict.fromkeys("–—‒−·▱", "-"),
    **dict.fromkeys("▰█▉▊▋▌▍▎▏", "#"),
    **dict.fromkeys("\u202f\u00a0\u2009", " "),
    **dict(zip("▁▂▃▄▅▆▇", ".:-=+*%", strict=True)),
    **{"…": "~", "≈": "~", "×": "x", "µ": "u", "μ": "u", "±": "+-", "≥": ">=", "≤": "<=", "→": "->", "←": "<-"},
    **{"↑": "^", "↓": "v", "²": "2", "³": "3", "‘": "'", "’": "'", "“": '"', "”": '"', "√": "sqrt"},
}
"""What is written for a character that the encoding lacks; a question mark for any other."""
_HANDLER: Final = "scopelight-plain"


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(character, "?") for character in error.object[error.start : error.end]), error.end


codecs.register_error(_HANDLER, _plain)


@contextmanager
def written_whole() -> Iterator[None]:
    """While a command runs, write what the terminal's encoding lacks in other letters; and see that all was written.

    Where it could not be, that is said in a sentence and the exit code is 1. Where who reads has enough, as `head`
    does, nothing is said.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)
    try:
        try:
            yield
        finally:
            # Else the interpreter would at its end, where no one can say what went wrong.
            for stream in (sys.stdout, sys.stderr):
                if stream is not None and not stream.closed:
                    stream.flush()
    except BrokenPipeError:
        _end_without(sys.stdout)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        with suppress(OSError):
            click.echo(f"scopelight: the output cannot be written ({error.strerror}).", err=True)
        _end_without(sys.stdout)


def _end_without(stream: TextIO) -> NoReturn:
    """End; what is left to be written to a stream is lost."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    sys.exit(_FAILED)


def console(*, stderr: bool = False) -> "Console":
    """The terminal, as wide as it is, or as ``COLUMNS`` says where that is a width."""
    from shutil import get_terminal_size  # noqa: PLC0415 (only what prints tables needs them)

    from rich.console import Console  # noqa: PLC0415

    # It takes no width of 0 or less, and falls back to the terminal's own.
    wide = min(get_terminal_size().columns, _WIDEST)
    made = Console(stderr=stderr)
    return made if 0 < made.width <= _WIDEST else Console(stderr=stderr, width=wide)
