"""The command ``scopelight``: a group whose commands are imported when they are asked for."""

import os
from importlib import import_module
from typing import Any, NoReturn

import click

from scopelight import __version__
from scopelight.cli.groups import ListedGroup, importing
from scopelight.cli.interrupts import ended_by_interrupt
from scopelight.cli.printing.output import written_whole
from scopelight.formats.heap import keep_freed_memory

COMMANDS = {
    "run": "Run a script under capture and print the lines its time went to.",
    "preflight": "Say what a TPU would do with a script, without one.",
    "capture": "Capture a job that runs already, through its profiler server.",
    "monitor": "Watch how a job that runs does, through its profiler server.",
    "show": "Show what a captured run holds.",
    "check": "Hold a run against its project's budgets.",
    "compare": "Say what changed between two runs, line by line.",
    "sql": "Ask runs in SQL: steps, lines, ops, executions, memory, what the host did.",
    "export": "Write a run's timeline, or its flame graph, for other viewers.",
    "report": "Write a run as one file to send to somebody.",
    "runs": "List the captured runs.",
    "server": "Serve an editor (the language server).",
    "mcp": "Serve agents (the Model Context Protocol).",
    "doctor": "Check what capturing needs, and say how to mend it.",
}
"""Each is the function of its name in the module of its name."""


def _command(name: str) -> click.Command:
    with importing():
        command = getattr(import_module(f"scopelight.cli.{name}"), name)
    assert isinstance(command, click.Command)
    return command


class _Whole(ListedGroup):
    """The group whose commands' output is written whole, or said not to be."""

    def main(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 (click's)
        """Run the command of the arguments."""
        with written_whole():
            return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 (click's)
        """Run the command that the arguments name; click would have an interrupt of it end with exit code 1."""
        with ended_by_interrupt():
            return super().invoke(ctx)


@click.group(cls=_Whole, sentences=COMMANDS, make=_command, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="scopelight")
def main() -> None:
    """Put the accelerator's time, waste and memory on the source lines that caused them."""


def command() -> NoReturn:
    """Run the command that this process was started for, and end it.

    All output is written by then. To take apart what was read, as the interpreter's own end does, takes a twentieth of
    a short command.
    """
    keep_freed_memory()
    code = 0
    try:
        main()
    except SystemExit as ended:
        if isinstance(ended.code, str):
            raise
        code = ended.code or 0
    os._exit(code)


if __name__ == "__main__":
    command()
