"""The answers that a report holds: those that its pages open with, then as many of the others as there is room for."""

import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import attrs
from pygls.exceptions import JsonRpcException

from scopelight.analysis.options import Scope
from scopelight.formats.errors import FormatError
from scopelight.protocol import REQUESTS
from scopelight.protocol.runs import OpenRun
from scopelight.server.runs.shown_run import described, open_run
from scopelight.server.session import Session
from scopelight.server.sharing.questions import Asked, cards, choices, opening, opening_in_scope, peaks, programs
from scopelight.server.views.answers import DETAIL_HANDLERS, VIEW_HANDLERS
from scopelight.server.wire.conversion import structured, unstructured

ROOM_BYTES = 900_000
"""Of the answers beside those that pages open with, compressed."""

Json = dict[str, Any]


@attrs.define
class Held:
    """Answers as JSON by what was asked: the scope, the method, and the parameters that say anything."""

    answers: dict[str, Json] = attrs.field(factory=dict)
    runs: dict[Scope, Json] = attrs.field(factory=dict)
    """The run, as each scope has it."""
    room_bytes: int = ROOM_BYTES

    def hold(self, scope: Scope, asked: Asked, answer: Json) -> None:
        """Hold an answer, whatever room there is."""
        self.answers[key_of(scope, asked)] = answer

    def hold_where_there_is_room(self, scope: Scope, asked: Asked, answer: Json) -> None:
        """Hold an answer unless it is held already, or takes more room than is left."""
        if key_of(scope, asked) in self.answers:
            return
        size_bytes = len(zlib.compress(json.dumps(answer).encode(), 1))
        if size_bytes <= self.room_bytes:
            self.room_bytes -= size_bytes
            self.hold(scope, asked, answer)


def key_of(scope: Scope, asked: Asked) -> str:
    """What an answer is found by; the page makes the same of what it asks."""
    said = {name: value for name, value in sorted(asked.params.items()) if value not in (None, False)}
    return f"{scope} {asked.method} {json.dumps(said, separators=(',', ':'), ensure_ascii=False)}"


async def held_answers(session: Session) -> Held:
    """The answers about the run that is shown, in each scope; the session looks at the one that it did before."""
    assert session.shown is not None
    first = session.settings.scope
    held = Held()
    for scope in (first, *(each for each in get_args(Scope) if each != first)):
        await _look_at(session, scope)
        held.runs[scope] = unstructured(await described(session, session.shown))
        if scope == first:
            await _hold_first(session, held)
        else:
            for asked in opening_in_scope():
                answer = await _answer(session, asked)
                if answer is not None:
                    held.hold_where_there_is_room(scope, asked, answer)
    await _look_at(session, first)
    return held


async def _hold_first(session: Session, held: Held) -> None:
    scope = session.settings.scope
    shown: dict[str, Json] = {}
    for asked in opening():
        answer = await _answer(session, asked)
        if answer is not None:
            shown[asked.method] = answer
            held.hold(scope, asked, answer)
    if "view/memory-viewer" in shown:
        await _hold_peaks(session, held, shown["view/memory-viewer"])
    devices = shown.get("view/ops", {}).get("devices", ())
    of_what_is_shown: tuple[Iterable[Asked], ...] = (
        choices(devices),
        programs(shown["view/memory-viewer"]) if "view/memory-viewer" in shown else (),
        cards(shown["view/ops"]) if "view/ops" in shown else (),
    )
    for questions in of_what_is_shown:
        for asked in questions:
            answer = await _answer(session, asked)
            if answer is not None:
                held.hold_where_there_is_room(scope, asked, answer)
            if answer is not None and asked.method == "view/memory-viewer":
                await _hold_peaks(session, held, answer)


async def _hold_peaks(session: Session, held: Held, viewer: Json) -> None:
    for asked in peaks(viewer):
        answer = await _answer(session, asked)
        if answer is not None:
            held.hold_where_there_is_room(session.settings.scope, asked, answer)


async def _answer(session: Session, asked: Asked) -> Json | None:
    """The answer as a page gets it; None where there is none, which the page says then."""
    kind, name = asked.method.split("/")
    handlers: Mapping[str, Any] = VIEW_HANDLERS if kind == "view" else DETAIL_HANDLERS
    params: Any = structured(dict(asked.params), REQUESTS[f"scopelight/{asked.method}"][0], asked.method)
    try:
        record = await handlers[name](session, params)
    except (FormatError, JsonRpcException):
        return None
    answer: Json = await session.work.quick(lambda: unstructured(record))
    return answer


async def _look_at(session: Session, scope: Scope) -> None:
    if session.settings.scope != scope:
        assert session.shown is not None
        session.apply(attrs.evolve(session.settings, scope=scope))
        await open_run(session, OpenRun(str(session.shown.path)))
