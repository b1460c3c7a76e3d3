"""Layers: what a loop of Python wrote into a program many times, told by ops that are there equally often."""

from collections import Counter
from collections.abc import Mapping, Sequence

import attrs

from scopelight.analysis.graph.scopes.signatures import OpSignature

LEAST_LAYERS = 3
"""Fewer repetitions are no loop: much is there twice."""
_LEAST_KINDS = 2
"""Of ops in a layer: one kind alone is folded by itself."""
_LEAST_LAYERS_OF_NEARLY = 8
"""Of so many the ends may differ: there an op may be missing, or one be added."""


@attrs.frozen(slots=True)
class Layers:
    """``repeated`` equal layers: the signatures of the ops in them, each there so many times or a multiple of that."""

    repeated: int
    function: str
    signatures: tuple[OpSignature, ...]


def layers_of(ops: Mapping[OpSignature, Sequence[int]]) -> Sequence[Layers]:
    """The layers among ops by their signatures, of each phase by themselves, the largest first."""
    return [
        layers
        for phase in dict.fromkeys(signature.phase for signature in ops)
        for layers in _of_phase({each: len(rows) for each, rows in ops.items() if each.phase == phase})
    ]


def _of_phase(counts: Mapping[OpSignature, int]) -> Sequence[Layers]:
    exact: dict[int, list[OpSignature]] = {}
    for each, count in counts.items():
        if count >= LEAST_LAYERS:
            exact.setdefault(count, []).append(each)
    taken: set[OpSignature] = set()
    found: list[Layers] = []
    for repeated, signatures in sorted(exact.items(), key=lambda each: (-each[0] * len(each[1]), each[0])):
        own = [each for each in signatures if each not in taken]
        if len(own) < _LEAST_KINDS:
            continue
        functions = {(each.path, each.function) for each in own}
        others = [
            each
            for each, count in counts.items()
            if each not in taken
            and each not in own
            and (each.path, each.function) in functions
            and _is_of(count, repeated)
        ]
        taken.update(own, others)
        most = Counter(each.function for each in own).most_common(1)[0][0]
        members = set(own) | set(others)
        found.append(Layers(repeated, most, tuple(each for each in counts if each in members)))
    return found


def _is_of(count: int, repeated: int) -> bool:
    """Whether as many ops are some in each of the layers, or nearly."""
    each = round(count / repeated)
    if each < 1:
        return False
    return abs(count - each * repeated) <= (each if repeated >= _LEAST_LAYERS_OF_NEARLY else 0)
