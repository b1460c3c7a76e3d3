"""Blocks: whether a line still stands in the block of its text that it stood in."""

from collections import Counter

from scopelight.source.drift.pairs import Pairs


def doubt_other_blocks(pairs: Pairs) -> None:
    """Make lines stale that stand in a block now which was there before and was not theirs.

    The best alignment takes the line of another block for one that was cut, where both had it. A line with a
    text of its own, or one that moved together with such a line, may change its block.
    """
    recorded_counts, present_counts = Counter(pairs.recorded), Counter(pairs.present)
    for row, partner in enumerate(pairs.to_present):
        text = pairs.recorded[row]
        if not pairs.is_current[row] or row in pairs.moved or recorded_counts[text] == 1 == present_counts[text]:
            continue
        header, present_header = pairs.recorded_headers[row], pairs.present_headers[partner]
        before = pairs.to_recorded[present_header] if present_header >= 0 else -1
        if before >= 0 and before != header:
            pairs.is_current[row] = False
