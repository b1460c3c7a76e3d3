"""Every equation of a program, each with the frames of the user's that it is from and the path of names around it.

Within nested programs stacks and names begin anew, and stacks are of whoever called first, for jax keeps what it
traced: frames of what calls are put behind those of what is called, and names before.
"""

import sys
from collections.abc import Iterator, Sequence
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
        self._stacks: dict[Any, Stack] = {}

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
            own = self._stack_of(each.source_info)
            stack = own if not outer and not caller else (*_within(own, traced), *caller)[:MOST_FRAMES] or own
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

    def _stack_of(self, source_info: Any) -> Stack:  # noqa: ANN401
        traceback = source_info.traceback
        if traceback is None:
            return ()
        known = self._stacks.get(traceback)
        if known is None:
            known = self._stacks[traceback] = user_stack(source_info)
        return known


def plain(jaxpr: Any) -> Any:  # noqa: ANN401
    """A jaxpr without the constants that it may be closed over."""
    return getattr(jaxpr, "jaxpr", jaxpr)


def user_stack(source_info: Any) -> Stack:  # noqa: ANN401
    """The frames of the user's that an equation is from."""
    user_frames = sys.modules["jax._src.source_info_util"].user_frames
    try:
        frames = list(user_frames(source_info.traceback))
    except AttributeError:
        # In older versions it takes what holds the traceback.
        frames = list(user_frames(source_info))
    return tuple((each.file_name, int(each.start_line), each.function_name) for each in frames[:MOST_FRAMES])


def present_stack() -> Stack:
    """The frames of the user's that are at work now."""
    return user_stack(sys.modules["jax._src.source_info_util"].current())


def _traced_at(jaxpr: Any) -> tuple[str, str] | None:  # noqa: ANN401
    """Name and file of the function that a jaxpr is of."""
    debug_info = getattr(jaxpr, "debug_info", None)
    told = getattr(debug_info, "func_src_info", None)
    name, at, place = str(told or "").partition(" at ")
    return (name, place.rpartition(":")[0]) if at else None


def _within(stack: Sequence[tuple[str, int, str]], traced: tuple[str, str] | None) -> Stack:
    """The frames of a stack that are in a function or in what it calls; none where it is none of the user's."""
    if traced is None:
        return ()
    name, file = traced
    for place in range(len(stack) - 1, -1, -1):
        path, _, function = stack[place]
        if path == file and function.rpartition(".")[2] == name:
            return tuple(stack[: place + 1])
    return ()
