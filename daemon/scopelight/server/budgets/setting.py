"""Set Budget from This Run: what a run would hold, and the edits that write it into the file of budgets."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.protocol.budgets import (
    BudgetEdits,
    ProposeBudgets,
    ProposedBudget,
    ProposedBudgets,
    SetBudgets,
    TextReplacement,
)
from scopelight.report.language import sentence_of, text
from scopelight.server.budgets.open_texts import OpenTexts
from scopelight.server.budgets.shown_budgets import CONFIG
from scopelight.server.documents.paths import checked_path
from scopelight.server.wire.faults import RequestFailed

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject
    from scopelight.budgets.proposals import Proposal
    from scopelight.model.run.information import RunInformation
    from scopelight.server.runs.loading import LoadedRun
    from scopelight.server.session import Session


@attrs.frozen
class _Asked:
    """Where the person stands, and what the session knows."""

    file: Path | None
    line: int | None
    roots: Sequence[Path]
    texts: OpenTexts


async def propose_budgets(session: Session, params: ProposeBudgets) -> ProposedBudgets:
    """What a run would hold. Raises `RequestFailed` where none is shown, and `FormatError` where it cannot be read."""
    run = await _run(session, params)
    subject = await session.records.subject(run)
    file = checked_path(params.file) if params.file is not None else None
    asked = _Asked(file, params.line, session.roots, OpenTexts.of(session.documents))
    return await session.work.run("long", functools.partial(_propose, subject, run.capture, run.title, asked))


async def set_budgets(session: Session, params: SetBudgets) -> BudgetEdits:
    """The edits. Raises `RequestFailed` with a sentence where the file cannot be given budgets."""
    config = checked_path(params.config)
    texts = OpenTexts.of(session.documents)
    units = session.documents.codec.client_num_units

    def edit() -> BudgetEdits:
        from scopelight.budgets.writing import NewBudget, NotWritableError, replacements  # noqa: PLC0415

        lines = texts.read(config)
        present = "\n".join(lines or ())
        chosen = [NewBudget(each.name, each.limit, each.place) for each in params.budgets]
        try:
            found = replacements(present, chosen)
        except NotWritableError as error:
            raise RequestFailed(sentence_of(error)) from error

        def position(at: int) -> tuple[int, int]:
            before = present[:at]
            return before.count("\n"), units(before.rpartition("\n")[2])

        edits = tuple(TextReplacement(*position(each.start), *position(each.end), each.text) for each in found)
        # What is added at the end of a line begins on the next.
        first = min((each.start_line + 1 + each.text.startswith("\n") for each in edits), default=1)
        return BudgetEdits(str(config), lines is None, edits, first)

    return await session.work.quick(edit)


async def _run(session: Session, params: ProposeBudgets) -> LoadedRun:
    if params.path is not None:
        path = checked_path(params.path)
        if session.shown is None or session.shown.path != path:
            return await session.loading.load(path, session.roots, session.settings.scope, lambda _: None)
    if session.shown is None:
        raise RequestFailed(text("No run is shown: open one first."))
    return session.shown


def _propose(subject: Subject, capture: RunInformation | None, title: str, asked: _Asked) -> ProposedBudgets:
    from scopelight.budgets.config import config_of  # noqa: PLC0415 (what analyses takes a second to import)
    from scopelight.budgets.proposals import proposals  # noqa: PLC0415
    from scopelight.budgets.reading import read_budgets  # noqa: PLC0415
    from scopelight.source.definitions import Definitions  # noqa: PLC0415

    config = config_of(capture, *asked.roots) or _new_config(subject, capture, asked.roots)
    lines = asked.texts.read(config)
    function = None
    if asked.file is not None and asked.line is not None:
        function = Definitions.of(asked.texts.read(asked.file) or ()).around(asked.line)
    file = Path(os.path.relpath(asked.file, config.parent)).as_posix() if asked.file is not None else None
    found = proposals(subject, config.parent, file, function)
    if not found:
        raise RequestFailed(text("The run holds nothing that a budget could be of."))
    present = {(each.place, each.name): each for each in read_budgets("\n".join(lines or ())).budgets}
    budgets = [_proposed(each, present.get((each.budget.place, each.budget.name))) for each in found]
    return ProposedBudgets(title, str(config), lines is None, tuple(budgets))


def _new_config(subject: Subject, capture: RunInformation | None, roots: Sequence[Path]) -> Path:
    """Where there is no file yet: in the workspace folder that holds the script, else in the first, else beside it."""
    script = Path(capture.cwd or "", capture.script) if capture is not None and capture.script else None
    holding = (root for root in roots if script is not None and script.is_relative_to(root))
    folder = next(holding, next(iter(roots), script.parent if script is not None else subject.path.parent))
    return folder / CONFIG


def _proposed(proposal: Proposal, present: object) -> ProposedBudget:
    from scopelight.analysis.budgets.judgement import judged  # noqa: PLC0415
    from scopelight.analysis.budgets.records import Budget  # noqa: PLC0415
    from scopelight.report.budgets.sentences import amount, subject  # noqa: PLC0415
    from scopelight.report.findings.worded import sentences  # noqa: PLC0415
    from scopelight.report.numbers import whole_share  # noqa: PLC0415

    budget = proposal.budget
    row = judged(budget, proposal.taken)
    taken = amount(row, row.value)
    more = float(budget.limit / proposal.taken.value - 1) if proposal.taken.value > 0 else 0.0
    if budget.kind.compares:
        detail = text("Against the run that is chosen with Compare with…")
    elif more > 0:
        detail = text("This run: {taken}; {more} more are allowed", taken=taken, more=whole_share(more))
    else:
        detail = text("This run: {taken}", taken=taken)
    detail = ". ".join((detail, *(sentences(each, "editor").removesuffix(".") for each in row.findings)))
    if isinstance(present, Budget):
        detail = text("{detail}. Allowed now: {limit}", detail=detail, limit=amount(row, float(present.limit)))
    return ProposedBudget(
        budget.name,
        budget.place,
        proposal.limit,
        subject(row),
        text("at most {limit}", limit=amount(row, row.limit)),
        detail,
        proposal.is_first_choice,
    )
