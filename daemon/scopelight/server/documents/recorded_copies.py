"""Documents that are a run's own copy of a recorded file, which the client opens where the file is not here."""

import json
from urllib.parse import unquote, urlsplit

import attrs

SCHEME = "scopelight-source"
"""Of their URIs: the path is for people to read, the query names the file and the run."""


@attrs.frozen(slots=True)
class RecordedCopy:
    """The copy of ``file``, as the records of ``run`` name it; the run goes by its path."""

    run: str
    file: str


def recorded_copy(uri: str) -> RecordedCopy | None:
    """What a URI is the copy of; None where it is none."""
    try:
        split = urlsplit(uri)
        named = json.loads(unquote(split.query)) if split.scheme == SCHEME else None
    except ValueError:
        return None
    run, file = (named.get("run"), named.get("file")) if isinstance(named, dict) else (None, None)
    return RecordedCopy(run, file) if isinstance(run, str) and isinstance(file, str) else None
