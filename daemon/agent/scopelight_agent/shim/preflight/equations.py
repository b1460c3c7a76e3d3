"""Every equation of a program, each with the frames of the user's that it is from and the path of names around it.

Within nested programs stacks and names begin anew, and stacks are of whoever called first, for jax keeps what it
traced: frames of what calls are put behind those of what is called, and names before.
"""

import sys
from collections.abc import Iterator
from typing import Any

CONTAINERS = frozenset(
    (
        *("jit", "pjit", "closed_call", "core_call", "xla_call", "remat", "remat2", "checkpoint", "named_call"),
        *("scan", "while", "cond", "custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_lin"),
        *("shard_map", "run_state", "compute_on", "custom_jvp_call_jaxpr", "xla_metadata_call"),
    )
)
"""Primitives of which the equations within are judged, and not they themselves."""
MOST_FRAMES = 20
ON_HOST = "device_host"
"""The place to compute at that is a TPU's host."""

Stack = tuple[tuple[str, int, str], ...]
"""Path, line and function of frames, innermost first."""


class Occurrence:
    """An equation somewhere in a program.

    ``path`` is that of names, with the functions that were called; ``is_on_host``: the script asked for it to be
    computed there; ``is_in_shards``: it is traced for each device by itself.
    """

    __slots__ = ("equation", "is_in_shards", "is_on_host", "path", "stack")

    def __init__(
        self,
        equation: Any,  # noqa: ANN401 (an equation of any version of jax)
        stack: Stack,
        path: str,
        is_on_host: bool,
        is_in_shards: bool,
    ) -> None:
        self.equation = equation
        self.stack = stack
        self.path = path
        self.is_on_host = is_on_host
        self.is_in_shards = is_in_shards


class Walk:
    """Goes through programs; what is known of one traceback is kept for the next."""

    def __init__(self) -> None:
        self._stacks: dict[Any, _OwnStack] = {}

    def through(self, jaxpr: Any, called_at: Stack = ()) -> Iterator[Occurrence]:  # noqa: ANN401 (closed or not)
        """The equations of a jaxpr and within it, in order, without those that only hold others.

        ``called_at`` are the frames of the user's that call it: an operation that runs by itself has no others.
        """
        yield from self._through(plain(jaxpr), called_at, "", is_on_host=False, is_in_shards=False)

    def _through(
        self,
        jaxpr: Any,  # noqa: ANN401
        caller: Stack,
        outer: str,
        *,
        is_on_host: bool,
        is_in_shards: bool,
    ) -> Iterator[Occurrence]:
        core = sys.modules["jax._src.core"]
        traced = _traced_at(jaxpr)
        for each in jaxpr.eqns:
            stack = self._stack_of(each.source_info).called_from(caller, traced)
            path = "/".join(filter(None, (outer, str(each.source_info.name_stack))))
            name = each.primitive.name
            computed_at = each.params.get("compute_type") or getattr(getattr(each, "ctx", None), "compute_type", None)
            host = is_on_host or computed_at == ON_HOST
            if name not in CONTAINERS:
                yield Occurrence(each, stack, path, host, is_in_shards)
                continue
            inside = path
            if name in ("jit", "pjit"):
                inside = "/".join(filter(None, (path, f"jit({each.params.get('name', '')})")))
            for inner in core.jaxprs_in_params(each.params):
                yield from self._through(
                    plain(inner),
                    stack,
                    inside,
                    is_on_host=host,
                    is_in_shards=is_in_shards or name == "shard_map",
                )

    def _stack_of(self, source_info: Any) -> "_OwnStack":  # noqa: ANN401
        traceback = source_info.traceback
        if traceback is None:
            return _OwnStack((), ())
        known = self._stacks.get(traceback)
        if known is None:
            known = self._stacks[traceback] = _own_stack(traceback)
        return known


class _OwnStack:
    """The frames of an equation's own traceback, and the first line of each one's function."""

    __slots__ = ("firsts", "frames")

    def __init__(self, frames: Stack, firsts: tuple[int, ...]) -> None:
        self.frames = frames
        self.firsts = firsts

    def called_from(self, caller: Stack, traced: "tuple[str, int] | None") -> Stack:
        """The frames with those of what calls the function behind them that a jaxpr is of.

        ``traced`` are the file and the first line of that function: frames outside of it are of whoever called first.
        """
        frames = self.frames
        if traced is not None:
            for place in range(len(frames) - 1, -1, -1):
                if (frames[place][0], self.firsts[place]) == traced:
                    return (*frames[: place + 1], *caller)[:MOST_FRAMES]
            if not sys.modules["jax._src.source_info_util"].is_user_filename(traced[0]):
                return caller or frames
        # It is not known where the function begins: all frames are kept, and those that callers share with them once.
        shared = next(
            (count for count in range(min(len(caller), len(frames)), 0, -1) if frames[-count:] == caller[:count]), 0
        )
        return (*frames, *caller[shared:])[:MOST_FRAMES]


def plain(jaxpr: Any) -> Any:  # noqa: ANN401
    """A jaxpr without the constants that it may be closed over."""
    return getattr(jaxpr, "jaxpr", jaxpr)


def _own_stack(traceback: Any) -> _OwnStack:  # noqa: ANN401 (a traceback of jaxlib)
    """The frames of the user's in a traceback."""
    util = sys.modules["jax._src.source_info_util"]
    found = [
        (util.raw_frame_to_frame(code, offset), int(code.co_firstlineno))
        for code, offset in zip(*traceback.raw_frames(), strict=True)
        if util.is_user_filename(code.co_filename)
    ][:MOST_FRAMES]
    return _OwnStack(
        tuple((frame.file_name, int(frame.start_line), frame.function_name) for frame, _ in found),
        tuple(first for _, first in found),
    )


def present_stack() -> Stack:
    """The frames of the user's that are at work now."""
    traceback = sys.modules["jax._src.source_info_util"].current().traceback
    return () if traceback is None else _own_stack(traceback).frames


def _traced_at(jaxpr: Any) -> tuple[str, int] | None:  # noqa: ANN401
    """File and first line of the function that a jaxpr is of; None where jax does not know them."""
    told = str(getattr(getattr(jaxpr, "debug_info", None), "func_src_info", None) or "")
    path, _, line = told.partition(" at ")[2].rpartition(":")
    return (path, int(line)) if path and line.isdecimal() else None
