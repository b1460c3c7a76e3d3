"""Which line of the user's code each thread is at, from the interpreter's own events (PEP 669, Python 3.12 and later).

Each event of the user's code is a row of four numbers: when (ns since the epoch), the thread, the code object's id, and
its line with the kind of event. Events cost the script time, so they have a budget: code that would exceed it goes
dark, which leaves its time on the line that calls it. Code that launches programs stays: of loops within its loop over
the steps each line is told once in a step, which leaves the time of such a loop on one of its lines.
"""

from __future__ import annotations

import inspect
import sys
import threading
import time
from array import array
from collections import Counter
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from .codes import Codes, frames_of_others, line_at
from .launching_code import launches

LINE, START, RETURN, BASE, ON_BASE, DARK, PAUSE = range(7)
"""Kinds of rows: a line began; a function began or went on; it returned or paused; the outermost frame of a thread, and
one above it, as they stood when recording began; the code is watched no more; a coroutine gave way to others."""
KINDS = 8
"""A row has its line times this, and its kind."""
COLUMNS = 4

EVENT_NS = 2_000
"""What an event costs the script at most, on common machines (measured: 1.5 to 1.9 us a line)."""
CHECKED_EVENTS = 256
"""The budget is looked at after so many."""
SHARE = 0.01
"""Of the time, that events may take."""
LAUNCHING_SHARE = 0.03
"""The same of events in code that launches programs, which is the loop of the steps. Where a pass of it is of no more
than `PASS_EVENTS` they are the steps themselves, however short, and owe nothing."""
PASS_EVENTS = 24
CREDIT_NS = 1_000_000
"""So much may be spent at once."""
REPEATED = 12
"""Among the events between two looks at the budget, of a line of a loop within one of which a pass is of more than
`PASS_EVENTS`: lines of that one are told less often."""
LAUNCHING_MOST = 0.2
"""Of the time, that events of code may take that launches programs and has no line that is told so often."""
CALLED = 0.25
"""Of the events of its lines, that are calls of code which goes dark: what is called so often costs too much anyway."""
MOST_ROWS = 1_000_000
"""Of a recording: 32 MB. What comes after it is not recorded."""

