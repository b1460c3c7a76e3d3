"""``scopelight run``: the script as the user would start it, and its hot lines when the window closes."""

import contextlib
import os
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Literal

import click

from scopelight.capture.conditions.asked import contradiction, slow_ratio
from scopelight.capture.failures import EXIT_MEANINGS, CaptureFailure
from scopelight.capture.launching.interpreter import ORDER, choose_interpreter
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.resources.pace import PERIOD_SECONDS
from scopelight.cli.announcing import announce, say
from scopelight.cli.parameters.arguments import PathArgument, given_options
from scopelight.cli.parameters.script_command import ScriptCommand, script_of
from scopelight.cli.parameters.sizes import size_in_bytes
from scopelight.cli.parameters.times import Seconds
from scopelight.cli.printing.output import console
from scopelight.formats.errors import FormatError
from scopelight.model.run.information import WindowOptions

_CODES = "\n".join(f"  {int(code)}  {meaning}" for code, meaning in EXIT_MEANINGS.items())

_MOST_CULPRITS = 5
STEPS_OF_ROUND = 20
"""Of a run that is compared, where nobody says otherwise: on a busy machine five tell too little."""

_HELP = f"""Run SCRIPT (or, with -m, a MODULE) with ARGS under capture, and print the lines its time went to.

The script runs as without Scopelight: its own interpreter, environment, input, output and exit code. What Scopelight
says goes to standard error. By default the window opens when compilation has settled: after --skip steps it captures
--steps of them, or more where they come in bursts; a step is found from the compiled program that repeats. A script
that ends earlier is captured whole.

With --against, the script is captured as it is and as it was in another revision, which is checked out elsewhere
meanwhile: in rounds of both, in an order that is drawn, each until its window closes. What changed is printed at the
end; what the script prints is kept with each run.

The interpreter is the first of: {ORDER}.

\b
Exit codes of Scopelight's own (a script that fails keeps its code; 128 + n where signal n ended it):
{_CODES}
"""


def _explain_out_of_memory(run: RunDirectory) -> None:
    """Say how the script ran out of memory, which lines took it, and what to do."""
    from scopelight.analysis.memory.out_of_memory.exhaustion import out_of_memory  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.report.memory.profile import render_out_of_memory  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    try:
        profile = open_profile(run.path)
        record = out_of_memory(profile, line_options(profile, Path.cwd()))
    except FormatError as error:
        say(str(error))
        return
    if record is not None:
        say(f"what was in memory is kept; {run.path}")
        render_out_of_memory(record, console(stderr=True), base=Path.cwd(), limit=_MOST_CULPRITS)


def _steps_to(from_step: int | None, to_step: int) -> int:
    if from_step is None or to_step < from_step:
        raise click.UsageError("--to-step ends a window that begins with --from-step: give one that is not after it.")
    return to_step - from_step + 1


def _refuse_without_effect(given: Collection[str]) -> None:
    """Refuse options that others leave nothing to say. Raises `click.UsageError`."""
    if "--whole" in given:
        for name in ("--steps", "--skip"):
            if name in given:
                raise click.UsageError(f"--whole and {name} exclude each other: give one of them.")
    if "--against" not in given:
        for name in ("--rounds", "--detect"):
            if name in given:
                raise click.UsageError(f"{name} is about rounds of two revisions: give --against REVISION too.")
    if "--rounds" in given and "--detect" in given:
        raise click.UsageError("--rounds and --detect exclude each other: give one of them.")
    if "--when" not in given:
        for name in ("--slow-by", "--most-cost"):
            if name in given:
                raise click.UsageError(f"{name} is about looking for slow steps: give --when slow too.")


def _slow_ratio(when: str) -> float:
    ratio = slow_ratio(when)
    if ratio is None:
        raise click.UsageError(f"--when {when} is unknown: slow is, or slow:K with a K above 1.")
    return ratio


def _share(_context: click.Context, _parameter: click.Parameter, given: str | None) -> float | None:
    """``1%`` or ``0.01``."""
    if given is None:
        return None
    with contextlib.suppress(ValueError):
        ratio = float(given.removesuffix("%")) / (100 if given.endswith("%") else 1)
        if 0 < ratio <= 1:
            return ratio
    raise click.BadParameter(f"{given} is no share of the time: give one such as 1% or 0.01.")


