"""Addresses of log directories on servers, and what of one may be shown."""

import os
import re
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from scopelight.formats.errors import FormatError

EXTRAS: Final = {"gs": "gcs", "gcs": "gcs", "s3": "s3", "s3a": "s3", "http": "http", "https": "http"}
"""By scheme the extra of this package that installs what speaks it."""

_REFUSED: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f]' if os.name == "nt" else r"[\\/\x00-\x1f]")
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


def is_address(text: str) -> bool:
    """Whether a text is meant as an address, of whatever kind, and no path."""
    return _SCHEME.match(text) is not None


def scheme_of(address: str) -> str:
    """Its scheme. Raises `FormatError` where that is none that is read.

    Libraries know many more, chained ones and those of local files among them.
    """
    match = _SCHEME.match(address)
    scheme = match[1].lower() if match is not None else ""
    if scheme not in EXTRAS or "::" in address or not address.partition("://")[2].strip("/"):
        raise FormatError(
            "log directories are read from gs://, s3://, http:// and https://, with a bucket or a server after it",
            path=shown(address),
        )
    return scheme


def shown(address: str) -> str:
    """An address as it may stand on screen and in a log: without a password, and without what a signed one ends in."""
    scheme, mark, rest = address.partition("://")
    place = re.split(r"[?#]", rest, maxsplit=1)[0] if scheme.lower().startswith("http") else rest
    server, slash, path = place.partition("/")
    return f"{scheme}{mark}{server.rpartition('@')[2]}{slash}{path}"


def name_of(address: str) -> str:
    """What its last part is called."""
    path = urlsplit(shown(address))
    return unquote(PurePosixPath(path.path).name) or path.netloc


def is_safe_name(name: PurePosixPath) -> bool:
    """Whether a name that a server gave stays below the folder that it is put into."""
    return (
        bool(name.parts)
        and not name.is_absolute()
        and all(part not in (".", "..") and not _REFUSED.search(part) for part in name.parts)
    )
