"""Paths that clients send: any text at all."""

import os
from pathlib import Path

from pygls.exceptions import JsonRpcInvalidParams


def checked_name(text: str) -> str:
    """A recorded file, of whatever machine. Raises `JsonRpcInvalidParams` where no path can be called so."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise JsonRpcInvalidParams("The path holds characters that no path can.") from None
    if "\0" in text:
        raise JsonRpcInvalidParams("The path holds a null character.")
    return text


def checked_path(text: str) -> Path:
    """The absolute path that ``text`` is. Raises `JsonRpcInvalidParams` with a sentence where it is none."""
    path = Path(checked_name(text))
    if not path.is_absolute():
        raise JsonRpcInvalidParams(f"The path {text!r} is not absolute.")
    return path
