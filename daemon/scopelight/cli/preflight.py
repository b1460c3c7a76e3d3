"""``scopelight preflight``: what a TPU would do with a script, on a machine without one."""

import os
import sys
import threading
from pathlib import Path

import click

from scopelight.capture.failures import PREFLIGHT_EXIT_MEANINGS, CaptureFailure, Exit
from scopelight.capture.launching.interpreter import ORDER, choose_interpreter
from scopelight.capture.preflight.preflight_source import MOST_CALLS, MOST_PROGRAMS
from scopelight.capture.preflight.variants import Preflights, variants
from scopelight.capture.tpu_compiler.environment import DISK_BYTES, DOWNLOAD_BYTES, CompilerEnvironment, why_impossible
from scopelight.capture.tpu_compiler.flags import VARIABLE, flags_for_jax
from scopelight.capture.tpu_compiler.installing import InstallError
from scopelight.capture.tpu_compiler.topologies import Topology, TopologyError, topology_named
from scopelight.cli.announcing import say
from scopelight.cli.interrupts import cancelled_by_signal
from scopelight.cli.parameters.arguments import PathArgument
from scopelight.cli.parameters.script_command import ScriptCommand, script_of
from scopelight.cli.parameters.sizes import size_in_bytes
from scopelight.cli.printing.status_line import StatusLine
from scopelight.cli.targets import print_prediction, print_targets

_CODES = "\n".join(f"  {int(code)}  {meaning}" for code, meaning in PREFLIGHT_EXIT_MEANINGS.items())

_HELP = f"""Compile what SCRIPT (or, with -m, a MODULE) would run on a TPU, and print what its compiler expects.

The script runs to its end on zeros: only counters and sizes are computed, and arrays take no memory. Its programs are
lowered for the TPU and compiled by the TPU's own compiler, in a process of its own. The lines say what they would
take of a step, and the memory viewer what would be in memory: expected by the compiler, not measured. What the script
prints goes to standard error.

--tpu is a name such as v5e-8, v6e-256, v5p-8 or v4-8, 2xv5e-16 for two slices, or a grid of chips such as v5e:2x4;
several, with commas between them, are compared. Flags of libtpu in LIBTPU_INIT_ARGS count as on a TPU.

The interpreter is the first of: {ORDER}.

That a program does not fit, or is refused, is an answer: the exit code is 0. In --json each of "runs" has "fits" (null
where that is not known), and a "step_ps" that is null where something that was called does not fit, was refused or was
not compiled: a job that is to fail then pipes it into

\b
  jq -e 'all(.runs[]; .fits and .step_ps != null)'

\b
Exit codes of Scopelight's own (a script that fails keeps its code; 128 + n where signal n ended it):
{_CODES}
"""


def _topologies(_context: click.Context, _parameter: click.Parameter, given: str | None) -> tuple[Topology, ...]:
    try:
        return tuple(topology_named(each) for each in (given or "").split(",") if each.strip())
    except TopologyError as error:
        raise click.BadParameter(str(error)) from error


def _values(_context: click.Context, _parameter: click.Parameter, given: str | None) -> tuple[str, ...]:
    return tuple(each.strip() for each in (given or "").split(",") if each.strip())


def _remove(ctx: click.Context, _parameter: click.Parameter, given: bool) -> None:
    if given and not ctx.resilient_parsing:
        environment = CompilerEnvironment.of_user()
        taken = environment.remove()
        where = environment.folder.parent
        if taken:
            say(f"removed the compiler for TPUs and what it compiled: {taken / 1e9:.2f} GB in {where}.")
        else:
            say(f"there is no compiler for TPUs in {where}: nothing was removed.")
        ctx.exit()


@click.command(
    cls=ScriptCommand,
    help=_HELP,
    options_metavar="[OPTIONS] SCRIPT|-m MODULE [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--tpu", "topologies", metavar="NAME[,NAME...]", callback=_topologies, help="The TPU, or several.")
