"""A table in Markdown, of cells that are Markdown already."""

from collections.abc import Collection, Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Rows under a ``header``; the columns in ``right`` are aligned to the right."""
    rule = ["--:" if column in right else "---" for column in range(len(header))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))
