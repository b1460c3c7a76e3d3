"""Commands for editors that speak the Language Server Protocol alone (``workspace/executeCommand``).

Their names start with ``scopelight.server``, so that they never clash with those of the VS Code extension.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from scopelight.protocol import Nothing
from scopelight.protocol.lines import CopyLine
from scopelight.protocol.runs import OpenRun
from scopelight.report.language import template, text
from scopelight.server.lines.markdown import copy_as_markdown
from scopelight.server.runs.runs import list_runs
from scopelight.server.runs.shown_run import close_run, open_path
from scopelight.server.session import Session
from scopelight.server.wire.conversion import unstructured
from scopelight.server.wire.faults import guarded

Command = Callable[[Session, types.ExecuteCommandParams], Awaitable[object]]


async def _open_run(session: Session, params: types.ExecuteCommandParams) -> object:
    """Show the run at a path, which may be relative to the first workspace folder; without one, the newest run."""
    arguments = params.arguments or []
    if not arguments:
        runs = (await list_runs(session, Nothing())).runs
        if not runs:
            raise JsonRpcInvalidParams(
                text("No run was captured in the workspace: capture one with `scopelight run SCRIPT`.")
            )
        path = Path(runs[0].path)
    elif isinstance(arguments[0], str):
        path = Path(arguments[0])
        path = path.expanduser() if arguments[0].startswith("~/") else path
        if not path.is_absolute() and session.roots:
            path = session.roots[0] / path
    else:
        raise JsonRpcInvalidParams(text("The argument of scopelight.server.openRun is the path of a run."))
    return await open_path(session, OpenRun(str(path), params.work_done_token), create_progress=True)


async def _copy_as_markdown(session: Session, params: types.ExecuteCommandParams) -> object:
    match params.arguments or []:
        case []:
            line = CopyLine()
        case [str() as file, int() as number, *_]:
            line = CopyLine(file, number)
        case _:
            raise JsonRpcInvalidParams(
                text(
                    "The arguments of scopelight.server.copyAsMarkdown are a file and a line as it was recorded, or"
                    " none."
                )
            )
    return await copy_as_markdown(session, line)


COMMANDS: Mapping[str, Command] = {
    "scopelight.server.openRun": _open_run,
    "scopelight.server.closeRun": lambda session, _: close_run(session, Nothing()),
    "scopelight.server.runs": lambda session, _: list_runs(session, Nothing()),
    "scopelight.server.copyAsMarkdown": _copy_as_markdown,
}


def register_commands(session: Session) -> None:
    """Offer the commands and run them."""
    for name, command in COMMANDS.items():
        session.transport.commands[name] = guarded(
            _answering(command, session), template("The command {name}"), name=name
        )


def _answering(command: Command, session: Session) -> Callable[[types.ExecuteCommandParams], Awaitable[Any]]:
    async def answer(params: types.ExecuteCommandParams) -> Any:  # noqa: ANN401 (any JSON)
        return unstructured(await command(session, params))

    return answer