_AWAITING = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Flags of code that gives way to others while it waits."""
_IDS = (4, 3)
"""Tool ids that stand for no kind of tool, the last first: others begin with the first."""


def is_available() -> bool:
    """Whether this interpreter has such events, one lock for all threads, and a tool id that nobody uses."""
    return _free_id() is not None


def _free_id() -> int | None:
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return None
    return next((each for each in _IDS if monitoring.get_tool(each) is None), None)


class LineMonitor:
    """Watches the user's code, from `start` to `stop`. ``rows`` is what happened since the last `take`."""

    def __init__(self, codes: Codes, own_threads: set[int]) -> None:
        self._codes = codes
        self._own_threads = own_threads
        self._tool: int | None = None
        self._watched: dict[int, CodeType] = {}
        self._dark: set[int] = set()
        self._is_full = False
        self._resumed_at: dict[tuple[int, int], int] = {}
        """Lines on which generators and coroutines gave way, by code and offset."""
        self._repeated: dict[int, set[int]] = {}
        """Lines that are told once for each time that other lines of their code are, by code."""
        self._silent: set[int] = set()
        """Code of which such lines are not told at the moment."""
        self._lasted_ns = 0
        """Between the last two looks at the budget."""
        self._spent_ns = 0
        """What it has cost to have lines told again."""
        self._launching: dict[int, Counter[int]] = {}
        """Code that launches programs, and how often each of its lines, with the kind of event, was told."""
        self.rows = array("q")
        self._next_check = 0
        self._checked_ns = 0
        self._debt_ns = self._launching_debt_ns = 0.0
        self._suspect: int | None = None
        """Code that is to go dark unless it launches programs, which could not be seen yet."""
        self._patience = 0

    def start(self) -> bool:
        """Begin to watch; whether an id was free."""
        tool = _free_id()
        if tool is None:
            return False
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined]
        events = self._monitoring.events
        self._entering = events.PY_START | events.PY_RESUME
        self._inside = events.LINE | events.PY_RETURN | events.PY_YIELD | self._entering
        self._callbacks = {
            events.PY_START: self._entered,
            events.PY_RESUME: self._resumed,
            events.LINE: self._line,
            events.PY_RETURN: self._left,
            events.PY_YIELD: self._paused,
        }
        try:
            self._use(tool)
        except ValueError:
            return False
        self._others_use = self._monitoring.use_tool_id
        self._monitoring.use_tool_id = self._give_way
        self._checked_ns = time.monotonic_ns()
        self._next_check = CHECKED_EVENTS * COLUMNS
        self._stand()
        return True

    def stop(self) -> None:
        """Watch no more, and leave no trace in the interpreter."""
        if self._tool is None:
            return
        self._free()
        self._watched = {}

    def _use(self, tool: int) -> None:
        """Watch by a tool id; raises ValueError where another has just taken it."""
        monitoring = self._monitoring
        monitoring.use_tool_id(tool, "scopelight")
        self._tool = tool
        for event, callback in self._callbacks.items():
            monitoring.register_callback(tool, event, callback)
        for code in self._watched.values():
            monitoring.set_local_events(tool, code, self._inside)
        monitoring.set_events(tool, 0 if self._is_full else self._entering)

    def _free(self) -> None:
        tool, monitoring = self._tool, self._monitoring
        self._tool = None
        if monitoring.use_tool_id == self._give_way:
            monitoring.use_tool_id = self._others_use
        monitoring.set_events(tool, 0)
        for code in self._watched.values():
            with suppress(ValueError):
                monitoring.set_local_events(tool, code, 0)
        for event in self._callbacks:
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)

    def _give_way(self, tool_id: int, name: str, /) -> Any:  # noqa: ANN401 (what the interpreter gives)
        """Instead of `sys.monitoring.use_tool_id`: a tool of the script's gets the id that it asks for."""
        use = self._others_use
        if tool_id == self._tool:
            with suppress(Exception):
                self._move()
        return use(tool_id, name)

    def _move(self) -> None:
        """Watch by another id, or where none is free no more: what ran then is known no more."""
        other = _free_id()
        if other is None:
            for key in list(self._watched):
                self._darken(key)
        self._free()
        if other is not None:
            self._silent.clear()
            self._use(other)
            self._monitoring.use_tool_id = self._give_way

    def take(self) -> array[int]:
        """The rows so far; those that follow begin with where each thread stands."""
        rows, self.rows = self.rows, array("q")
        self._next_check = CHECKED_EVENTS * COLUMNS
        if self._tool is not None:
            if self._is_full:
                self._is_full = False
                self._monitoring.set_events(self._tool, self._entering)
            self._stand()
        return rows

    @property
    def dark(self) -> list[int]:
        """Ids of code whose lines were not told apart from some time on."""
        return sorted(self._dark)

    @property
    def quiet(self) -> list[int]:
        """Ids of code that has loops of which each line was told once."""
        return sorted(self._repeated.keys() - self._dark)

    # Callbacks, in the script's threads: short, and what they do is done while no other thread runs Python.

    def _entered(self, code: CodeType, _offset: int) -> object:
        key = id(code)
        if key not in self._watched and not self._watch(code):
            return self._monitoring.DISABLE
        rows = self.rows
        rows.extend((time.time_ns(), threading.get_ident(), key, code.co_firstlineno * KINDS + START))
        if len(rows) >= self._next_check:
            with suppress(Exception):
                self._check()
        return None

    def _resumed(self, code: CodeType, offset: int) -> object:
        key = id(code)
        if key not in self._watched and not self._watch(code):
            return self._monitoring.DISABLE
        # It goes on where it gave way, of which no line is told again.
        line = self._resumed_at.get((key, offset))
        if line is None:
            line = self._resumed_at[key, offset] = line_at(code, offset)
        rows = self.rows
        rows.extend((time.time_ns(), threading.get_ident(), key, line * KINDS + START))
        if len(rows) >= self._next_check:
            with suppress(Exception):
                self._check()
        return None

    def _line(self, code: CodeType, line: int) -> object:
        rows, key = self.rows, id(code)
        rows.extend((time.time_ns(), threading.get_ident(), key, line * KINDS + LINE))
        if len(rows) >= self._next_check:
            with suppress(Exception):
                self._check()
        repeated = self._repeated.get(key)
        if repeated is None:
            return None
        if line in repeated:
            self._silent.add(key)
            return self._monitoring.DISABLE
        if key in self._silent:
            with suppress(Exception):
                self._tell_again(code)
        return None

    def _left(self, code: CodeType, _offset: int, _value: object) -> object:
        self.rows.extend((time.time_ns(), threading.get_ident(), id(code), RETURN))
        return None

    def _paused(self, code: CodeType, _offset: int, _value: object) -> object:
        kind = PAUSE if code.co_flags & _AWAITING else RETURN
        self.rows.extend((time.time_ns(), threading.get_ident(), id(code), kind))
        return None

    def _watch(self, code: CodeType) -> bool:
        key = id(code)
        if key in self._dark or not self._codes.is_users(code):
            return False
        try:
            self._monitoring.set_local_events(self._tool, code, self._inside)
        except Exception:
            # Another thread has just ended the recording: the script must not notice.
            return False
        self._codes.by_id[key] = self._watched[key] = code
        return True

    def _stand(self) -> None:
        """Write down where each thread stands, and watch the code that is on its stack already."""
        for ident, frame in frames_of_others().items():
            if ident in self._own_threads:
                continue
            stack: list[FrameType] = []
            each: FrameType | None = frame
            while each is not None:
                code = each.f_code
                if id(code) in self._watched or self._watch(code):
                    stack.append(each)
                each = each.f_back
            now = time.time_ns()
            for depth, each in enumerate(reversed(stack)):
                kind = ON_BASE if depth else BASE
                line = line_at(each.f_code, each.f_lasti)
                self.rows.extend((now, ident, id(each.f_code), line * KINDS + kind))

    # The budget.

    def _check(self) -> None:
        if self._suspect is not None:
            self._judge(self._suspect)
            return
        now = time.monotonic_ns()
        latest = self.rows[-CHECKED_EVENTS * COLUMNS :]
        recent = Counter(latest[2::COLUMNS])
        self._next_check = len(self.rows) + CHECKED_EVENTS * COLUMNS
        elapsed, self._checked_ns = now - self._checked_ns, now
        self._lasted_ns = elapsed
        launching = sum(number for key, number in recent.items() if key in self._launching)
        others = CHECKED_EVENTS - launching
        for place in range(2, len(latest), COLUMNS):
            counts = self._launching.get(latest[place])
            if counts is not None:
                counts[latest[place + 1]] += 1
        owing = sum(recent[key] for key, counts in self._launching.items() if key in recent and not _is_short(counts))
        spent_ns, self._spent_ns = self._spent_ns, 0
        self._debt_ns = max(0.0, self._debt_ns - SHARE * elapsed) + others * EVENT_NS
        self._launching_debt_ns = max(0.0, self._launching_debt_ns - LAUNCHING_SHARE * elapsed) + owing * EVENT_NS
        if launching:
            self._launching_debt_ns += spent_ns
        else:
            self._debt_ns += spent_ns
        if len(self.rows) >= MOST_ROWS * COLUMNS:
            self._rest()
        elif self._launching_debt_ns > CREDIT_NS:
            self._quieten(max((key for key in recent if key in self._launching), key=recent.__getitem__))
            self._launching_debt_ns = 0.0
        elif self._debt_ns > CREDIT_NS:
            self._suspect = max((key for key in recent if key not in self._launching), key=recent.__getitem__)
            self._patience = CHECKED_EVENTS
            self._debt_ns = 0.0
            self._judge(self._suspect)

    def _judge(self, key: int) -> None:
        """Whether code goes dark, which is seen while it runs: at the next event, or at one soon after."""
        frame = self._frame_of(key)
        if frame is None and self._patience:
            self._patience -= 1
            self._next_check = len(self.rows) + COLUMNS
            return
        self._suspect = None
        self._next_check = len(self.rows) + CHECKED_EVENTS * COLUMNS
        self._checked_ns = time.monotonic_ns()
        if frame is not None and launches(frame):
            self._launching[key] = Counter()
        else:
            self._darken(key)

    def _quieten(self, key: int) -> None:
        """Of code that launches tell lines of loops within its loop once in a pass of that from now on, or none of its
        lines where it is called too often."""
        latest = self.rows[-CHECKED_EVENTS * COLUMNS :]
        kinds = Counter(how for of, how in zip(latest[2::COLUMNS], latest[3::COLUMNS], strict=True) if of == key)
        calls = sum(number for how, number in kinds.items() if how % KINDS == START)
        lines = {how // KINDS: number for how, number in kinds.items() if how % KINDS == LINE}
        known = self._repeated.get(key, set())
        found = {line for line, number in lines.items() if number >= REPEATED} - known
        if found and calls <= CALLED * sum(lines.values()):
            self._repeated[key] = known | found
        elif LAUNCHING_MOST * self._lasted_ns < CHECKED_EVENTS * EVENT_NS:
            self._darken(key)

    def _tell_again(self, code: CodeType) -> None:
        """Have each of the lines told that are not any more: the loop that they are of is over."""
        began_ns = time.monotonic_ns()
        self._silent.discard(id(code))
        if self._tool is not None:
            self._monitoring.set_local_events(self._tool, code, self._inside & ~self._monitoring.events.LINE)
            self._monitoring.set_local_events(self._tool, code, self._inside)
        self._spent_ns += time.monotonic_ns() - began_ns

    def _rest(self) -> None:
        """Watch nothing until what was recorded is taken."""
        watched, self._watched, self._is_full = self._watched, {}, True
        self._monitoring.set_events(self._tool, 0)
        for code in watched.values():
            self._monitoring.set_local_events(self._tool, code, 0)

    def _darken(self, key: int) -> None:
        code = self._watched.pop(key, None)
        if code is None or self._tool is None:
            return
        self._dark.add(key)
        self._monitoring.set_local_events(self._tool, code, 0)
        self.rows.extend((time.time_ns(), threading.get_ident(), key, DARK))
        for ident, frame in frames_of_others().items():
            if self._runs(frame, key) is not None:
                self.rows.extend((time.time_ns(), ident, key, DARK))

    def _frame_of(self, key: int) -> FrameType | None:
        """A frame in which code runs, in this thread or another one."""
        # From the caller on: one that held itself would stay until garbage is collected, with all that called it.
        frames = (self._runs(each, key) for each in (sys._getframe(1), *frames_of_others().values()))
        return next((each for each in frames if each is not None), None)

    @staticmethod
    def _runs(innermost: FrameType, key: int) -> FrameType | None:
        """The frame of code on a stack."""
        frame: FrameType | None = innermost
        while frame is not None and id(frame.f_code) != key:
            frame = frame.f_back
        return frame


def _is_short(counts: Counter[int]) -> bool:
    """Whether a pass of a loop is of few events, by a line that a quarter of its lines are not told more often than.

    Lines of loops within it are told more often than once in each pass, what is done now and then less often.
    """
    ordered = sorted(counts.values())
    return bool(ordered) and sum(ordered) <= PASS_EVENTS * ordered[len(ordered) // 4]
