"""Meanwhile: where the script's other threads stood while a device waited for a line."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from scopelight.analysis.device_time.busy import cut_at
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.charging import WaitingOfScope
from scopelight.analysis.totals.waiting.launching import OtherThread
from scopelight.formats.columns import Int64
from scopelight.model.host.stands import Stands
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Frame


def meanwhile(
    waiting: WaitingOfScope, threads: Sequence[OtherThread], frames: UserFrames
) -> Mapping[LineKey, Counter[tuple[int, Frame]]]:
    """By line that devices waited for, how long of that each thread, by its row, stood on which line of the user's."""
    if not threads:
        return {}
    of_groups: dict[int, Counter[tuple[int, Frame]]] = defaultdict(Counter)
    pieces, rows = waiting.pieces, waiting.rows
    for device in set(pieces.device[rows].tolist()):
        of_device = np.flatnonzero(pieces.device[rows] == device)
        start_ps = pieces.start_ps[rows][of_device]
        end_ps = start_ps + pieces.duration_ps[rows][of_device]
        group = waiting.group[of_device]
        for row, thread in enumerate(threads):
            for (of, stack), time_ps in _stood(start_ps, end_ps, group, thread.stands).items():
                user = frames.of(thread.stands.stacks[stack])
                if user:
                    of_groups[of][row, user[0]] += time_ps
    found: dict[LineKey, Counter[tuple[int, Frame]]] = {}
    for key, line in waiting.lines.items():
        sums: Counter[tuple[int, Frame]] = Counter()
        for of, part_ps in line.pieces:
            # Of an op that lines share each has its part.
            whole_ps = max(1, int(waiting.sums_ps[of]))
            for place, time_ps in of_groups.get(of, Counter()).items():
                sums[place] += round(time_ps * part_ps / whole_ps)
        if +sums:
            found[key] = +sums
    return found


def _stood(start_ps: Int64, end_ps: Int64, group: Int64, stands: Stands) -> Counter[tuple[int, int]]:
    """How long a thread stood on each of its stacks in spans, by the group of the span."""
    if not len(start_ps):
        return Counter()
    order = np.argsort(start_ps, kind="stable")
    start_ps, end_ps, group = start_ps[order], end_ps[order], group[order]
    begins, ends, span = cut_at(Spans(start_ps, end_ps - start_ps), stands.start_ps)
    stack = stands.at(begins)
    found: Counter[tuple[int, int]] = Counter()
    known = np.flatnonzero(stack >= 0)
    width = len(stands.stacks)
    cells, inverse = np.unique(group[span[known]] * width + stack[known], return_inverse=True)
    sums = np.zeros(len(cells), dtype=np.int64)
    np.add.at(sums, inverse, (ends - begins)[known])
    for cell, time_ps in zip(cells.tolist(), sums.tolist(), strict=True):
        found[cell // width, cell % width] += time_ps
    return found
