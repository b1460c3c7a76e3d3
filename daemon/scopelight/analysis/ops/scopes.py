"""Scopes: the path of names around an op, without what jax adds to it."""

import functools

from scopelight.analysis.totals.names import scope_and_primitive
from scopelight.program.hlo.path import Mark, is_computed_again, levels_of

FORWARD, BACKWARD, RECOMPUTE, OPTIMIZER = "[forward]", "[backward]", "[recompute]", "[optimizer]"

_MOST_LEVELS = 64
"""Scopes nested deeper than that are one; only a hostile file has them."""
_WRITTEN: dict[Mark, str] = {"": "", "forward": FORWARD, "backward": BACKWARD}


@functools.lru_cache(maxsize=1 << 16)
def scope_of(op_name: str, *, computes_again: bool = True) -> tuple[str, ...]:
    """The levels of scopes around an op, outermost first: ``("block [backward]", "mlp")``.

    The leading ``jit(f)`` is the program's and dropped, as is the primitive. A level inside ``jvp(...)`` is marked as
    forward, inside ``transpose(jvp(...))`` as backward, and as recompute where the op was computed again for the
    backward pass; one without a name keeps the mark alone. Levels of loops and calls are dropped. An op that does not
    compute again although its name says so (``computes_again``) is what is left of the forward pass.
    """
    path, _ = scope_and_primitive(op_name)
    mark_left = ""
    if is_computed_again(path):
        mark_left = RECOMPUTE if computes_again else FORWARD
    scope: list[str] = []
    for level in levels_of(path, _MOST_LEVELS):
        mark = _WRITTEN[level.mark]
        if mark and mark_left:
            mark, mark_left = mark_left, ""
        scope.append(" ".join(filter(None, (level.name, mark))))
    if mark_left:
        scope.append(mark_left)
    return tuple(scope)
