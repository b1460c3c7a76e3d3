"""Collapsed stacks: one line per stack, as stackcollapse writes them and flamegraph.pl and speedscope read them.

A line is the labels of the frames, outermost first, separated by semicolons, a space and the weight: a whole number of
picoseconds, FLOPs or bytes, so that the weights sum to the total exactly.
"""

import re
from collections.abc import Iterator
from typing import Final

from scopelight.formats.stacks.weighted import WeightedStacks

_SEPARATORS: Final = re.compile(r"[;\x00-\x1f\x7f\x85\u2028\u2029]")
"""What ends a frame or a line."""


def collapsed(stacks: WeightedStacks) -> Iterator[str]:
    """The lines of the file, each with its end."""
    labels = [_SEPARATORS.sub(" ", frame.label) or "?" for frame in stacks.frames]
    for stack, weight in stacks.stacks.items():
        yield f"{';'.join(labels[row] for row in stack)} {weight}\n"
