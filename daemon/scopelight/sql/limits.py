"""What a query may take: time, memory, rows, processors."""

import os
from typing import Final

import attrs

SECONDS_OF_PEOPLE: Final = 30.0
SECONDS_OF_AGENTS: Final = 10.0
_MEMORY_BYTES: Final = 1 << 30
_MOST_THREADS: Final = 4


@attrs.frozen
class Limits:
    """``rows`` of the answer are kept, all for None; what is left out is counted. ``memory_bytes`` is what the query
    may take beyond the tables, ``seconds`` how long it may last, what counts rows that are left out included.
    """

    seconds: float = SECONDS_OF_PEOPLE
    rows: int | None = None
    memory_bytes: int = _MEMORY_BYTES
    threads: int = attrs.field(factory=lambda: max(1, min(_MOST_THREADS, os.cpu_count() or 1)))
