"""Rows of comparisons, made without profiles."""

import numpy as np

from scopelight.analysis.compare.entries import Entry, Table, rounds_of
from scopelight.analysis.compare.judging import Circumstances
from scopelight.analysis.compare.pairing import PairedLines, pairs

FILE = "train.py"
SECOND_PS = 10**12


def line(number, time_ps, *, file=FILE, key=None, function="step", **fields):
    """A line of one run."""
    return Entry(
        key=key or f"{file}:{number}",
        kind="line",
        label=function,
        identities=("line",),
        path=file,
        file=file,
        line=number,
        function=function,
        time_ps=time_ps,
        **fields,
    )


def side(*runs):
    """The rows of a side, each run as times by line, or as its entries."""
    return rounds_of(
        [
            Table(
                [
                    each if isinstance(each, Entry) else line(*each)
                    for each in (run.items() if isinstance(run, dict) else run)
                ]
            )
            for run in runs
        ]
    )


def in_place(file=FILE):
    """Sources of which every line stays where it is."""
    from scopelight.analysis.compare.pairing import OtherPlace  # noqa: PLC0415 (names are shorter so)

    def same(place):
        return OtherPlace(*place, "text") if place[0] == file else None

    return PairedLines({file: file}, same, same)


def circumstances(rounds, **fields):
    """Rounds on an accelerator, unless said otherwise."""
    of = {"in_turn": rounds > 1, "is_exact": False, "is_on_cpu": False, "controls": True} | fields
    return Circumstances(rounds=rounds, **of)


def noisy_pairs(generator, times_ps, factors, rounds=5, machine=0.2, own=0.015):
    """Rounds of lines that take ``times_ps``, and times ``factors`` after; the machine changes with each round."""
    before, after = [], []
    for _ in range(rounds):
        common = generator.normal(0, machine)
        drift = generator.normal(0, machine / 10)
        for runs, scale, shift in ((before, np.ones(len(times_ps)), 0.0), (after, np.asarray(factors), drift)):
            noise = np.exp(common + shift + generator.normal(0, own, len(times_ps)))
            runs.append({row + 1: int(time_ps) for row, time_ps in enumerate(np.asarray(times_ps) * scale * noise)})
    return pairs(side(*before), side(*after), in_place())
