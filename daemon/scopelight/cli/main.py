"""The command ``scopelight``: a group whose commands are imported when they are asked for."""

import gc
from importlib import import_module

import click

from scopelight import __version__

COMMANDS = {
    "run": ("scopelight.cli.run", "Run a script under capture and print the lines its time went to."),
    "show": ("scopelight.cli.show", "Show what a captured run holds."),
    "export": ("scopelight.cli.export", "Write a run's timeline for other viewers."),
    "runs": ("scopelight.cli.runs", "List the captured runs."),
    "server": ("scopelight.cli.server", "Serve an editor (the language server)."),
    "doctor": ("scopelight.cli.doctor", "Check what capturing needs, and say how to mend it."),
}


class _LazyGroup(click.Group):
    """Knows its commands by name; the module of one is imported only when that one runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click names it)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click names it)
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        # Imports make a hundred thousand objects that stay: to look through them for garbage takes a tenth of a second.
        gc.disable()
        command = getattr(import_module(module), cmd_name)
        gc.freeze()
        gc.enable()
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (click names it)
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="scopelight")
def main() -> None:
    """Put the accelerator's time, waste and memory on the source lines that caused them."""


if __name__ == "__main__":
    main()
