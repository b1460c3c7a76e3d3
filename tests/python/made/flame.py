"""What tests hold of flame graphs."""

from collections import defaultdict


def inclusive_of_lines(record):
    """The inclusive op time of every line that has any, by (file, line): over the stacks that hold it, each once."""
    by_key = {row.key: row for row in record.rows}
    sums = defaultdict(int)
    for row in record.rows:
        lines, at = set(), row
        while at is not None:
            if at.kind == "frame":
                lines.add((at.file or at.path, at.line))
            at = by_key.get(at.parent)
        for line in lines:
            sums[line] += row.self_ps
    return {line: time for line, time in sums.items() if time}
