"""Reports of runs, written to files: as pages that need nothing but a browser, or as Markdown."""

import functools
from pathlib import Path
from typing import Final

from scopelight import __version__
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.model.opening.paths import find_profile_files
from scopelight.phrase import Phrase
from scopelight.protocol.reports import WriteReport, WrittenReport
from scopelight.protocol.runs import OpenRun
from scopelight.report.language import bundle, sentence_of, text
from scopelight.report.output_file import OutputRefusedError, output_file
from scopelight.report.overview.as_markdown import report_in_markdown
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.runs.shown_run import open_run
from scopelight.server.session import Session
from scopelight.server.sharing.document import PagesMissingError, document
from scopelight.server.sharing.held import ROOM_BYTES, Held, compressed_bytes, held_answers
from scopelight.server.sharing.held_timeline import held_timeline
from scopelight.server.sharing.sources import Json, SourceLeftOut, held_sources
from scopelight.server.wire.conversion import unstructured
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress
from scopelight.views.table import VIEWS

FORMAT_VERSION = 1
_REPORTS: Final = (".html", ".htm", ".md", ".markdown", ".txt")


async def write_report(session: Session, params: WriteReport) -> WrittenReport:
    """Write a report, or answer with it. Raises `RequestFailed` with a sentence where that cannot be done."""
    title = text("Writing a report of {run}", run=Path(params.path).name)
    try:
        async with progress(session, params.workDoneToken, title):
            contents = await report_of(session, params)
        if params.output is None:
            return WrittenReport(None, len(contents), contents.decode())
        output = checked_path(params.output)
        await session.work.quick(functools.partial(write, output, contents, Path(params.path)))
    except (PagesMissingError, OutputRefusedError) as error:
        raise RequestFailed(sentence_of(error)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise RequestFailed(text("{file} cannot be written ({reason}).", file=params.output, reason=reason)) from error
    return WrittenReport(str(output), len(contents), None)


def write(output: Path, contents: bytes, run: Path) -> None:
    """Write a report of a run, whole or not at all, and never over a file of the run, or one that is no report."""
    with output_file(output, find_profile_files(run)) as file:
        if output.is_file() and output.suffix.lower() not in _REPORTS and output.stat().st_size:
            raise OutputRefusedError(output, Phrase("there already, and no report by its name"))
        file.write(contents)


async def report_of(session: Session, params: WriteReport) -> bytes:
    """What is in a report of the run at a path, which is made in a session of its own beside ``session``.

    Raises `FormatError` where the run cannot be read, `PagesMissingError` where there are no pages to put it into.
    """
    own = Session(session.transport, beside=session)
    await open_run(own, OpenRun(str(checked_path(params.path))))
    run = own.shown
    assert run is not None
    if params.format == "markdown":
        record = await own.records.of(run, VIEWS["overview"], OverviewOptions())
        base = Path(run.capture.cwd) if run.capture is not None and run.capture.cwd else run.path.parent
        return report_in_markdown(run.title, record, base).encode()
    timeline = unstructured(await held_timeline(own, run))
    leave_out = None if params.with_source else SourceLeftOut(run)
    held = await held_answers(own, leave_out, ROOM_BYTES - compressed_bytes(timeline))
    return await own.work.run("long", functools.partial(_pages, own, run, held, timeline, params.with_source))


def _pages(session: Session, run: LoadedRun, held: Held, timeline: Json, with_source: bool) -> bytes:
    return document(
        text("{run} · Scopelight report", run=run.title),
        {
            "format_version": FORMAT_VERSION,
            "version": __version__,
            "texts": bundle(),
            "scope": session.settings.scope,
            "runs": held.runs,
            "answers": held.answers,
            "timeline": timeline,
            "sources": held_sources(run) if with_source else None,
        },
    )
