"""The kernels of a program's only op: after how many of them, one after the other, its next execution begins."""

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64

_MOST_KERNELS = 64
"""Longest sequence of kernels that is looked for."""


def begin_executions(kernel: Int64, launch: Int32, interrupted: Bool, *, no_kernel_twice: bool) -> Bool:
    """Where executions of an op begin among its kernels, given in order; of those of known ``launch`` nothing is said.

    An execution takes as many kernels as known launches do. Without any, the shortest sequence of kernels that repeats
    between interruptions is one execution; but where a kernel may run twice for one (``no_kernel_twice`` is False) and
    all that stands between two interruptions is of one length, or several times that, this is the length.
    """
    begins = np.zeros(len(kernel), dtype=np.bool_)
    rows = np.flatnonzero(launch < 0)
    if not len(rows):
        return begins
    opens = interrupted[rows]
    opens[0] = True
    segment = np.cumsum(opens) - 1
    first = np.flatnonzero(opens)
    known = np.bincount(launch[launch >= 0])
    length = int(np.median(known[known > 0])) if known.any() else _shortest(kernel[rows], segment)
    if not known.any() and not no_kernel_twice:
        lengths = np.diff(np.append(first, len(rows)))
        least = int(lengths.min())
        if len(lengths) > 1 and not (lengths % least).any() and least % length == 0:
            length = least
    begins[rows] = (np.arange(len(rows)) - first[segment]) % length == 0
    return begins


def _shortest(kernel: Int64, segment: Int64) -> int:
    """Length of the shortest sequence that every segment repeats; the whole where none of some length does."""
    longest = int(np.bincount(segment).max())
    for length in range(1, min(longest, _MOST_KERNELS) + 1):
        apart = segment[length:] == segment[:-length]
        if (kernel[length:] == kernel[:-length])[apart].all():
            return length
    return longest
