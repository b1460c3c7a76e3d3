"""Tools of the editor's language models: each from the list of tools, about the run that the person looks at."""

import asyncio
import json
import logging
import threading
from weakref import WeakKeyDictionary

from scopelight.agents.answering import Called, call_tool
from scopelight.agents.desk import Client, Consent, Desk
from scopelight.agents.opened import OpenedRuns
from scopelight.agents.workspace import Workspace
from scopelight.protocol.agents import CallTool, ToolAnswer
from scopelight.report.language import text
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed

logger = logging.getLogger(__name__)

_opened: WeakKeyDictionary[Session, OpenedRuns] = WeakKeyDictionary()
"""What tools have opened for a session."""


async def call_tool_of_model(session: Session, params: CallTool) -> ToolAnswer:
    """Call a tool. That it cannot answer is an answer; raises `RequestFailed` where it is no call of one."""
    try:
        arguments = json.loads(params.arguments)
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise RequestFailed(text("The arguments of a tool are an object."))
    cancelled = threading.Event()
    client = Client(lambda _question: _consent(params), is_cancelled=cancelled.is_set)
    desk = Desk(await _workspace(session), _opened.setdefault(session, OpenedRuns()), client)
    try:
        # A script may run for minutes: no pool of threads waits for it.
        called = await asyncio.to_thread(call_tool, desk, params.name, arguments, logger.error)
    finally:
        cancelled.set()
    return _answer(called)


def _consent(params: CallTool) -> Consent:
    return "agreed" if params.agreed else "declined"


async def _workspace(session: Session) -> Workspace:
    """The folders of the editor, and the run that it shows, which is read already."""
    if not session.roots:
        raise RequestFailed(text("Open a folder: tools of language models read nothing outside of it."))
    shown = session.shown
    if shown is None:
        return Workspace.of(session.roots)
    path = shown.path.resolve()
    workspace = Workspace.of(session.roots, shown=path)
    profile = await session.loading.profile(shown.path, shown.identity)
    opened = _opened.setdefault(session, OpenedRuns())
    await session.work.quick(lambda: opened.hold_profile(workspace, path, profile))
    return workspace


def _answer(called: Called) -> ToolAnswer:
    place = called.place
    return ToolAnswer(
        text=called.text,
        is_error=called.is_error,
        view=called.view,
        file=None if place is None else place.file,
        line=None if place is None else place.line,
        run=None if called.run is None else str(called.run),
    )
