"""Summaries beside the files that they are of."""

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Final

from scopelight.analysis.hosts.summary import Summary
from scopelight.summaries.encoding import UnreadableSummaryError, decode, encode

SUMMARY_SUFFIX: Final = ".summary"
"""Added to the name of the file that a summary is of."""

_END_BYTES: Final = 1 << 16
"""From either end of a file, enough to tell it from another of its size."""


def kept_summary(files: tuple[Path, ...], place: tuple[int, int]) -> Summary | None:
    """The summary that is beside the first of a host's files, where it is of these files as they are now."""
    try:
        data = _beside(files[0]).read_bytes()
        head, _, body = data.partition(b"\n")
        if json.loads(head) != _identity(files, place):
            return None
        return decode(body)
    except (OSError, ValueError, UnreadableSummaryError):
        return None


def keep_summary(files: tuple[Path, ...], place: tuple[int, int], summary: Summary) -> None:
    """Write a summary beside the first of a host's files, if that can be written to."""
    target = _beside(files[0])
    new = target.with_name(f"{target.name}.{os.getpid()}.new")
    try:
        new.write_bytes(json.dumps(_identity(files, place)).encode() + b"\n" + encode(summary))
        new.replace(target)
    except OSError:
        # What cannot be kept is made again.
        with contextlib.suppress(OSError):
            new.unlink()


def _beside(file: Path) -> Path:
    return file.with_name(file.name + SUMMARY_SUFFIX)


def _identity(files: tuple[Path, ...], place: tuple[int, int]) -> list[object]:
    return [*place, *(_of_file(each) for each in files)]


def _of_file(file: Path) -> str:
    """A file's content, as far as its size and its two ends tell it."""
    size = file.stat().st_size
    with file.open("rb") as opened:
        digest = hashlib.blake2b(opened.read(_END_BYTES), digest_size=16)
        if size > 2 * _END_BYTES:
            opened.seek(size - _END_BYTES)
        digest.update(opened.read(_END_BYTES))
    return f"{size}:{digest.hexdigest()}"
