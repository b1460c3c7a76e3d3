"""``scopelight monitor``: how a job that runs does, a line for each reading."""

import sys
from contextlib import closing
from pathlib import Path
from typing import Literal

import click

from scopelight.analysis.monitoring.records import JobReading
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.servers.address import parse_addresses
from scopelight.capture.servers.monitoring import TRACED_SECONDS, MonitorSample, MonitorSpec
from scopelight.capture.servers.server_source import ServerSource
from scopelight.cli.announcing import say
from scopelight.cli.groups import importing
from scopelight.cli.interrupts import INTERRUPTED, cancelled_by_interrupt
from scopelight.cli.jobs.readings import Readings
from scopelight.cli.parameters.times import Seconds
from scopelight.formats.errors import FormatError

Level = Literal[1, 2]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("target", metavar="[HOST:PORT|RUN]", required=False)
@click.option("--pid", type=click.IntRange(min=1), help="Put the agent into this process, and watch it.")
@click.option("--level", type=click.IntRange(1, 2), default=1, show_default=True, help="2: idle time and steps too.")
@click.option(
    "--seconds",
    type=Seconds(min=0.5, max=86_400),
    default=5.0,
    show_default=True,
    help="From one reading to the next.",
)
@click.option("--count", type=click.IntRange(min=1), help="How many readings; without it until Ctrl-C.")
@click.option("--trust-server", "trusts", is_flag=True, help="Also where a trace can freeze or end the job.")
@click.option("--json", "as_json", is_flag=True, help="Print a reading a line as JSON.")
def monitor(
    target: str | None,
    pid: int | None,
    level: Level,
    seconds: float,
    count: int | None,
    trusts: bool,
    as_json: bool,
) -> None:
    """Watch a job: through its profiler server, or by Scopelight's agent in it.

    The agent is in jobs that are being captured: name their run directory. With --pid it is put into a process that
    runs on Python 3.14 or later.

    Level 1: the type of its devices and how far they are used. Level 2: also the share of time they are idle, how many
    there are, the time of steps and the share of steps that they wait for their input.
    """
    if (target is None) == (pid is None):
        raise click.UsageError("Name the job to watch: HOST:PORT, a run directory, or a process with --pid.")
    printed = Readings(level, as_json=as_json)
    job = pid if target is None else Path(target) if _is_run(target) else None
    if target is None or job is not None:
        from scopelight.cli.jobs.watched_jobs import watch_by_agent  # noqa: PLC0415 (servers do not need it)

        assert job is not None
        watch_by_agent(job, seconds, count, printed)
    try:
        source = ServerSource(parse_addresses(target)[:1])
    except CaptureFailure as failure:
        say(failure.sentence)
        sys.exit(failure.exit_code)
    readings = 0
    with (
        cancelled_by_interrupt(source.cancel),
        closing(source.monitor(MonitorSpec(level, seconds, count, trusts))) as samples,
    ):
        for sample in samples:
            if not readings and sample.result is None and sample.problem is None:
                _say_cost(seconds)
            readings += _print(sample, level, printed)
    if source.was_cancelled:
        sys.exit(INTERRUPTED)
    sys.exit(0 if readings else Exit.NOT_CAPTURED)


def _say_cost(seconds: float) -> None:
    say(
        f"each reading traces the job for {TRACED_SECONDS * 1000:.0f} ms, {100 * TRACED_SECONDS / seconds:.3g} % of the"
        " time: steps take a few percent longer meanwhile."
    )


def _is_run(target: str) -> bool:
    """Whether it is a path: no address has a folder's separator, and few are called as a folder that is there."""
    return "/" in target or Path(target).is_dir()


def _print(sample: MonitorSample, level: Level, printed: Readings) -> bool:
    """Print a sample, and what there is to say of it; whether there is anything."""
    with importing():
        from scopelight.report.findings.worded import in_terminal  # noqa: PLC0415 (it loads while it is traced)

    if sample.problem is not None:
        say(in_terminal(sample.problem))
        return False
    try:
        printed.print(_reading(sample, level))
    except FormatError as error:
        say(str(error))
        return False
    return True


def _reading(sample: MonitorSample, level: Level) -> JobReading:
    with importing():
        from scopelight.analysis.monitoring.answered import answered_reading  # noqa: PLC0415
        from scopelight.analysis.monitoring.reading import read_job  # noqa: PLC0415
        from scopelight.model.opening.profile import open_profile  # noqa: PLC0415

    address = str(sample.address)
    if sample.result is not None:
        said = {field.name: value for field, value in sample.result.ListFields()}
        return answered_reading(said, address, sample.time_ns, level)
    assert sample.file is not None
    return read_job(open_profile(sample.file), address, sample.time_ns, level)
