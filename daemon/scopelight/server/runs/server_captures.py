"""Capturing jobs that run already, through their profiler servers."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from scopelight.capture.failures import CaptureFailure
from scopelight.capture.servers.spec import ServerCaptureSpec, ServerProgress, ServerStage
from scopelight.protocol.jobs import CapturedJobs, CaptureServers
from scopelight.report.findings.worded import sentences
from scopelight.report.language import template, text
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress

_LEAST_SILENT_SECONDS = 3.0
_STAGES: Mapping[ServerStage, str] = {
    "connecting": template("connecting"),
    "ready": template("ready"),
    "captured": template("captured"),
    "failed": template("not captured"),
}


async def capture_servers(session: Session, params: CaptureServers) -> CapturedJobs:
    """Capture servers, with progress. Raises `RequestFailed` where nothing was begun."""
    from scopelight.capture.servers.address import parse_addresses  # noqa: PLC0415
    from scopelight.capture.servers.server_source import ServerSource  # noqa: PLC0415

    folder = checked_path(params.folder)
    loop = asyncio.get_running_loop()
    try:
        addresses = parse_addresses(",".join(params.addresses))
    except CaptureFailure as failure:
        raise RequestFailed(failure.sentence) from failure
    async with progress(session, params.workDoneToken, text("Capturing")) as report:
        told = _Told(params.seconds, len(addresses), report)

        def tell(each: ServerProgress) -> None:
            loop.call_soon_threadsafe(told.hear, each)

        source = ServerSource(addresses, tell)
        spec = ServerCaptureSpec(seconds=params.seconds, trusts=params.trusts, cwd=folder)
        # Its own thread: a long capture keeps nothing else from being read.
        capturing = loop.run_in_executor(None, partial(source.capture, spec))
        try:
            captured = await asyncio.shield(capturing)
        except asyncio.CancelledError:
            source.cancel()
            await capturing
            raise
        except CaptureFailure as failure:
            raise RequestFailed(failure.sentence) from failure
    problems = tuple(sentences(each, "editor") for each in captured.problems)
    run = captured.run
    if run is not None and run.information.state == "failed":
        run.update(failure=" ".join(problems))
    is_there = run is not None and run.information.state == "captured"
    return CapturedJobs(str(Path(run.path)) if run is not None and is_there else None, problems)


class _Told:
    """Reports how far it is with each server."""

    def __init__(self, seconds: float, servers: int, report: Callable[[str], None]) -> None:
        self._seconds = seconds
        self._servers = servers
        self._report = report
        self._now: dict[str, str] = {}

    def hear(self, progress: ServerProgress) -> None:
        """What a server has come to."""
        self._now[str(progress.address)] = self._stage(progress)
        named = [f"{address}: {stage}" for address, stage in self._now.items()]
        # Of one alone it is clear whose it is.
        self._report(" · ".join(named if self._servers > 1 else self._now.values()))

    def _stage(self, progress: ServerProgress) -> str:
        if progress.stage == "waiting":
            asked_again = f"{progress.pause_seconds:g}"
            if progress.busy:
                return text("at another capture, asked again in {seconds} s", seconds=asked_again)
            return text("nothing ran, asked again in {seconds} s", seconds=asked_again)
        if progress.stage == "capturing":
            if progress.silent_seconds >= _LEAST_SILENT_SECONDS:
                return text("no answer for {seconds} s", seconds=f"{progress.silent_seconds:.0f}")
            return text("capturing {seconds} s", seconds=f"{self._seconds:g}")
        return text(_STAGES[progress.stage])
