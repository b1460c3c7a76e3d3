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
from scopelight.server.sharing.questions import (
    Asked,
    cards,
    choices,
    of_devices,
    opening,
    opening_in_scope,
    peaks,
    programs,
)
from scopelight.server.sharing.sources import Json, SourceLeftOut
from scopelight.server.views.answers import DETAIL_HANDLERS, VIEW_HANDLERS
from scopelight.server.wire.conversion import structured, unstructured

ROOM_BYTES = 1_500_000
"""Of all that a report holds, compressed; what its pages open with, in each scope, is held in any case."""
MOST_REFUSED = 5
"""Answers in a row for which there is no room: then no more are asked for."""


@attrs.define
class Held:
    """Answers as JSON by what was asked: the scope, the method, and the parameters that say anything."""

    leave_out: SourceLeftOut | None = None
    """Leaves the source out of what is held."""
    room_bytes: int = ROOM_BYTES
    answers: dict[str, Json] = attrs.field(factory=dict)
    runs: dict[Scope, Json] = attrs.field(factory=dict)
    """The run, as each scope has it."""
    _refused: int = 0

    def hold(self, scope: Scope, asked: Asked, answer: Json) -> None:
        """Hold an answer, whatever room there is."""
        shared = self._shared(asked, answer)
        self._put(scope, asked, shared, compressed_bytes(shared))

    def hold_where_there_is_room(self, scope: Scope, asked: Asked, answer: Json) -> None:
        """Hold an answer unless it takes more room than is left."""
        shared = self._shared(asked, answer)
        size_bytes = compressed_bytes(shared)
        if size_bytes > self.room_bytes:
            self._refused += 1
        else:
            self._refused = 0
            self._put(scope, asked, shared, size_bytes)

    def wants(self, scope: Scope, asked: Asked) -> bool:
        """Whether an answer is not held, and there may be room for it."""
        return self._refused < MOST_REFUSED and key_of(scope, asked) not in self.answers

    def _shared(self, asked: Asked, answer: Json) -> Json:
        return answer if self.leave_out is None else self.leave_out.answer(asked.method, answer)

    def _put(self, scope: Scope, asked: Asked, answer: Json, size_bytes: int) -> None:
        self.answers[key_of(scope, asked)] = answer
        self.room_bytes -= size_bytes


def compressed_bytes(answer: Json) -> int:
    """About what an answer takes in a report."""
    return len(zlib.compress(json.dumps(answer).encode(), 1))


def key_of(scope: Scope, asked: Asked) -> str:
    """What an answer is found by; the page makes the same of what it asks."""
    said = {name: value for name, value in sorted(asked.params.items()) if value not in (None, False)}
    return f"{scope} {asked.method} {json.dumps(said, separators=(',', ':'), ensure_ascii=False)}"


async def held_answers(session: Session, leave_out: SourceLeftOut | None, room_bytes: int = ROOM_BYTES) -> Held:
    """The answers about the run that is shown, in each scope; the session looks at the one that it did before."""
    first = session.settings.scope
    held = Held(leave_out=leave_out, room_bytes=room_bytes)
    shown: dict[str, Json] = {}
    for scope in (first, *(each for each in get_args(Scope) if each != first)):
        await _look_at(session, scope)
        await _hold_run(session, held)
        for asked in opening() if scope == first else opening_in_scope():
            answer = await _answer(session, asked)
            if answer is not None:
                held.hold(scope, asked, answer)
                if scope == first:
                    shown[asked.method] = answer
    await _look_at(session, first)
    viewer, ops = shown.get("view/memory-viewer"), shown.get("view/ops")
    await _hold(session, held, choices())
    await _hold(session, held, () if ops is None else cards(ops))
    await _hold(session, held, () if viewer is None else (*peaks(viewer), *programs(viewer)))
    await _hold(session, held, of_devices(ops["devices"], ops["hosts"]) if ops is not None else ())
    return held


async def _hold_run(session: Session, held: Held) -> None:
    assert session.shown is not None
    run: Json = unstructured(await described(session, session.shown))
    held.runs[session.settings.scope] = run if held.leave_out is None else held.leave_out.run(run)


async def _hold(session: Session, held: Held, questions: Iterable[Asked]) -> None:
    """Hold the answers to questions in the present scope, as long as there is room."""
    scope = session.settings.scope
    for asked in questions:
        answer = await _answer(session, asked) if held.wants(scope, asked) else None
        if answer is None:
            continue
        held.hold_where_there_is_room(scope, asked, answer)
        if asked.method == "view/memory-viewer":
            await _hold(session, held, peaks(answer))


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
