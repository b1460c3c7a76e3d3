"""The jobs of this machine that can be captured while they run."""

from scopelight.protocol import Nothing
from scopelight.protocol.jobs import LocalJobs
from scopelight.server.session import Session


async def list_local_jobs(session: Session, params: Nothing) -> LocalJobs:  # noqa: ARG001 (every request has parameters)
    """Those that listen, and those that nobody prepared."""
    return await session.work.quick(_local_jobs)


def _local_jobs() -> LocalJobs:
    # Its client of HTTP/2 takes a while to import, and few ask.
    from scopelight.capture.attaching.unprepared_jobs import find_unprepared_jobs  # noqa: PLC0415
    from scopelight.capture.servers.local_jobs import find_local_jobs  # noqa: PLC0415

    jobs = find_local_jobs()
    return LocalJobs(jobs, find_unprepared_jobs({each.pid for each in jobs}))
