"""Captures of jobs that run, through their profiler servers: several at once are one run."""

import platform
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

import attrs

from scopelight import __version__
from scopelight.capture.failures import Exit
from scopelight.capture.publishing.publish import publish
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources, named_files
from scopelight.capture.servers.address import Address
from scopelight.capture.servers.local_process import LocalProcess
from scopelight.capture.servers.monitoring import MonitorSample, MonitorSpec, ServerWatch
from scopelight.capture.servers.one_server import OneServer, Taken
from scopelight.capture.servers.probe import Capabilities
from scopelight.capture.servers.reasons import NotCaptured
from scopelight.capture.servers.spec import ServerCaptureSpec, ServerProgress
from scopelight.capture.source import Captured
from scopelight.findings import Finding, warning
from scopelight.model.run.earlier import earlier_run
from scopelight.model.run.information import (
    CaptureWindow,
    RecordedServer,
    RecordedSource,
    RunInformation,
    WindowOptions,
)
from scopelight.model.run.names import RUNS_FOLDER

Result = TypeVar("Result")

_AHEAD_SECONDS: Final = 0.5
"""By then all of several servers have been asked, so that they begin together."""
_APART_NS: Final = 100_000_000


class ServerSource:
    """The servers at ``addresses``. ``tell`` hears, from several threads, how far it is with each."""

    def __init__(self, addresses: Sequence[Address], tell: Callable[[ServerProgress], None] = lambda _: None) -> None:
        self._tell = tell
        self._servers = [OneServer(each, tell) for each in addresses]
        self.was_cancelled = False
        self._watch: ServerWatch | None = None

    def probe(self) -> tuple[Capabilities | Finding, ...]:
        """What each of them can do; the reason where that cannot be told."""
        found = self._of_each(lambda server: server.connect(trusts=True), self._servers)
        for each in self._servers:
            each.close()
        return tuple(found[each] for each in self._servers)

    def capture(self, spec: ServerCaptureSpec) -> Captured:
        """Capture all at once. Raises `CaptureFailure` where the run cannot be written; nobody was asked then."""
        try:
            met = self._of_each(lambda server: server.connect(trusts=spec.trusts, pid=spec.pid), self._servers)
            ready = [each for each in self._servers if not isinstance(met[each], Finding)]
            if not ready:
                problems = tuple(each for each in met.values() if isinstance(each, Finding))
                return Captured(None, problems, _exit_of_none(problems), self.was_cancelled)
            run = RunDirectory.create(spec.out, spec.cwd, self._stem(), self._description(spec))
            return self._into(run, spec, ready, met)
        finally:
            for each in self._servers:
                each.close()

    def monitor(self, spec: MonitorSpec) -> Generator[MonitorSample]:
        """Readings of the first server, one after the other."""
        self._watch = ServerWatch(self._servers[0].address)
        yield from self._watch.samples(spec)

    def cancel(self) -> None:
        """End the capture: traces that have come are kept, and the servers take the next capture."""
        self.was_cancelled = True
        if self._watch is not None:
            self._watch.cancel()
        for each in self._servers:
            each.cancel()

    def _into(
        self,
        run: RunDirectory,
        spec: ServerCaptureSpec,
        ready: Sequence[OneServer],
        met: Mapping[OneServer, Capabilities | Finding],
    ) -> Captured:
        ahead_seconds = spec.delay_seconds + (_AHEAD_SECONDS if len(ready) > 1 else 0)
        start_ns = time.time_ns() + round(ahead_seconds * 1e9)
        taken = self._of_each(lambda server: server.take(spec, start_ns, run.probes), ready)
        outcomes: dict[OneServer, Taken | Finding] = {}
        for server in self._servers:
            refused = met[server]
            outcomes[server] = refused if isinstance(refused, Finding) else taken[server]
        problems = tuple(each for each in outcomes.values() if isinstance(each, Finding))
        traces = {server: each for server, each in outcomes.items() if isinstance(each, Taken)}
        source = RecordedSource("server", tuple(_recorded(server, outcomes[server]) for server in self._servers))
        run.update(source=source)
        if not traces:
            run.discard_probes()
            run.update(state="failed", findings=problems)
            return Captured(run, problems, Exit.NOT_CAPTURED, self.was_cancelled)
        apart = _apart(traces.values())
        publish(
            run,
            {server.address.name: [each.file] for server, each in traces.items()},
            _SourcesOfLocalJobs(traces, spec.cwd),
            _window(spec, traces.values()),
            warnings=(*problems, *apart),
        )
        run.discard_probes()
        return Captured(run, (*problems, *apart), Exit.PARTIAL if problems else None, self.was_cancelled)

    def _of_each(
        self, ask: Callable[[OneServer], Result], servers: Sequence[OneServer]
    ) -> dict[OneServer, Result | Finding]:
        """What each answers; the reason of those that do not."""

        def answer(server: OneServer) -> Result | Finding:
            try:
                return ask(server)
            except NotCaptured as failed:
                self._tell(ServerProgress(server.address, "failed"))
                return failed.finding

        with ThreadPoolExecutor(len(servers), thread_name_prefix="server") as pool:
            return dict(zip(servers, pool.map(answer, servers), strict=True))

    def _local(self) -> LocalProcess | None:
        """The first of the jobs that is of this machine; what forwards a port is none."""
        known = (each.capabilities.process for each in self._servers if each.capabilities is not None)
        return next((each for each in known if each is not None and (each.has_jaxlib or each.has_tensorflow)), None)

    def _stem(self) -> str:
        process = self._local()
        if process is not None:
            return Path(process.name).stem
        first = self._servers[0].address.name
        return first if len(self._servers) == 1 else f"{first}_and_{len(self._servers) - 1}_more"

    def _description(self, spec: ServerCaptureSpec) -> RunInformation:
        process = self._local()
        plain = RunInformation(
            state="running",
            created=datetime.now().astimezone().isoformat(timespec="seconds"),
            versions={"scopelight": __version__},
            options=WindowOptions(seconds=spec.seconds),
            watches_memory=False,
            reads_resources=False,
            calibrates=False,
        )
        if process is None:
            return plain
        of_job = attrs.evolve(
            plain,
            command=process.command,
            script=process.script,
            is_module=process.is_module,
            args=process.arguments,
            cwd=str(process.cwd) if process.cwd is not None else None,
            python=process.python,
            platform=platform.platform(),
            versions={**plain.versions, **({"jaxlib": process.jaxlib} if process.jaxlib is not None else {})},
        )
        folder = spec.cwd / RUNS_FOLDER if spec.out is None else spec.out.parent
        return attrs.evolve(of_job, follows=earlier_run(folder, of_job))


