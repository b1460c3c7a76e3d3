"""``scopelight capture``: jobs that run already, through their profiler servers or by our agent."""

import sys
import threading
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from scopelight.capture.failures import SERVER_EXIT_MEANINGS, CaptureFailure, Exit
from scopelight.capture.servers.address import Address, parse_addresses
from scopelight.capture.servers.job import LocalJob
from scopelight.capture.servers.local_jobs import find_local_jobs
from scopelight.capture.servers.server_source import ServerSource
from scopelight.capture.servers.spec import CPU_BYTES_PER_SECOND, ServerCaptureSpec, ServerProgress
from scopelight.capture.source import Captured
from scopelight.cli.announcing import announce, say
from scopelight.cli.interrupts import INTERRUPTED, cancelled_by_interrupt, ended_by_interrupt
from scopelight.cli.jobs.server_jobs import print_jobs
from scopelight.cli.parameters.arguments import PathArgument, given_options
from scopelight.cli.parameters.times import Seconds
from scopelight.model.run.names import RUN_FILE

_CODES = "\n".join(f"  {int(code)}  {meaning}" for code, meaning in SERVER_EXIT_MEANINGS.items())
_LEAST_SILENT_SECONDS = 3.0
_OF_SERVERS = (
    "--seconds",
    "--delay",
    "--attempts",
    "--host-level",
    "--python-level",
    "--device-level",
    "--dataset-ops",
    "--trust-server",
)
"""Options that say how a server is asked."""

_HELP = f"""Capture jobs that run already, and print the lines their time goes to.

ADDRESSES are HOST:PORT, several with commas between them: their traces begin together and make one run. A job listens
after jax.profiler.start_server(PORT). Without an address the jobs of this machine that listen are listed, and the only
one is captured. A job that does not listen is captured with --pid, where it runs on Python 3.14 or later, and one that
is being captured already with --run.

\b
Exit codes:
{_CODES}
"""


class _Told:
    """Says what is worth saying of how far it is, each thing once."""

    def __init__(self, spec: ServerCaptureSpec, addresses: Sequence[Address]) -> None:
        self._spec = spec
        self._addresses = addresses
        self._lock = threading.Lock()
        self._silent: set[Address] = set()
        self._loading = threading.Thread(target=_load, daemon=True)

    def hear(self, progress: ServerProgress) -> None:
        """Called from the threads of servers."""
        with self._lock:
            if progress.stage == "waiting":
                why = "is at another capture" if progress.busy else "did nothing meanwhile"
                say(f"{progress.address} {why}: asking again in {progress.pause_seconds:g} s.")
            elif progress.stage == "capturing":
                if self._loading.ident is None:
                    _say_before(self._spec, self._addresses)
                    # Not before: the servers would be asked later.
                    self._loading.start()
                self._hear_beat(progress)

    def _hear_beat(self, progress: ServerProgress) -> None:
        if progress.silent_seconds >= _LEAST_SILENT_SECONDS and progress.address not in self._silent:
            self._silent.add(progress.address)
            say(f"{progress.address} does not answer any more; waiting until the deadline.")
        elif progress.silent_seconds == 0 and progress.address in self._silent:
            self._silent.discard(progress.address)
            say(f"{progress.address} answers again.")


