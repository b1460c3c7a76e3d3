"""Blocks: in which block of its text a line stands, by the header above it that has less indentation."""

from collections import Counter
from collections.abc import Sequence

from scopelight.source.pairs import Pairs


def doubt_other_blocks(pairs: Pairs) -> None:
    """Make lines stale that stand in a block now which was there before and was not theirs.

    The best alignment takes the line of another block for one that was cut, where both had it. A line with a
    text of its own, or one that moved together with such a line, may change its block.
    """
    recorded_counts, present_counts = Counter(pairs.recorded), Counter(pairs.present)
    recorded_headers, present_headers = headers(pairs.recorded_texts), headers(pairs.present_texts)
    for row, partner in enumerate(pairs.to_present):
        text = pairs.recorded[row]
        if not pairs.is_current[row] or row in pairs.moved or recorded_counts[text] == 1 == present_counts[text]:
            continue
        header, present_header = recorded_headers[row], present_headers[partner]
        before = pairs.to_recorded[present_header] if present_header >= 0 else -1
        if before >= 0 and before != header:
            pairs.is_current[row] = False


def headers(texts: Sequence[str]) -> list[int]:
    """Row of the nearest line above with less indentation, -1 where there is none."""
    headers = []
    open_rows: list[tuple[int, int]] = []
    for row, text in enumerate(texts):
        indentation = len(text) - len(text.lstrip())
        while open_rows and open_rows[-1][0] >= indentation:
            open_rows.pop()
        headers.append(open_rows[-1][1] if open_rows else -1)
        open_rows.append((indentation, row))
    return headers
