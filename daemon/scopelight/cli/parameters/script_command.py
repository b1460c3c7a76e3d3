"""Commands that start a script: their options come first, and all from its name on belongs to it."""

import os

import click

from scopelight.capture.launching.launch import Script

_COMMAND = "scopelight.command"


class ScriptCommand(click.Command):
    """Everything from the script's name on belongs to the script."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse our options alone."""
        ours, theirs = _split(args, self.params)
        ctx.meta[_COMMAND] = theirs
        super().parse_args(ctx, ours)
        return []


def _split(args: list[str], params: list[click.Parameter]) -> tuple[list[str], list[str]]:
    """Our options, and the rest from the first argument that is none: ``-m MODULE ...`` or ``SCRIPT ...``."""
    takes_value = {name: not (isinstance(each, click.Option) and each.is_flag) for each in params for name in each.opts}
    place = 0
    while place < len(args):
        argument = args[place]
        if argument == "--":
            return args[:place], _as_named(args[place + 1 :])
        if not argument.startswith("-") or argument == "-m" or (argument.startswith("-m") and argument[2:3] != "-"):
            break
        has_value = takes_value.get(argument, False)
        place += 2 if has_value else 1
    return args[:place], args[place:]


def _as_named(command: list[str]) -> list[str]:
    """What stands after ``--`` is no option of ours, nor of Python's: a script may begin with a dash."""
    if command and command[0].startswith("-") and command[0] != "-m":
        return [f"{os.curdir}{os.sep}{command[0]}", *command[1:]]
    return command


def script_of(ctx: click.Context) -> Script:
    """The script that a command was called with. Raises `click.UsageError` where there is none."""
    command: list[str] = ctx.meta[_COMMAND]
    if not command:
        raise click.UsageError("Name the script to run, or a module with -m.")
    if command[0].startswith("-m"):
        name, rest = (command[0][2:], command[1:]) if len(command[0]) > 2 else ("".join(command[1:2]), command[2:])
        if not name:
            raise click.UsageError("Name the module after -m.")
        return Script(name, tuple(rest), is_module=True)
    return Script(command[0], tuple(command[1:]))