@click.command(help=_HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("addresses", required=False, metavar="[HOST:PORT[,HOST:PORT...]]")
@click.option("--list", "lists", is_flag=True, help="List the jobs of this machine that listen.")
@click.option(
    "--seconds",
    type=Seconds(min=0.001, max=86_400),
    default=2.0,
    show_default=True,
    help="How long to trace. Memory that a trace takes is kept by the job.",
)
@click.option("--delay", type=Seconds(min=0, max=86_400), default=0.0, help="Seconds to wait before.")
@click.option(
    "--attempts",
    type=click.IntRange(min=1, max=100),
    default=5,
    show_default=True,
    help="How often a server is asked at most that is at another capture, or whose job did nothing.",
)
@click.option("--host-level", type=click.IntRange(0, 3), default=2, show_default=True, help="Detail of the host.")
@click.option("--python-level", type=click.IntRange(0, 1), default=0, show_default=True, help="1: calls of Python too.")
@click.option("--device-level", type=click.IntRange(0, 9), default=1, show_default=True, help="Detail of devices.")
@click.option("--dataset-ops", is_flag=True, help="Trace the operations of tf.data too.")
@click.option(
    "--trust-server",
    "trusts",
    is_flag=True,
    help="Ask servers too whose jobs can freeze or end of it: jaxlib older than 0.9, TensorFlow.",
)
@click.option(
    "--pid",
    type=click.IntRange(min=1),
    help="Put the agent into this process; with an address: the one that is meant, where several share the port.",
)
@click.option(
    "--run",
    "run_path",
    type=PathArgument(),
    metavar="RUN",
    help="Take another window of the job that this run was captured from, as long as it runs.",
)
@click.option(
    "--file",
    "file",
    type=PathArgument(),
    metavar="PATH",
    help="Take a trace, or the newest session of a log directory, that others have made into a run.",
)
@click.option("--out", type=PathArgument(), metavar="DIR", help="The run directory itself.")
@click.option("--json", "as_json", is_flag=True, help="Print what was captured, or the list, as JSON.")
@click.pass_context
@ended_by_interrupt()
def capture(
    ctx: click.Context,
    addresses: str | None,
    lists: bool,
    seconds: float,
    delay: float,
    attempts: int,
    host_level: int,
    python_level: int,
    device_level: int,
    dataset_ops: bool,
    trusts: bool,
    pid: int | None,
    run_path: Path | None,
    file: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Capture jobs that run; the help text is `_HELP`."""
    if lists:
        print_jobs(find_local_jobs(), as_json=as_json)
        return
    if sum(each is not None for each in (addresses if pid is None else None, pid, run_path, file)) > 1:
        raise click.UsageError("An address, --pid, --run and --file are different captures: give one of them.")
    if run_path is not None and out is not None:
        raise click.UsageError("--run takes another window into the same run, so --out says nothing.")
    given = given_options(ctx)
    if run_path is not None:
        _refuse_of_servers(given, "with --run the window is that of the run's own options")
    elif file is not None:
        _refuse_of_servers(given, "with --file nothing is traced")
    elif pid is not None and addresses is None:
        _refuse_of_servers(given - {"--seconds"}, "with --pid alone the window is one of --seconds")
    if file is not None:
        sys.exit(_told(_taken(file, out), as_json=as_json))
    if addresses is None and (run_path is not None or pid is not None):
        from scopelight.cli.jobs.agent_captures import attach, further_window  # noqa: PLC0415 (servers do not need it)

        captured = further_window(run_path) if run_path is not None else attach(pid or 0, seconds, out)
        sys.exit(_told(captured, as_json=as_json))
    try:
        wanted = parse_addresses(addresses) if addresses is not None else _only_one(as_json=as_json)
        spec = ServerCaptureSpec(
            seconds=seconds,
            delay_seconds=delay,
            attempts=attempts,
            host_level=host_level,
            python_level=python_level,
            device_level=device_level,
            dataset_ops=dataset_ops,
            trusts=trusts,
            pid=pid,
            out=out,
        )
        source = ServerSource(wanted, _Told(spec, wanted).hear)
        with cancelled_by_interrupt(source.cancel):
            captured = source.capture(spec)
    except CaptureFailure as failure:
        say(failure.sentence)
        sys.exit(failure.exit_code)
    sys.exit(_told(captured, as_json=as_json))


def _refuse_of_servers(given: Collection[str], why: str) -> None:
    for name in _OF_SERVERS:
        if name in given:
            whose = "profiler servers and --pid" if name == "--seconds" else "profiler servers"
            raise click.UsageError(f"{name} is for {whose}: {why}.")


def _taken(file: Path, out: Path | None) -> Captured:
    from scopelight.capture.files.file_source import FileSource, FileSpec  # noqa: PLC0415 (servers do not need it)

    try:
        return FileSource(file).capture(FileSpec(Path.cwd(), out))
    except CaptureFailure as failure:
        say(failure.sentence)
        sys.exit(failure.exit_code)


def _only_one(*, as_json: bool) -> Sequence[Address]:
    jobs = find_local_jobs()
    if len(jobs) == 1:
        say(f"{_called(jobs[0])} listens at {jobs[0].address}.")
        return parse_addresses(jobs[0].address)
    if not jobs:
        raise CaptureFailure(
            "No job of this machine listens: call jax.profiler.start_server(9999) in it, or name HOST:PORT of another"
            " machine.",
            Exit.NO_ADDRESS,
        )
    print_jobs(jobs, as_json=as_json)
    raise CaptureFailure("Several jobs listen: name the address of those to capture.", Exit.NO_ADDRESS)


def _called(job: LocalJob) -> str:
    return f"{Path(job.script).name} (process {job.pid})"


def _say_before(spec: ServerCaptureSpec, addresses: Sequence[Address]) -> None:
    first = addresses[0]
    say(
        f"tracing for {spec.seconds:g} s: on a CPU it costs the job up to"
        f" {spec.seconds * CPU_BYTES_PER_SECOND / 1e6:.0f} MB of memory, which it keeps."
    )
    host = "HOST" if first.host in ("localhost", "127.0.0.1", "::1") else first.host
    say(
        "warning: a profiler server answers anyone, on all interfaces of its machine and without a password. Keep its"
        f" port closed to others, and reach it with `ssh -L {first.port}:localhost:{first.port} {host}` as"
        f" localhost:{first.port}."
    )


def _load() -> None:
    """Load what shows the lines while the jobs are traced."""
    from scopelight.analysis.overview import view as _overview  # noqa: F401, PLC0415
    from scopelight.cli.printing.answer import print_answer as _print  # noqa: F401, PLC0415
    from scopelight.report.overview import overview as _words  # noqa: F401, PLC0415
    from scopelight.views.opening import open_subject as _open  # noqa: F401, PLC0415
    from scopelight.views.table import VIEWS, function_of  # noqa: PLC0415

    function_of(VIEWS["lines"].answer)
    function_of(VIEWS["lines"].render)


def _told(captured: Captured, *, as_json: bool) -> int:
    """Say what came of it; the exit code."""
    from scopelight.report.findings.worded import in_terminal  # noqa: PLC0415 (it loads while the jobs are traced)

    run = captured.run
    for each in captured.problems:
        say(in_terminal(each))
    if run is not None and run.information.state == "failed":
        run.update(failure=" ".join(map(in_terminal, captured.problems)))
    elif run is not None and not as_json:
        announce(run)
    if as_json and run is not None:
        sys.stdout.write((run.path / RUN_FILE).read_text(encoding="utf-8"))
    if captured.was_cancelled:
        return INTERRUPTED
    return captured.exit_code or 0
