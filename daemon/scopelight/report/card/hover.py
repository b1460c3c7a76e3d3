"""The card under the pointer, as Markdown: a sentence, phases, ops, what is wrong, and where to go from here."""

from collections.abc import Collection, Sequence

from scopelight.analysis.compare.line_changes import LineChanges
from scopelight.analysis.lines.costs import LineCosts, wasteful
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.records import PHASE_NAMES, LineRecord, LinesRecord
from scopelight.report.card.findings import LEAST_SHARE_RATIO, LEAST_WASTE_RATIO, notes_on, padding_findings
from scopelight.report.card.op_lines import MOST_OPS, beside_ops, op_lines
from scopelight.report.card.sentence import sentence
from scopelight.report.card.waiting import waiting_paragraphs
from scopelight.report.compare.in_text import change_paragraph
from scopelight.report.cost_text import padding_fact
from scopelight.report.foreign_text import markdown_block, markdown_text
from scopelight.report.host.collectives import collectives_text, host_spread_text
from scopelight.report.language import template, text
from scopelight.report.memory.sentences import memory_paragraph
from scopelight.report.numbers import share
from scopelight.report.op_name import phase_name
from scopelight.report.prediction.fact import prediction_fact
from scopelight.report.prediction.marks import marked, timed

_STALE = template("*Edited since it was measured: the numbers are of the line as it was.*")


@marked
def hover_card(
    line: LineRecord,
    record: LinesRecord,
    *,
    stale: bool = False,
    recorded_text: str | None = None,
    links: Sequence[str] = (),
    ops_link: str | None = None,
    costs: LineCosts | None = None,
    memory: LineMemory | None = None,
    changes: LineChanges | None = None,
    row: int = 0,
    least_waste_ratio: float = LEAST_WASTE_RATIO,
    least_share_ratio: float = LEAST_SHARE_RATIO,
    edited_sizes: Collection[int] = (),
) -> str:
    """The card of ``line``; ``links`` are ready Markdown, ``ops_link`` leads to all ops of the line.

    ``costs`` gives rates and padding, those of the line as its ``row``, and what is wrong where at least
    ``least_waste_ratio`` of the work of ops with ``least_share_ratio`` of the op time together is padding. Nothing is
    wrong with ``edited_sizes``, which are others now. ``memory`` gives what the line has in memory at the peak,
    ``changes`` what became of it since the run that is compared.

    A ``stale`` card says so first and shows the ``recorded_text`` that was measured, where it is known. Everything
    that comes from the profile is escaped.
    """
    parts: list[str | None] = []
    if stale:
        parts.append(text(_STALE))
        parts.append(markdown_block(recorded_text) if recorded_text is not None else None)
    parts.append(sentence(line, record, costs, row))
    change = changes.of(line) if changes is not None else None
    if changes is not None and change is not None:
        parts.append(change_paragraph(change, changes))
    if line.inclusive_ps or line.waiting_inclusive_ps:
        parts.extend(waiting_paragraphs(line, record))
    parts.append(prediction_fact(record))
    parts.append(_across_devices(line))
    facts = _phases(line)
    if costs is not None:
        facts.extend(padding_fact(costs.padding(row), markdown_text(costs.target or "")))
    parts.append(" · ".join(facts))
    if line.ops:
        parts.append(op_lines(line, costs))
        parts.append(beside_ops(line, ops_link))
    in_memory = memory.of(line) if memory is not None else None
    if memory is not None and in_memory is not None:
        parts.append(memory_paragraph(in_memory, memory))
    if costs is not None:
        worst = wasteful(costs.padding(row), least_waste_ratio, least_share_ratio, edited_sizes)
        parts.extend(padding_findings(worst, costs, edited_sizes))
        parts.extend(notes_on(line.ops[:MOST_OPS], costs))
    parts.append(" · ".join(links))
    return "\n\n".join(filter(None, parts)) + "\n"


def _across_devices(line: LineRecord) -> str:
    """What its collectives wait and move, and how it differs between hosts."""
    spread = host_spread_text(line)
    of_hosts = text("hosts: {spread}", spread=markdown_text(spread)) if spread else ""
    return " · ".join(fact for fact in (collectives_text(line), of_hosts) if fact)


def _phases(line: LineRecord) -> list[str]:
    """``forward 25.0 %``, ``backward 75.0 %``: of a line that has several, for the sentence names one that is alone."""
    phases = [(name, time_ps) for name in PHASE_NAMES if (time_ps := getattr(line, f"{name}_ps"))]
    if len(phases) < 2:
        return []
    return [f"{phase_name(name)} {timed(share(time_ps / line.self_ps))}" for name, time_ps in phases]
