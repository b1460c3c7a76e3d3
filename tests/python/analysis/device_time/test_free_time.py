"""Free time told apart: its parts make it up, and each is of what went on."""

import attrs
import numpy as np

from made.executions import executions_of, ops_of_module, profile_of_executions
from made.profiles import spans
from scopelight.analysis.device_time.free_time import free_parts
from scopelight.analysis.device_time.overlap import overlap

LEAF, COPY, FEED, LOOP = ops_of_module(
    [(f"{opcode}.1", opcode, ()) for opcode in ("fusion", "copy-done", "infeed", "while")]
)


def parts_of(rows, window_ps, **known):
    profile = attrs.evolve(profile_of_executions(executions_of(rows), window_ps), **known)
    free = overlap(profile.executions, 0, window_ps).free
    parts = free_parts(profile, 0, free)
    edges = sorted((start, end) for each in parts.values() for start, end in edges_of(each))
    assert edges_of(merged_edges(edges)) == edges_of(free)
    return {kind: edges_of(each) for kind, each in parts.items() if len(each.start_ps)}


def edges_of(found):
    return list(zip(found.start_ps.tolist(), (found.start_ps + found.duration_ps).tolist(), strict=True))


def merged_edges(edges):
    whole = []
    for start, end in edges:
        if whole and whole[-1][1] == start:
            whole[-1] = (whole[-1][0], end)
        else:
            whole.append((start, end))
    return spans(*whole) if whole else spans(*np.zeros((0, 2), dtype=np.int64))


def test_a_copy_an_infeed_a_loop_and_idling_have_parts_of_their_own():
    rows = [(LEAF, 0, 10), (COPY, 12, 20), (FEED, 20, 25), (LOOP, 30, 60), (LEAF, 35, 50)]
    assert parts_of(rows, 70) == {
        "copy": [(12, 20)],
        "host": [(20, 25)],
        "container": [(30, 35), (50, 60)],
        "idle": [(10, 12), (25, 30), (60, 70)],
    }


def test_what_was_not_traced_is_not_called_idle_and_compiling_is_told_apart():
    found = parts_of(
        [(LEAF, 0, 10), (LEAF, 90, 100)], 100, untraced=spans((20, 30)), compiling=spans((5, 15), (25, 40))
    )
    assert found == {"untraced": [(20, 30)], "compiling": [(10, 15), (30, 40)], "idle": [(15, 20), (40, 90)]}
