"""A table in Markdown, of cells that are Markdown already."""

from collections.abc import Collection, Sequence


def markdown_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Collection[int] = (),
    optional: Collection[int] = (),
) -> str:
    """Rows under a ``header``; the columns in ``right`` are aligned to the right.

    Those that are ``optional`` are there only where a row has something in them.
    """
    rule = ["--:" if column in right else "---" for column in range(len(header))]
    shown = [column for column in range(len(header)) if column not in optional or any(row[column] for row in rows)]
    return "\n".join(f"| {' | '.join(cells[column] for column in shown)} |" for cells in (header, rule, *rows))
