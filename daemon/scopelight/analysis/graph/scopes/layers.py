"""Layers: what a loop of Python wrote into a program many times, told by what is there equally often."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import attrs

from scopelight.analysis.graph.scopes.signatures import OpSignature

LEAST_LAYERS = 3
"""Fewer repetitions are no loop: much is there twice."""
_LEAST_KINDS = 2
"""Of ops in a layer without products: one kind alone is folded by itself."""
_LEAST_LAYERS_OF_NEARLY = 8
"""Of so many the ends may differ: there an op may be missing, or one be added."""
_MOST_LOOPS = 16
"""Of one phase of one scope; only a hostile file has more."""

_Ops = Mapping[OpSignature, Sequence[int]]
_Line = tuple[str | None, int]


@attrs.frozen(slots=True)
class Layers:
    """``repeated`` equal layers, and the signatures of the ops in them, most of them there a multiple as often."""

    repeated: int
    signatures: tuple[OpSignature, ...]


def layers_of(ops: _Ops, product_of: Callable[[int], Hashable | None]) -> Sequence[Layers]:
    """The layers among ops by their signatures, of each phase by themselves.

    How many there are, products say (``product_of`` has the sizes of one, None of what is none): each line of a loop
    has as many as there are layers, or a multiple of that. What else is on such lines is in the layers, too: what a
    compiler fuses around products differs between the first and the last of them. Without products it is what ops of
    several kinds have in common that are there equally often.
    """
    found: list[Layers] = []
    for phase in dict.fromkeys(signature.phase for signature in ops):
        left = {each: rows for each, rows in ops.items() if each.phase == phase}
        for find in (_around_products, _equally_often):
            for _ in range(_MOST_LOOPS):
                layers = find(left, product_of)
                if layers is None:
                    break
                found.append(layers)
                left = {each: rows for each, rows in left.items() if each not in set(layers.signatures)}
    return found


def _around_products(ops: _Ops, product_of: Callable[[int], Hashable | None]) -> Layers | None:
    counts: Counter[tuple[_Line, Hashable]] = Counter()
    for each, rows in ops.items():
        for product in filter(None, map(product_of, rows)):
            counts[_line(each), product] += 1
    repeated = _most_likely(counts.values())
    if repeated is None:
        return None
    lines = {line for (line, _), count in counts.items() if _is_multiple(count, repeated)}
    lines |= {_line(each) for each, rows in ops.items() if _is_multiple(len(rows), repeated)}
    return Layers(repeated, tuple(each for each in ops if _line(each) in lines))


def _equally_often(ops: _Ops, _: object) -> Layers | None:
    kinds = Counter(len(rows) for rows in ops.values() if len(rows) >= LEAST_LAYERS)
    repeated = max((count for count, number in kinds.items() if number >= _LEAST_KINDS), key=_weight(kinds), default=0)
    if not repeated:
        return None
    lines = {_line(each) for each, rows in ops.items() if len(rows) == repeated}
    return Layers(
        repeated,
        tuple(
            each
            for each, rows in ops.items()
            if len(rows) == repeated or (_line(each) in lines and _is_multiple(len(rows), repeated))
        ),
    )


def _weight(kinds: Mapping[int, int]) -> Callable[[int], tuple[int, int]]:
    return lambda count: (count * kinds[count], -count)


def _most_likely(counts: Iterable[int]) -> int | None:
    """The number that most counts are, of several such the one that divides most others; None where all are small."""
    numbers = Counter(count for count in counts if count >= LEAST_LAYERS)

    def score(number: int) -> tuple[int, int, int]:
        return numbers[number], sum(times for each, times in numbers.items() if each % number == 0), number

    return max(numbers, key=score, default=None)


def _is_multiple(count: int, repeated: int) -> bool:
    """Whether as many ops are some in each of the layers, or nearly."""
    each = round(count / repeated)
    return each >= 1 and abs(count - each * repeated) <= (each if repeated >= _LEAST_LAYERS_OF_NEARLY else 0)


def _line(signature: OpSignature) -> _Line:
    return signature.path, signature.line
