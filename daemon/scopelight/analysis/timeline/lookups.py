"""What questions to a timeline look up again and again: made when first needed, and kept with the timeline."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final

import numpy as np

from scopelight.analysis.ops.table import OpTable, op_side, op_table
from scopelight.analysis.timeline.events.executions import execution_of
from scopelight.analysis.timeline.events.flows import Flows
from scopelight.analysis.timeline.events.meant import Meant, meant_by_line
from scopelight.analysis.timeline.events.ops_of_line import ops_of_line
from scopelight.analysis.timeline.events.self_times import self_times
from scopelight.analysis.timeline.records import OpInJax
from scopelight.analysis.timeline.search.names import NameIndices
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.analysis.totals.waiting.launching import LaunchingThread, launching_threads
from scopelight.formats.columns import Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.stats import StatValue
from scopelight.model.executions import Op

KEPT_TRACKS: Final = 2
"""Tracks whose self times are kept: 8 bytes for each slice."""


class Lookups:
    """The lookups of one timeline; ``options`` say which frames are the user's. Safe to use from several threads."""

    def __init__(self, timeline: Timeline, options: LineOptions | None = None, flows: Flows | None = None) -> None:
        self.timeline = timeline
        self.names = NameIndices(timeline.slices.names)
        self.flows = flows or Flows(timeline)
        self._options = options
        self._self_ps: OrderedDict[str, Int64] = OrderedDict()
        self._lock = threading.RLock()

    def self_ps(self, track: Track) -> Int64:
        """The self time of each slice of a track; see `self_times`."""
        with self._lock:
            if track.id not in self._self_ps:
                self._self_ps[track.id] = self_times(self.timeline, track)
                while len(self._self_ps) > KEPT_TRACKS:
                    self._self_ps.popitem(last=False)
            self._self_ps.move_to_end(track.id)
            return self._self_ps[track.id]

    @cached_property
    def centre(self) -> Centre | None:
        """The centre of the profile, None where that is not read."""
        return centre_of(self.timeline.profile, self._options) if self.timeline.profile is not None else None

    @cached_property
    def frames(self) -> UserFrames:
        """Which frames are the user's."""
        return self.centre.frames if self.centre is not None else UserFrames(self._options or LineOptions(), None)

    def op_key(self, op: int) -> str | None:
        """The key (``OpRow.key``) of a row of ``Executions.ops``."""
        with self._lock:
            return self.centre.op_keys.get(op) if self.centre is not None else None

    def op_of_event(self, track: Track, event: int) -> OpInJax | None:
        """What the event of a number is in jax; None where it is no op, and while the profile is being read."""
        execution = execution_of(self.timeline, track.id, event)
        profile, derived, op = self.timeline.profile, self.timeline.derived, None
        if profile is not None and execution is not None:
            op = int(profile.executions.op[execution])
        elif track.kind == "async" and track.stored is not None:
            with suppress(FormatError):
                op = self.op_named_by(track.stored.arguments(event))
        return derived.in_jax.of(op) if derived is not None and op is not None else None

    def ops_of_key(self, key: str) -> Sequence[int]:
        """The rows of ``Executions.ops`` that have a key (``OpRow.key``), none where no op of it ran."""
        with self._lock:
            return self.centre.ops_of_key(key) if self.centre is not None else ()

    def ops_of_line(self, file: str, line: int) -> Sequence[int]:
        """The rows of ``Executions.ops`` that a line of source stands for; see `ops_of_line`."""
        with self._lock:
            return ops_of_line(self._op_table, file, line) if self._op_table is not None else ()

    def meant_by_line(self, file: str, line: int) -> Meant:
        """What a line of source means; see `meant_by_line`. Nothing while the profile is being read."""
        with self._lock:
            table = self._op_table
            return Meant("executions", {}) if table is None else meant_by_line(self.timeline, table, file, line)

    @cached_property
    def launching(self) -> Mapping[int, Sequence[LaunchingThread]]:
        """By host the threads that launched programs."""
        return launching_threads(self.timeline.profile) if self.timeline.profile is not None else {}

    def op_named_by(self, arguments: Mapping[str, StatValue]) -> int | None:
        """The row of ``Executions.ops`` of the instruction of a program that an event's arguments name."""
        with self._lock:
            return self._ops_of_programs.get((str(arguments.get("program_id", "")), str(arguments.get("hlo_op", ""))))

    def ops_called(self, shown_name: str) -> Op | None:
        """An op of a name, for what ops of one name have in common."""
        with self._lock:
            return self._ops_by_name.get(shown_name)

    def step_of(self, start_ps: int, duration_ps: int) -> int | None:
        """The complete step that most of an event is in, counted from 1, else the one it starts in; None outside.

        An event of the host that begins just before a step is of that step.
        """
        steps = self.timeline.derived.steps if self.timeline.derived is not None else None
        if steps is None:
            return None
        starts_ps = np.array(steps.start_ps, dtype=np.int64)
        ends_ps = starts_ps + np.array(steps.duration_ps, dtype=np.int64)
        end_ps = start_ps + max(1, duration_ps)
        first = int(np.searchsorted(ends_ps, start_ps, side="right"))
        last = int(np.searchsorted(starts_ps, end_ps, side="left"))
        if first >= last:
            return None
        inside_ps = np.minimum(ends_ps[first:last], end_ps) - np.maximum(starts_ps[first:last], start_ps)
        most = int(np.argmax(inside_ps))
        if int(inside_ps[most]) * 2 >= end_ps - start_ps:
            return first + most + 1
        return first + 1 if starts_ps[first] <= start_ps else None

    @cached_property
    def _op_table(self) -> OpTable | None:
        profile = self.timeline.profile
        return op_table(profile, self._options) if profile is not None else None

    @cached_property
    def _ops_of_programs(self) -> Mapping[tuple[str, str], int]:
        if self.timeline.profile is None:
            return {}
        executions = self.timeline.profile.executions
        programs = [program.program_id for program in executions.programs]
        return {(programs[op.program], op.name): row for row, op in enumerate(executions.ops) if op.program >= 0}

    @cached_property
    def _ops_by_name(self) -> Mapping[str, Op]:
        return {op.name: op for op in self.timeline.profile.executions.ops} if self.timeline.profile is not None else {}


def is_callback(op: Op | None) -> bool:
    """Whether an op calls Python on the host."""
    return op is not None and op_side(op, op.category) == "callback"
