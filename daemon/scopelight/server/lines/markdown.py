"""Lines of the shown run as Markdown, for the clipboard."""

from scopelight.protocol.lines import CopyLine, Markdown
from scopelight.report.language import text
from scopelight.report.markdown import line_facts, lines_table
from scopelight.server.documents.paths import checked_name
from scopelight.server.runs.shown_run import shown_run
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed


async def copy_as_markdown(session: Session, params: CopyLine) -> Markdown:
    """One line of the shown run, or the table of all. Raises `RequestFailed` where there is nothing to copy."""
    run = shown_run(session)
    if params.file is None or params.line is None:
        survey = await session.placements.survey(run)
        return Markdown(lines_table(run.record, survey.sources, session.costs.of(run)))
    row = await session.placements.row(run, checked_name(params.file), params.line)
    if row is None:
        raise RequestFailed(
            text("Line {line} of {file} has no time in the run that is shown.", line=params.line, file=params.file)
        )
    survey = await session.placements.survey(run)
    costs = session.costs.of(run)
    return Markdown(
        line_facts(run.record.lines[row], run.record, survey.sources[row], costs, session.memory.of(run), row)
    )