class _SourcesOfLocalJobs(Sources):
    """The files that traces of this machine's jobs name: what comes from another machine names none of ours."""

    def __init__(self, traces: Mapping[OneServer, Taken], cwd: Path) -> None:
        processes = {each: each.capabilities.process for each in traces if each.capabilities is not None}
        self._local = [traces[each].file for each, process in processes.items() if process is not None]
        self._are_all = len(self._local) == len(traces)
        first = next((each for each in processes.values() if each is not None), None)
        super().__init__(
            (first.cwd if first is not None else None) or cwd, first.started if first is not None else time.time()
        )

    def save(self, run: RunDirectory, recorded: Iterable[str]) -> list[Finding]:
        """Store what is told by the local traces among ``recorded``."""
        of_local = set(recorded) if self._are_all else set().union(*(named_files(each) for each in self._local))
        return super().save(run, of_local)


def _recorded(server: OneServer, outcome: Taken | Finding) -> RecordedServer:
    process = server.capabilities.process if server.capabilities is not None else None
    plain = RecordedServer(
        address=str(server.address),
        host=server.address.host,
        pid=process.pid if process is not None else None,
        script=process.script if process is not None else None,
        jaxlib=process.jaxlib if process is not None else None,
    )
    if isinstance(outcome, Finding):
        return attrs.evolve(plain, problem=outcome.code)
    return attrs.evolve(
        plain,
        file=outcome.file.name,
        requested_ns=outcome.requested_ns,
        started_ns=outcome.started_ns,
        stopped_ns=outcome.stopped_ns,
    )


def _window(spec: ServerCaptureSpec, traces: Iterable[Taken]) -> CaptureWindow:
    started = [each.started_ns for each in traces if each.started_ns is not None]
    stopped = [each.stopped_ns for each in traces if each.stopped_ns is not None]
    return CaptureWindow(
        kind="seconds",
        seconds=spec.seconds,
        started_ns=min(started, default=None),
        closed_ns=max(stopped, default=None),
    )


def _apart(traces: Iterable[Taken]) -> Sequence[Finding]:
    started = [each.started_ns for each in traces if each.started_ns is not None]
    apart_ns = max(started, default=0) - min(started, default=0)
    return [warning("servers-began-apart", apart_ps=apart_ns * 1000)] if apart_ns > _APART_NS else []


def _exit_of_none(problems: Sequence[Finding]) -> Exit:
    refused = ("server-too-old", "server-of-tensorflow", "server-port-shared")
    return Exit.REFUSED if all(each.code in refused for each in problems) else Exit.NOT_CAPTURED