@click.command(
    cls=ScriptCommand,
    help=_HELP,
    options_metavar="[OPTIONS] SCRIPT|-m MODULE [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help=f"Steps to capture; {STEPS_OF_ROUND} in each round of --against.",
)
@click.option("--skip", type=click.IntRange(min=0), default=2, show_default=True, help="Steps to skip before.")
@click.option("--seconds", type=Seconds(min=0, min_open=True), help="Capture so many seconds instead.")
@click.option("--whole", is_flag=True, help="Capture from the first use of jax to the script's end.")
@click.option(
    "--from-step",
    type=click.IntRange(min=0),
    help="Begin the window with this step. Steps count from 0, as they do in loops of Python; annotated ones by their"
    " step_num. Without annotations they are the calls of the compiled function, so that a call to warm up is step 0.",
)
@click.option("--to-step", type=click.IntRange(min=0), help="End it with this step, instead of after --steps.")
@click.option("--every", type=click.IntRange(min=1), help="Capture a window every so many steps.")
@click.option(
    "--epoch",
    type=click.IntRange(min=0),
    help="Begin the window with this epoch, counted from 0: the loop around that over batches shows them, or"
    " scopelight.epoch().",
)
@click.option(
    "--when",
    metavar="slow[:K]",
    help="Capture steps that take more than K times as long as the median of those before; K is 2 by default.",
)
@click.option(
    "--slow-by",
    type=click.Choice(["timer", "ring"]),
    default="timer",
    show_default=True,
    help="Look for slow steps with a timer alone, and capture the one after the first; or in short traces from the"
    " start, of which those are kept that hold one.",
)
@click.option(
    "--most-cost",
    metavar="SHARE",
    callback=_share,
    default="1%",
    show_default=True,
    help="The share of the script's time that looking for slow steps may cost, beyond a quarter of a second: there are"
    " pauses between its traces.",
)
@click.option(
    "--watch", metavar="FILE.json", help='Capture a window when this file changes: {"steps": 5} or {"seconds": 2}.'
)
@click.option("--most-windows", type=click.IntRange(min=1), default=10, show_default=True, help="Windows at most.")
@click.option(
    "--most-bytes", callback=size_in_bytes, metavar="SIZE", help="End a window where its trace becomes larger."
)
@click.option("--most-seconds", type=Seconds(min=0, min_open=True), help="End a window after so long.")
@click.option("--against", metavar="REVISION", help="Compare with the script of another revision of git.")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="With --against: runs of both sides."
)
@click.option(
    "--detect",
    "detect_ratio",
    metavar="SHARE",
    callback=_share,
    help="Instead of --rounds: as many as it takes, by what the first three differ, to see such a change in the CPU"
    " time of a step or, on an accelerator, in the time of its ops. Other times may hide larger ones.",
)
@click.option("--python", "python", metavar="PATH", help="The interpreter to run the script with.")
@click.option(
    "--out",
    type=PathArgument(),
    metavar="DIR",
    help="The run directory itself; with --against the folder of the rounds.",
)
@click.option(
    "--calibration/--no-calibration",
    "calibrates",
    default=True,
    help="After a script on the CPU, measure what this machine can do at most, once for each version of jax.",
)
@click.option(
    "--memory/--no-memory",
    "watches_memory",
    default=True,
    help="Sample the memory of the script and its devices, and keep snapshots of its live arrays.",
)
@click.option(
    "--host/--no-host",
    "records_host",
    default=True,
    help="Record on which lines of Python the script's threads stand while it is traced.",
)
@click.option(
    "--resources/--no-resources",
    "reads_resources",
    default=True,
    help="Read what the machine, the script's processes and accelerators do, from outside of them.",
)
@click.option(
    "--resources-period",
    "resources_ms",
    metavar="MS",
    type=click.IntRange(min=10, max=60_000),
    default=round(PERIOD_SECONDS * 1000),
    show_default=True,
    help="Milliseconds between two readings while a trace runs; between traces, and in a long run, it is longer.",
)
@click.pass_context
def run(
    ctx: click.Context,
    steps: int,
    skip: int,
    seconds: float | None,
    whole: bool,
    from_step: int | None,
    to_step: int | None,
    every: int | None,
    epoch: int | None,
    when: str | None,
    slow_by: Literal["timer", "ring"],
    most_cost: float,
    watch: str | None,
    most_windows: int,
    most_bytes: int | None,
    most_seconds: float | None,
    against: str | None,
    rounds: int,
    detect_ratio: float | None,
    python: str | None,
    out: Path | None,
    calibrates: bool,
    watches_memory: bool,
    records_host: bool,
    reads_resources: bool,
    resources_ms: int,
) -> None:
    """Run a script under capture; the help text is `_HELP`."""
    if against is not None and "--steps" not in given_options(ctx):
        steps = STEPS_OF_ROUND
    options = WindowOptions(
        steps=steps if to_step is None else _steps_to(from_step, to_step),
        skip=skip,
        seconds=seconds,
        whole=whole,
        from_step=from_step,
        every=every,
        epoch=epoch,
        slow_ratio=None if when is None else _slow_ratio(when),
        slow_by=slow_by,
        most_cost_ratio=most_cost,
        watch=watch,
        most_windows=most_windows,
        most_bytes=most_bytes,
        most_seconds=most_seconds,
    )
    problem = contradiction(options)
    if problem is not None:
        raise click.UsageError(problem)
    _refuse_without_effect(given_options(ctx))
    script = script_of(ctx)
    spec = LaunchSpec(
        window=options,
        out=out,
        calibrates=calibrates,
        watches_memory=watches_memory,
        records_host=records_host,
        resources_seconds=resources_ms / 1000 if reads_resources else None,
    )
    if against is not None:
        from scopelight.cli.against import run_against  # noqa: PLC0415 (most captures are of one run)

        run_against(script, against, spec, python=python, rounds=rounds, detect_ratio=detect_ratio)
    try:
        source = LaunchSource(
            script=script,
            python=choose_interpreter(python, os.environ),
            cwd=Path.cwd(),
            environment=os.environ,
            on_window=announce,
            say=say,
        )
        result = source.capture(spec)
    except CaptureFailure as failure:
        say(failure.sentence)
        sys.exit(failure.exit_code)
    if result.failure is not None:
        say(result.failure)
    if result.run is not None and result.run.information.out_of_memory is not None:
        _explain_out_of_memory(result.run)
    sys.exit(result.exit_code or 0)
