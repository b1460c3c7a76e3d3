"""What ipykernel calls a cell in frames: ``<temporary folder>/ipykernel_<process>/<hash of its text>.py``, a file that
never exists. The text alone tells the hash, so that a cell is found in the frames of any kernel that ran it.

Before ipykernel 6, and in a terminal, it is ``<ipython-input-<execution count>-<another hash of its text>>``. Where
``IPYKERNEL_CELL_NAME`` gives all cells one name nothing tells them apart, and it is a name as others are.
"""

import hashlib
import re

_CELL = re.compile(r"[/\\]ipykernel_\d+[/\\](\d+)\.py$")
_INPUT = re.compile(r"^<ipython-input-\d+-([0-9a-f]{12})>$")
_SEED = 0xC70F6907
_MULTIPLIER = 0x5BD1E995
_BITS = 0xFFFFFFFF
MOST_HASHED_BYTES = 1 << 20
"""A cell of more text was not typed by anyone: it is not looked for."""


def hash_in_name(path: str) -> int | None:
    """The hash that the recorded path of a cell holds; None for any other path."""
    found = _CELL.search(path)
    if found is None:
        typed = _INPUT.search(path)
        return None if typed is None else int(typed[1], 16)
    return int(found[1]) if len(found[1]) <= 10 else None


def cell_hash(text: str) -> int | None:
    """MurmurHash2 of a cell's text, as ipykernel computes it; None for more text than anyone types."""
    data = text.encode("utf-8", errors="replace")
    if len(data) > MOST_HASHED_BYTES:
        return None
    result = _SEED ^ len(data)
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        result = result * _MULTIPLIER & _BITS ^ _mixed(int.from_bytes(data[at : at + 4], "little"))
    if len(data) > whole:
        result = (result ^ int.from_bytes(data[whole:], "little")) * _MULTIPLIER & _BITS
    result = (result ^ result >> 13) * _MULTIPLIER & _BITS
    return result ^ result >> 15


def hashes_of_cell(text: str) -> tuple[int, ...]:
    """The hashes by which frames of a cell may go: those of its text, and of what stands below its ``%%magic``."""
    if len(text) > MOST_HASHED_BYTES:
        return ()
    texts = [text, text.partition("\n")[2]] if text.startswith("%%") else [text]
    hashes = [(cell_hash(each), _input_hash(each)) for each in texts]
    return tuple(hashed for each in hashes for hashed in each if hashed is not None)


def _input_hash(text: str) -> int:
    """The start of the SHA-1 of a cell's text with a line end behind it, as IPython itself has it."""
    whole = text if text.endswith("\n") else f"{text}\n"
    return int(hashlib.sha1(whole.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:12], 16)


def _mixed(word: int) -> int:
    word = word * _MULTIPLIER & _BITS
    return (word ^ word >> 24) * _MULTIPLIER & _BITS
