"""What was compiled while a script ran: which function, when, for how long, on which line, and why."""

from collections.abc import Iterator, Sequence

import attrs

from scopelight.analysis.programs.reasons import Reason, function_in, reason_of
from scopelight.model.profile import Profile
from scopelight.model.run.compilations import Compilation
from scopelight.program.hlo.frames import Stack

_PS_PER_S = 10**12


@attrs.frozen(eq=False, repr=False)
class Compiled:
    """One program that was compiled. Times are of the profile, before its first event too; ``stack`` is of its call.

    ``is_again``: the same function had been compiled before. ``is_users``: jax said why it was traced, which it does of
    functions in files of the user's.
    """

    function: str
    end_ps: int
    duration_ps: int
    reason: Reason
    stack: Stack
    is_again: bool
    is_users: bool

    @property
    def start_ps(self) -> int:
        """When it began."""
        return self.end_ps - self.duration_ps


def compiled_programs(profile: Profile) -> Sequence[Compiled]:
    """All of them in their order; none where nothing was written down."""
    if profile.started_ns is None:
        return ()
    return list(_compiled(profile.compilations(), profile.started_ns))


def _compiled(compilations: Sequence[Compilation], started_ns: int) -> Iterator[Compiled]:
    seen: set[str] = set()
    told: set[tuple[str, Reason]] = set()
    for each in compilations:
        function = _function_of(each)
        reason = reason_of(each.explanation, was_traced=each.trace_seconds is not None)
        if reason.changed and (function, reason) in told:
            # What it was compiled for already is not why. Newer versions of jax compare with a call that is as close.
            reason = Reason("unexplained")
        told.add((function, reason))
        is_again = reason.cause not in ("first", "unexplained") or (function in seen and reason.cause != "first")
        seen.add(function)
        yield Compiled(
            function=function,
            # Nanoseconds of the epoch are too many for picoseconds of it.
            end_ps=(each.ended_ns - started_ns) * 1000,
            duration_ps=round(each.whole_seconds * _PS_PER_S),
            reason=reason,
            stack=each.stack,
            is_again=is_again,
            is_users=each.explanation is not None,
        )


def _function_of(compilation: Compilation) -> str:
    """``step`` of ``jit(step)``; of older versions as the explanation names it, empty where nothing does."""
    name = compilation.program
    if name is None:
        return function_in(compilation.explanation) or ""
    return name[name.index("(") + 1 : -1] if name.endswith(")") and "(" in name else name
