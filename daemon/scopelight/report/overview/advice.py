"""Advice in the terminal: what to do, largest saving first."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from scopelight.analysis.advice.records import AdviceRecord
from scopelight.findings import Finding
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.worded import closing, worded
from scopelight.report.language import text
from scopelight.report.numbers import duration
from scopelight.report.places import place
from scopelight.report.tables.text_table import say


def render_advice(record: AdviceRecord, console: Console, *, base: Path, limit: int = 20) -> None:
    """Print each advice with its line, its proof, what it saves at best, and what to do."""
    if record.step_ps is not None and record.findings:
        head = text("{steps} steady steps of {time} on average", steps=record.steps, time=duration(record.step_ps))
        say(console, (head,))
    for number, each in enumerate(record.findings[:limit], 1):
        said = worded(each, "terminal")
        where = place(each, base)
        console.print()
        say(console, (f"{number}. {each.code}{f'  {where}' if where else ''}",))
        say(console, tuple(f"   {line}" for line in (said.text, saving_text(each), said.remedy) if line))
    if record.left_out:
        console.print()
        say(console, (text("{number} more with smaller savings are left out.", number=record.left_out),))
    say_effects(record.effects, console)
    if record.findings and record.notes:
        console.print()
    say(console, closing(record.notes))


def say_effects(effects: Sequence[Finding], console: Console) -> None:
    """Print what came of the advice on the run before."""
    if effects:
        console.print()
        say(console, (text("Since the run before:"), *(f"   {worded(each, 'terminal').text}" for each in effects)))
