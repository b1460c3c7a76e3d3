"""Files that are written for other programs: whole or not at all, and never over what they were made from."""

import gzip
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from scopelight.model.run.names import RUN_FILE, SOURCES_FOLDER
from scopelight.phrase import Phrase


class OutputRefusedError(Exception):
    """What was to be written to is a file of the profile or of its run, or somebody's of another kind."""

    def __init__(self, output: Path, what: Phrase) -> None:
        super().__init__(Phrase("{file} is {what}: choose another file.", file=output, what=what))


@contextmanager
def output_file(output: Path, profile_files: Sequence[Path]) -> Iterator[BinaryIO]:
    """The file to write to, of what was read from ``profile_files``. It is there when it is whole, and not before.

    A link stays, and what it leads to is written; what is no file (a pipe, a device) is written to as it is. Raises
    `OSError` where it cannot be written, `OutputRefusedError` before anything is.
    """
    if any(_is_same(output, each) for each in profile_files):
        raise OutputRefusedError(output, Phrase("the profile itself"))
    if any(_is_kept_by_run(output, each) for each in profile_files):
        raise OutputRefusedError(output, Phrase("a file of the run itself"))
    if output.exists() and not output.is_file():
        with output.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(output))
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def compressed(file: BinaryIO) -> BinaryIO:
    """The file for what is to be compressed with gzip. What is written is the same each time: it names no date.

    Closed before ``file``, which stays open.
    """
    packed: BinaryIO = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)  # type: ignore[assignment]
    return packed


@contextmanager
def as_text(file: BinaryIO) -> Iterator[TextIO]:
    """The file for text in the encoding of JSON, whatever the terminal's is. It stays open."""
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="\n")
    try:
        yield text
    finally:
        text.detach()


def _is_same(output: Path, profile: Path) -> bool:
    try:
        return output.samefile(profile)
    except OSError:
        return False


def _is_kept_by_run(output: Path, profile: Path) -> bool:
    """Whether there is such a file already in the run of a profile, and no earlier export."""
    if not output.is_file():
        return False
    of_output = output.resolve()
    runs = (each for each in profile.resolve().parents if (each / RUN_FILE).is_file())
    return any(
        of_output.is_relative_to(run)
        and (
            of_output == run / RUN_FILE
            or of_output.is_relative_to(run / SOURCES_FOLDER)
            or not of_output.name.endswith((".json", ".json.gz"))
        )
        for run in runs
    )
