"""Operations of the thread that launches itself: the functions that it calls for its data, and lines of its loop.

A function whose lines the interpreter tells no more, for they are too many, leaves its time to the line that calls it:
it is known by its name there, and by samples.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from scopelight.analysis.host.input.graph.source_names import SourceNames
from scopelight.analysis.host.input.graph.under_way import Graph, key_of
from scopelight.analysis.host.input.graph_records import OperationKind
from scopelight.analysis.host.input.stages import Part
from scopelight.analysis.totals.waiting.feeding import called_from
from scopelight.formats.host_recording.reader import RecordedCode
from scopelight.model.host.record import HostRecord
from scopelight.program.hlo.frames import Frame

_LEAST_SHARE: Final = {"line": 0.01}
_LEAST_OF_OTHERS: Final = 0.002
"""Of the window, by kind: what takes less is no operation. Lines of a loop always take some time."""
_AWAITING: Final = frozenset(("await", "async"))
_LEAST_OWN: Final = 0.1
"""Of the time of a line with all that it calls: one that does less itself only calls what makes the data."""

_Function = tuple[str, str]


@attrs.define(eq=False)
class _Work:
    """What becomes an operation; ``place`` is where it is, where none of its own lines is known."""

    name: str
    kind: OperationKind
    parts: list[Part] = attrs.field(factory=list)
    lines: list[Frame] = attrs.field(factory=list)
    place: Frame | None = None


def add_own_work(graph: Graph, record: HostRecord | None, awaited: Mapping[str, str]) -> Iterator[str]:
    """Add what the thread that launches does for its data itself; gives the keys of the operations. ``awaited`` are
    operations that it may await, with the names of their functions: those whose lines call them read from them."""
    finder = _Finder(graph, record)
    works = [
        work
        for work in finder.found().values()
        if graph.self_ps(work.parts) >= _LEAST_SHARE.get(work.kind, _LEAST_OF_OTHERS) * graph.window_ps
    ]
    read_by = {key: finder.awaiting(works, called) for key, called in awaited.items()}
    for work in works:
        longest = graph.longest(work.parts)
        yield graph.add(
            f"function {'' if longest is None else graph.stage_keys[longest]}",
            work.kind,
            work.name,
            work.place or graph.place(work.parts),
            inputs=tuple(key for key, readers in read_by.items() if work in readers),
            parts=work.parts,
            workers=1,
            busy_ratio=graph.busy_ratio(work.parts),
        )


@attrs.define(eq=False)
class _Finder:
    graph: Graph
    record: HostRecord | None

    @functools.cached_property
    def _names(self) -> SourceNames:
        return SourceNames(self.graph.centre.indented_text)

    @functools.cached_property
    def _around(self) -> frozenset[_Function]:
        """Functions in which the steps are launched, or that call those."""
        return frozenset[_Function]().union(*(each.around for each in self.graph.threads if each.is_launching))

    @functools.cached_property
    def _dark(self) -> Mapping[_Function, RecordedCode]:
        """Functions whose lines were not told apart."""
        recordings = self.record.recordings if self.record is not None else ()
        codes = [each.codes[code] for each in recordings for code in each.dark]
        return {(code.file, code.function): code for code in codes}

    @functools.cached_property
    def _sampled(self) -> Mapping[tuple[str, int], Counter[_Function]]:
        """By line how many samples were in each of those functions that it calls."""
        found: dict[tuple[str, int], Counter[_Function]] = {}
        launching = [each.thread.line_id for each in self.graph.threads if each.is_launching]
        for line_id in launching if self.record is not None and self._dark else ():
            for stack in self.record.sampled_stacks(line_id) if self.record is not None else ():
                for row, frame in enumerate(stack):
                    called = called_from(stack, row)
                    if called is not None and (called.path, called.function) in self._dark:
                        counts = found.setdefault((frame.path, frame.line), Counter())
                        counts[called.path, called.function] += 1
        return found

    def found(self) -> Mapping[object, _Work]:
        keys = {key_of(each) for each in self.graph.threads if each.is_launching}
        works: dict[object, _Work] = {}
        by_number: dict[int, list[Part]] = {}
        for part in self.graph.parts(lambda each: each.name.kind == "line" and each.works, keys):
            by_number.setdefault(part[1], []).append(part)
        for number, parts in sorted(by_number.items()):
            sums = self.graph.gathered.stages[number]
            frame = sums.name.frame
            if frame is None:
                continue
            owner = self._names.owner(frame)
            if not self._is_around(frame.path, owner):
                named = functools.partial(self._names.function, frame, owner)
                is_coroutine = self.record is not None and (frame.path, owner) in self.record.coroutines
                self._add(works, (frame.path, owner), parts, named, "coroutine" if is_coroutine else "function", frame)
            elif sums.self_ps >= _LEAST_OWN * sums.total_ps:
                self._add_inline(works, frame, parts)
        return works

    def awaiting(self, works: Sequence[_Work], called: str) -> Sequence[_Work]:
        """Those whose lines call the function of a task; where none does, those that await what was called before."""
        last = called.rpartition(".")[2]
        calling = [work for work in works if any(last in self._names.calls(each) for each in work.lines)]
        return calling or [work for work in works if any(map(self._awaits, work.lines))]

    def _awaits(self, frame: Frame) -> bool:
        text = self.graph.centre.text(frame.path, frame.line) or ""
        return not _AWAITING.isdisjoint(text.split())

    def _add_inline(self, works: dict[object, _Work], frame: Frame, parts: list[Part]) -> None:
        code = self._called_in_the_dark(frame)
        if code is None:
            statement = self._names.statement(frame)
            self._add(works, (frame.path, statement.line), parts, lambda: statement.text, "line", frame)
            return
        place = Frame(code.file, code.line, code.function)
        work = self._add(
            works,
            (code.file, code.function),
            parts,
            lambda: self._names.function(place, code.function),
            "function",
            frame,
        )
        work.place = place

    @staticmethod
    def _add(
        works: dict[object, _Work],
        key: object,
        parts: list[Part],
        name: Callable[[], str],
        kind: OperationKind,
        frame: Frame,
    ) -> _Work:
        work = works.get(key)
        if work is None:
            work = works[key] = _Work(name(), kind)
        work.parts += parts
        work.lines.append(frame)
        return work

    def _is_around(self, path: str, function: str) -> bool:
        # Python tells qualified names from 3.11 on.
        last = function.rpartition(".")[2]
        return any(path == of and last == name.rpartition(".")[2] for of, name in self._around)

    def _called_in_the_dark(self, frame: Frame) -> RecordedCode | None:
        """The function that a line calls whose time is the line's, where it is clear which one that is."""
        if not self._dark:
            return None
        calls = self._names.calls(frame)
        by_name = [code for code in self._dark.values() if code.function.rpartition(".")[2] in calls]
        if len(by_name) == 1:
            return by_name[0]
        sampled = self._sampled.get((frame.path, frame.line), Counter())
        functions = {(code.file, code.function) for code in by_name} or set(sampled)
        chosen = max(functions, key=lambda each: (sampled[each], each), default=None)
        return None if chosen is None or not sampled[chosen] else self._dark[chosen]
