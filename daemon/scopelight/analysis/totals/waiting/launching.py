"""The threads of a host that launch programs: what they were in, and where they stood."""

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.model.host.stands import Stands
from scopelight.model.host.states import HostState, ThreadStates
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans, merge_spans
from scopelight.program.hlo.frames import Stack

_MAPPED: Final = "_fun"
"""What newer versions of jax call the function of every `jax.pmap`: one of the user's is within it."""


@attrs.frozen(eq=False, repr=False)
class LaunchingThread:
    """A thread that launched programs. ``spans`` are by state when it was in it, sorted and disjoint; ``anywhere`` when
    any thread of the host was; ``stands`` is None where nothing was recorded of it."""

    line_id: int
    launches_ps: Int64
    """When each of its launches began, sorted."""
    spans: Mapping[HostState, Spans]
    anywhere: Mapping[HostState, Spans]
    stands: Stands | None

    @property
    def stacks(self) -> Sequence[Stack]:
        """What the rows of its stands are of."""
        return self.stands.stacks if self.stands is not None else ()

    @property
    def borders_ps(self) -> list[Int64]:
        """When anything of it may change."""
        spans = [*self.spans.values(), *self.anywhere.values()]
        borders = [each.start_ps for each in spans] + [each.start_ps + each.duration_ps for each in spans]
        return borders + ([self.stands.start_ps] if self.stands is not None else [])


class OtherThread(NamedTuple):
    """A thread of the user's code that launches nothing."""

    name: str
    stands: Stands


def other_threads(profile: Profile, launching: Collection[int]) -> Sequence[OtherThread]:
    """The threads of Python of all hosts but those whose lines in the trace are given."""
    found = []
    for record in profile.host_records().values():
        for line_id, thread in record.threads.items():
            stands = None if line_id in launching else record.stands_of(line_id)
            if stands is not None:
                found.append(OtherThread(thread.name, stands))
    return found


def launching_threads(profile: Profile) -> Mapping[int, Sequence[LaunchingThread]]:
    """By host the threads that launched anything, those with most launches first."""
    records = profile.host_records()
    found: dict[int, Sequence[LaunchingThread]] = {}
    for host in {each.host for each in profile.host_states}:
        of_host = [each for each in profile.host_states if each.host == host]
        record = records.get(host)
        launching = [each for each in of_host if (each.state == HostState.DISPATCH).any()]
        if record is not None:
            # Threads of the runtime launch for those of Python, which are known.
            of_python = [each for each in launching if each.line_id in record.threads]
            launching = of_python or launching
        anywhere = _anywhere(of_host)
        threads = [
            LaunchingThread(
                line_id=each.line_id,
                launches_ps=np.sort(each.of(HostState.DISPATCH)[0]),
                spans=_spans(each, record.garbage.get(each.line_id) if record is not None else None),
                anywhere=anywhere,
                stands=record.stands(each) if record is not None else _stands_of_calls(each, profile),
            )
            for each in launching
        ]
        found[host] = sorted(threads, key=lambda each: -len(each.launches_ps))
    return found


def _stands_of_calls(thread: ThreadStates, profile: Profile) -> Stands | None:
    """By the Python tracer, where that was on: in files that ops of the profile name as well."""
    if thread.calls is None:
        return None
    # Few traces have any.
    from scopelight.model.host.python_calls import call_stands  # noqa: PLC0415

    paths = {frame.path for op in profile.executions.ops for frame in op.stack}
    by_name: dict[str, set[str]] = {}
    for path in paths:
        by_name.setdefault(path.replace("\\", "/").rpartition("/")[2], set()).add(path)
    return call_stands(thread.calls, {name: of.pop() for name, of in by_name.items() if len(of) == 1})


def _spans(thread: ThreadStates, garbage: tuple[Int64, Int64] | None) -> Mapping[HostState, Spans]:
    columns = {state: thread.of(state) for state in HostState}
    if garbage is not None:
        columns[HostState.GARBAGE] = garbage
    spans = {state: merge_spans(*each) for state, each in columns.items()}
    return {state: each for state, each in spans.items() if len(each.start_ps)}


def _anywhere(threads: Sequence[ThreadStates]) -> Mapping[HostState, Spans]:
    """When any thread moved data or was in a callback."""
    found = {}
    for state in (HostState.TRANSFER, HostState.CALLBACK):
        columns = [each.of(state) for each in threads]
        spans = merge_spans(*(np.concatenate(each) for each in zip(*columns, strict=True)))
        if len(spans.start_ps):
            found[state] = spans
    return found


def call_stack(program: str, stacks: Sequence[Stack]) -> Stack:
    """Where a program was called when it was traced: the frames around its function, by the stacks of its ops.

    Programs that jax calls otherwise (``jit_scan`` of a scan outside of any jit) were called where all of their stacks
    come from. Empty where these are one and none of its frames is of the function: what jax itself compiles once is
    called from many places.
    """
    function = function_of_program(program)
    for stack in stacks:
        inside = [place for place, frame in enumerate(stack) if as_program(frame.function) == function]
        if inside and inside[-1] + 1 < len(stack):
            return stack[inside[-1] + 1 :]
    distinct = list(dict.fromkeys(stack for stack in stacks if stack))
    if len(distinct) == 1 and function == _MAPPED:
        return distinct[0][1:]
    return _around_all(distinct)


def _around_all(stacks: Sequence[Stack]) -> Stack:
    """The frames that stacks have in common, of several that differ within functions that are called there."""
    if len(stacks) < 2:
        return ()
    from_outermost = zip(*map(reversed, stacks), strict=False)
    shared = sum(1 for _ in itertools.takewhile(lambda frames: len(set(frames)) == 1, from_outermost))
    around = stacks[0][len(stacks[0]) - shared :]
    within = {(each.path, each.function) for stack in stacks for each in stack[: len(stack) - shared]}
    return around if around and (around[0].path, around[0].function) not in within else ()


def function_of_program(program: str) -> str:
    """The name of the function that a program is called after, as `as_program` gives it."""
    return program.removeprefix("jit_").removeprefix("pmap_").rstrip("_")


def as_program(function: str) -> str:
    """The name of a function as programs have it: of ``<lambda>`` that is ``_lambda``."""
    return re.sub(r"\W", "_", function.rpartition(".")[2]).rstrip("_")
