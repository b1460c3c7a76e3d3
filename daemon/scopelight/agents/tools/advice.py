"""``advice``: what would make the script faster or smaller."""

from typing import Any

import attrs

from scopelight.agents.answer import Answer, Section
from scopelight.agents.desk import Asked
from scopelight.agents.findings import advice_said, all_said, profile_warnings
from scopelight.agents.foreign import place_name
from scopelight.agents.lines import call_of_line, place_of, text_of
from scopelight.agents.tool import OfRun
from scopelight.analysis.advice.records import Advice, AdviceRecord
from scopelight.report.numbers import duration
from scopelight.report.prediction.around import sentences_of_prediction, without_prediction


@attrs.frozen
class AdviceOptions(OfRun):
    """Which run."""


def advice(asked: Asked[AdviceOptions]) -> Answer:
    """Each advice with its line, its proof, what it saves at best, and what to do."""
    record: AdviceRecord = asked.own_record()
    heads = list(sentences_of_prediction(record.notes))
    if record.step_ps is not None and record.findings:
        heads.append(
            f"Over {record.steps} steady steps of {duration(record.step_ps)} on average; savings are at best, and"
            " overlap:"
        )
    rows = [_row(asked, number, each) for number, each in enumerate(record.findings, 1)]
    if not rows:
        # The notes say why.
        heads.extend([] if record.notes else ["Nothing is advised on this run: no known trouble shows in it."])
    notes = [*all_said(without_prediction(record.notes))]
    if record.effects:
        notes.append("Since the run before:")
        notes.extend(all_said(record.effects))
    sections = [
        Section(heads),
        Section((), rows, _rest, record.left_out),
        Section((), notes),
        profile_warnings(asked.subject()),
    ]
    placed = [each for each in record.findings if each.line is not None]
    data = {
        "steps": record.steps,
        "step_ps": record.step_ps,
        "advice": [_data(asked, each) for each in record.findings],
        "notes": notes,
    }
    if not placed:
        return Answer(sections, data, asked.call("hot_lines"))
    return Answer(sections, data, call_of_line(asked, placed[0]), place_of(placed[0]))


def _rest(left: int) -> str:
    return f"{left} more, with {'a smaller saving, is' if left == 1 else 'smaller savings, are'} left out."


def _row(asked: Asked[Any], number: int, each: Advice) -> str:
    where = place_name(each, asked.base)
    source = text_of(asked, each)
    confidence = "" if each.confidence == "high" else f" ({each.confidence} confidence)"
    within = f" It is a part of what {each.within} saves." if each.within else ""
    place = f"{where} {source}".strip()
    return " ".join(filter(None, (f"{number}. {each.code}{confidence}", place, advice_said(each)))) + within


def _data(asked: Asked[Any], each: Advice) -> dict[str, Any]:
    return {
        "code": each.code,
        "line": place_name(each, asked.base) or None,
        "source": text_of(asked, each)[1:-1],
        "text": advice_said(each),
        "saving_per_step_ps": each.saving_per_step_ps,
        "saving_bytes": each.saving_bytes,
        "confidence": each.confidence,
        "within": each.within,
    }
