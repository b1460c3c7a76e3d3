"""The neighbourhood of an op: what lies within some edges of it, hubs shown and not followed."""

from collections.abc import Collection, Mapping, Sequence

from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.program.graph.columns import ProgramGraph


def neighbours(
    graph: ProgramGraph,
    center: int,
    radius: int,
    followed: Collection[int] = (),
    *,
    follows_hubs: bool = False,
    most: int,
) -> tuple[Mapping[int, int], int]:
    """By row of an op its distance from ``center``, nearest first, and how many more there was no room for.

    The neighbours of a hub are looked at where it is the center, one of ``followed``, or ``follows_hubs``. What there
    is no room for is counted at the first distance at which that is so.
    """
    distances = {center: 0}
    level: Sequence[int] = [center]
    for distance in range(1, radius + 1):
        found: dict[int, None] = {}
        for row in level:
            if row != center and graph.is_hub[row] and not follows_hubs and row not in followed:
                continue
            # Turn by turn, so that where there is not room for all, neither side is left out whole.
            producers, consumers = graph.producers(row), graph.consumers(row)
            for at in range(max(len(producers), len(consumers))):
                found.update(dict.fromkeys(producers[at : at + 1]))
                found.update(dict.fromkeys(consumers[at : at + 1]))
        following = [row for row in found if row not in distances]
        room = most - len(distances)
        distances.update(dict.fromkeys(following[:room], distance))
        if len(following) > room:
            return distances, len(following) - room
        level = following
    return distances, 0


def where_to_stand(program: GraphedProgram, row: int) -> tuple[int, Sequence[int]]:
    """The op around which an op's neighbours are looked for, and what is to be opened to show it, outermost first.

    Itself where it runs by itself; inside a fusion that, or the outermost of several.
    """
    around = program.callers_of(row)
    opened: list[int] = []
    standing = row
    while around and program.instruction(standing).computation not in program.running:
        standing = around[-1]
        around = around[:-1]
        opened.insert(0, standing)
    return standing, opened
