"""Where a recorded line is in the present text."""

from scopelight.protocol.lines import LocatedLine, LocateLine
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed


async def locate_line(session: Session, params: LocateLine) -> LocatedLine:
    """The present place of a line of the shown run; as asked for where no run is shown."""
    if params.line < 1:
        raise RequestFailed(text("There is no line {line}: lines are counted from 1.", line=params.line))
    file = str(checked_path(params.file))
    if session.shown is None:
        return LocatedLine(file, params.line, "current")
    return await session.placements.locate(session.shown, file, params.line)
