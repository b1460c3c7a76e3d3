"""A run with as many executions as one likes: another run again and again, one copy after the other."""

import attrs
import numpy as np


def repeated(profile, events):
    """``profile`` so often that it has at least so many executions."""
    copies = -(-events // max(1, len(profile.executions.start_ps)))
    length_ps = profile.duration_ps + 1_000_000
    runs = len(profile.runs.start_ps)
    return attrs.evolve(
        profile,
        executions=_again(profile.executions, copies, length_ps, runs),
        runs=_again(profile.runs, copies, length_ps, runs),
        duration_ps=copies * length_ps,
    )


def _again(table, copies, length_ps, runs):
    """The columns of a table that has one device, in the order of time."""
    number = np.repeat(np.arange(copies, dtype=np.int64), len(table.start_ps))
    columns = {}
    for each in attrs.fields(type(table)):
        column = getattr(table, each.name)
        if not isinstance(column, np.ndarray) or len(column) != len(table.start_ps):
            continue
        again = np.tile(column, copies)
        if each.name == "start_ps":
            again = again + number * length_ps
        elif each.name == "launch_ps":
            again = np.where(again < 0, again, again + number * length_ps)
        elif each.name == "run":
            again = np.where(again < 0, again, again + number * runs)
        columns[each.name.lstrip("_")] = again.astype(column.dtype)
    return attrs.evolve(table, **columns)
