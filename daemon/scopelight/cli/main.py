"""The command ``scopelight``: a group whose commands are imported when they are asked for."""

from importlib import import_module
from typing import Any

import click

from scopelight import __version__
from scopelight.cli.groups import ListedGroup, importing
from scopelight.cli.output import written_whole

COMMANDS = {
    "run": "Run a script under capture and print the lines its time went to.",
    "show": "Show what a captured run holds.",
    "export": "Write a run's timeline, or its flame graph, for other viewers.",
    "runs": "List the captured runs.",
    "server": "Serve an editor (the language server).",
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


@click.group(cls=_Whole, sentences=COMMANDS, make=_command, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="scopelight")
def main() -> None:
    """Put the accelerator's time, waste and memory on the source lines that caused them."""


if __name__ == "__main__":
    main()
