"""Memory while a script ran, in the terminal."""

import io
from pathlib import Path

from rich.console import Console

from scopelight.analysis.memory.profile.records import (
    MemoryBreakdownRow,
    MemoryProfileRecord,
    MemoryRecord,
    MemorySample,
)
from scopelight.report.memory.profile import render_memory_profile


def test_large_counts_have_groups_and_foreign_names_do_not_move_the_cursor():
    parts = tuple(MemoryBreakdownRow(f"op{number}", 1) for number in range(1500))
    sample = MemorySample(0, None, 1500)
    memory = MemoryRecord(
        "0", "TPU\x1b 0", "accelerator", "samples", None, 1500, 0, None, None, None, (sample,), parts, (), 1
    )
    console = Console(file=io.StringIO(), width=200)
    render_memory_profile(MemoryProfileRecord((memory,), (), None, None), console, base=Path("/w"), limit=3)
    text = console.file.getvalue()
    assert "\n3 of 1\N{NARROW NO-BREAK SPACE}500 rows.\n" in text
    assert "\nTPU\N{REPLACEMENT CHARACTER} 0, 1.46 KiB at the peak:\n" in text
