"""Jobs that run already, and their capture."""

import attrs

from scopelight.capture.attaching.job import UnpreparedJob
from scopelight.capture.servers.job import LocalJob


@attrs.frozen(slots=True)
class LocalJobs:
    """The jobs of this machine: those that a profiler server can be reached at, and those that nobody prepared."""

    jobs: tuple[LocalJob, ...]
    unprepared: tuple[UnpreparedJob, ...]


@attrs.frozen(slots=True)
class CaptureServers:
    """Capture the profiler servers at ``addresses`` (``HOST:PORT``) for ``seconds``, at once, into a run in ``folder``.

    ``trusts``: those too whose jobs can freeze or end of it. Progress and cancellation as the protocol has them: what
    has come by then is kept.
    """

    addresses: tuple[str, ...]
    folder: str
    seconds: float = 2.0
    trusts: bool = False
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class AttachToJob:
    """Put the agent into the process ``pid``, and capture it for ``seconds`` into a run in ``folder``; then it leaves.

    Progress and cancellation as the protocol has them: what has come by then is kept.
    """

    pid: int
    folder: str
    seconds: float = 2.0
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class CapturedJobs:
    """The run, None where there is nothing to open; ``problems`` are sentences for the user of what is missing."""

    path: str | None
    problems: tuple[str, ...]