@click.option("--observe", is_flag=True, help="Let the script compute, on its own backend, instead of on zeros.")
@click.option("--batch", "values", metavar="V[,V...]", callback=_values, help="Values of --arg, compared.")
@click.option("--arg", "argument", metavar="NAME", help="The script's argument that takes them, such as --batch-size.")
@click.option("--json", "as_json", is_flag=True, help="Print what is predicted as JSON.")
@click.option("--yes", "agrees", is_flag=True, help="Download the compiler without asking, where it is not there.")
@click.option(
    "--most-calls",
    type=click.IntRange(min=1),
    default=MOST_CALLS,
    show_default=True,
    help="End a script that calls programs more often: on zeros, what it waits for may never come.",
)
@click.option(
    "--most-programs",
    type=click.IntRange(min=1),
    default=MOST_PROGRAMS,
    show_default=True,
    help="End a script that has more programs.",
)
@click.option(
    "--judge-all",
    is_flag=True,
    help="Compile every op alone as well, and not only those of programs that do not compile: what is said of each is"
    " proven twice, which takes a second for two or three ops.",
)
@click.option(
    "--most-memory",
    "most_bytes",
    callback=size_in_bytes,
    metavar="SIZE",
    help="End the compiler where it takes more; without it, where it takes most of what the machine has.",
)
@click.option("--python", "python", metavar="PATH", help="The interpreter to run the script with.")
@click.option("--out", type=PathArgument(), metavar="DIR", help="The run directory; of several runs the one around.")
@click.option(
    "--remove-compiler",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_remove,
    help="Remove the compiler that was downloaded, and what it compiled.",
)
@click.pass_context
def preflight(
    ctx: click.Context,
    topologies: tuple[Topology, ...],
    observe: bool,
    values: tuple[str, ...],
    argument: str | None,
    as_json: bool,
    agrees: bool,
    most_calls: int,
    most_programs: int,
    judge_all: bool,
    most_bytes: int | None,
    python: str | None,
    out: Path | None,
) -> None:
    """Say what a TPU would do; the help text is `_HELP`."""
    if not topologies:
        raise click.UsageError("Name the TPU with --tpu, such as v5e-8.")
    if bool(values) != (argument is not None):
        raise click.UsageError("--batch gives the values and --arg names the script's argument: give both.")
    script, status = script_of(ctx), StatusLine()
    preflights: Preflights | None = None
    try:
        preflights = Preflights(
            variants=variants(script, topologies, argument, values),
            compiler=_compiler(agrees=agrees),
            python=choose_interpreter(python, os.environ),
            cwd=Path.cwd(),
            environment=os.environ,
            out=out,
            mode="observe" if observe else "dry",
            most_calls=most_calls,
            most_programs=most_programs,
            judges="all" if judge_all else "failed",
            most_bytes=most_bytes,
            on_wait=status.say,
        )
        misplaced = flags_for_jax(os.environ)
        if misplaced:
            say(f"jax ends at flags of libtpu in XLA_FLAGS ({misplaced[0]}), also on a TPU: put them into {VARIABLE}.")
        if not observe:
            say("the script runs on zeros: what it prints and writes of them says nothing.")
        with cancelled_by_signal(preflights.cancel):
            captured = preflights.capture()
    except CaptureFailure as failure:
        status.clear()
        if preflights is not None and preflights.cancelled_by is not None:
            # What was under way failed for that.
            sys.exit(128 + preflights.cancelled_by)
        say(failure.sentence)
        sys.exit(failure.exit_code)
    status.clear()
    for _, each in captured:
        if each.failure is not None:
            say(each.failure)
    kept = [(name, each.run.path) for name, each in captured if each.run is not None and each.failure is None]
    if as_json or len(kept) > 1:
        print_targets(kept, as_json=as_json)
    for _, run in kept:
        if not as_json and len(kept) == 1:
            print_prediction(run)
        say(f"the prediction is kept: {run}")
    if preflights.cancelled_by is not None:
        sys.exit(128 + preflights.cancelled_by)
    sys.exit(next((each.exit_code for _, each in captured if each.exit_code), 0))


def _compiler(*, agrees: bool) -> CompilerEnvironment:
    """The compiler's environment, made where it is not there and the user agrees. Raises `CaptureFailure`."""
    problem = why_impossible()
    if problem is not None:
        raise CaptureFailure(problem, Exit.NO_COMPILER)
    environment = CompilerEnvironment.of_user()
    if environment.is_there:
        return environment
    cost = (
        f"The compiler for TPUs is not here yet: {DOWNLOAD_BYTES / 1e6:.0f} MB are downloaded from where pip is"
        f" configured to (PyPI), and it takes {DISK_BYTES / 1e9:.2f} GB in {environment.folder.parent}, until"
        " `scopelight preflight --remove-compiler`."
    )
    if not agrees:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise CaptureFailure(f"{cost} Run this with --yes to download it.", Exit.NO_COMPILER)
        say(cost)
        if not click.confirm("Download it?", default=True, err=True):
            raise CaptureFailure("Without the compiler nothing can be said of a TPU.", Exit.NO_COMPILER)
    status, is_cancelled = StatusLine(), threading.Event()
    try:
        with cancelled_by_signal(lambda _: is_cancelled.set()):
            environment.make(status.say, is_cancelled.is_set)
    except InstallError as error:
        status.clear()
        raise CaptureFailure(error.sentence, Exit.NO_COMPILER) from error
    status.clear()
    return environment
