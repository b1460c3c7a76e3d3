"""A line that has no time: what is advised on it, such as on the one that compiles, and what it has in memory."""

from typing import Any

from scopelight.agents.answer import Answer, Section
from scopelight.agents.desk import Asked
from scopelight.agents.findings import advice_said
from scopelight.agents.foreign import place_name, quoted
from scopelight.agents.lines import is_of, place_of, text_of
from scopelight.analysis.advice.records import AdviceRecord
from scopelight.analysis.memory.fit.records import FitRecord
from scopelight.analysis.memory.plan.records import MemoryLinesRecord
from scopelight.report.numbers import byte_size, share


def without_time(asked: Asked[Any], path: str, number: int | None) -> Answer | None:
    """What is known of such a line; None where nothing is."""
    advice: AdviceRecord = asked.record("advice")
    fit: FitRecord = asked.record("fit")
    memory: MemoryLinesRecord = asked.record("memory-lines")
    of_run = [each for each in (*advice.findings, *fit.savings) if each.line == number and is_of(each, path)]
    # What would make a prediction fit is advised on the run as well.
    advised = list({(each.code, advice_said(each)): each for each in of_run}.values())
    held = [each for each in (*memory.lines, *fit.lines) if each.line == number and is_of(each, path)]
    of_line = next(iter((*advised, *held)), None)
    if number is None or of_line is None:
        return None
    source = text_of(asked, of_line)
    said = [
        f"{place_name(of_line, asked.base)}{f': {source}' if source else ''}",
        "It has no time of its own in this run.",
    ]
    rows = [f"advice {each.code}: {advice_said(each)}" for each in advised]
    if held:
        program, peak_bytes = (
            quoted(memory.module or fit.module or ""),
            max(1, memory.peak_bytes or fit.peak_bytes or 0),
        )
        size = f"{byte_size(held[0].bytes)}, {share(held[0].bytes / peak_bytes)} of the peak of {program}"
        rows.append(f"Memory: {size}.")
    data = {
        "line": place_name(of_line, asked.base),
        "source": source[1:-1],
        "advice": [{"code": each.code, "text": advice_said(each)} for each in advised],
        "bytes_at_peak": held[0].bytes if held else None,
    }
    return Answer([Section(said, rows)], data, asked.call("hot_lines"), place_of(of_line))
