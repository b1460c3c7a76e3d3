"""The handler of every request of the protocol, among them what a report of a bug contains."""

import platform
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib import metadata
from typing import Any

import attrs
from pygls.server import JsonRPCServer

from scopelight import __version__
from scopelight.protocol import PROTOCOL_VERSION, REQUESTS, DebugInformation, Nothing
from scopelight.report.language import template
from scopelight.server.budgets.setting import propose_budgets, set_budgets
from scopelight.server.language_model_tools import call_tool_of_model
from scopelight.server.lines.markdown import copy_as_markdown
from scopelight.server.lines.present_places import locate_line, recorded_source
from scopelight.server.lines.source_folders import locate_folder
from scopelight.server.runs.attached_captures import attach_to_job
from scopelight.server.runs.captures import capture_now, follow_capture
from scopelight.server.runs.compared_run import compare_with, compared, compared_view, comparison, stop_comparing
from scopelight.server.runs.compared_targets import compare_targets
from scopelight.server.runs.compiler import compiler_state, install_compiler, name_tpu, remove_compiler
from scopelight.server.runs.further_windows import capture_again
from scopelight.server.runs.local_jobs import list_local_jobs
from scopelight.server.runs.runs import list_log_directories, list_runs, pin_run
from scopelight.server.runs.server_captures import capture_servers
from scopelight.server.runs.shown_run import close_run, open_run
from scopelight.server.runs.watched_job import leave_job, watch_job
from scopelight.server.session import Session
from scopelight.server.sharing.report import write_report
from scopelight.server.views.answers import DETAIL_HANDLERS, VIEW_HANDLERS
from scopelight.server.views.compared_details import compared_lines, compared_memory
from scopelight.server.views.queries import query_answer, query_schema
from scopelight.server.views.timeline import timeline_names, timeline_window
from scopelight.server.views.timeline_questions import (
    export_timeline,
    timeline_event,
    timeline_find,
    timeline_found_event,
    timeline_gap,
    timeline_selection,
    timeline_table,
)
from scopelight.server.wire.conversion import unstructured
from scopelight.server.wire.faults import guarded
from scopelight.server.work import begin

_LIBRARIES = ("numpy", "numba", "pygls", "lsprotocol", "cattrs", "protobuf")


async def debug_information(session: Session, params: Nothing) -> DebugInformation:  # noqa: ARG001 (every request has parameters)
    """Versions, paths and the state of the daemon; one line each."""
    shown = session.shown
    lines = [
        f"scopelight {__version__}, protocol {PROTOCOL_VERSION}",
        f"python {platform.python_version()} ({sys.executable})",
        f"platform {platform.platform()}",
        ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES),
        f"workspace folders: {', '.join(map(str, session.roots)) or 'none'}",
        f"open documents: {len(tuple(session.documents))}",
        f"shown run: {shown.path if shown else 'none'}",
        f"profiles read: {session.cache.statistics('profile')}",
        f"records: {session.cache.statistics('run')}",
        f"settings: {session.settings}",
    ]
    return DebugInformation("\n".join(lines))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


@attrs.frozen
class Answered:
    """How a request is answered. ``subject``, a template for ``names``, says to people what may have failed.

    The answers of views are made JSON of in a thread: they may have tens of thousands of rows.
    """

    handler: Callable[[Session, Any], Awaitable[object]]
    subject: str
    names: Mapping[str, str] = attrs.field(factory=dict)
    is_large: bool = False


HANDLERS: Mapping[str, Answered] = {
    "scopelight/runs": Answered(list_runs, template("Listing the runs")),
    "scopelight/logDirectories": Answered(list_log_directories, template("Listing the log directory")),
    "scopelight/openRun": Answered(open_run, template("Opening the run")),
    "scopelight/closeRun": Answered(close_run, template("Closing the run")),
    "scopelight/pinRun": Answered(pin_run, template("Pinning the run")),
    "scopelight/captureNow": Answered(capture_now, template("Asking for the window")),
    "scopelight/captureAgain": Answered(capture_again, template("Capturing again")),
    "scopelight/followCapture": Answered(follow_capture, template("Following the capture")),
    "scopelight/compilerState": Answered(compiler_state, template("Looking for the compiler for TPUs")),
    "scopelight/installCompiler": Answered(install_compiler, template("Installing the compiler for TPUs")),
    "scopelight/removeCompiler": Answered(remove_compiler, template("Removing the compiler for TPUs")),
    "scopelight/compareTargets": Answered(compare_targets, template("Comparing the predictions")),
    "scopelight/compareWith": Answered(compare_with, template("Comparing the runs")),
    "scopelight/stopComparing": Answered(stop_comparing, template("Comparing the runs")),
    "scopelight/nameTpu": Answered(name_tpu, template("Looking for the TPU")),
    "scopelight/localJobs": Answered(list_local_jobs, template("Looking for jobs")),
    "scopelight/captureServers": Answered(capture_servers, template("Capturing the servers")),
    "scopelight/attachToJob": Answered(attach_to_job, template("Capturing the job")),
    "scopelight/watchJob": Answered(watch_job, template("Watching the job")),
    "scopelight/leaveJob": Answered(leave_job, template("Watching the job")),
    "scopelight/locateLine": Answered(locate_line, template("Finding the line")),
    "scopelight/recordedSource": Answered(recorded_source, template("Reading the run's copy")),
    "scopelight/locateFolder": Answered(locate_folder, template("Locating the folder")),
    "scopelight/copyAsMarkdown": Answered(copy_as_markdown, template("Copying as Markdown")),
    "scopelight/exportTimeline": Answered(export_timeline, template("Writing the timeline")),
    "scopelight/writeReport": Answered(write_report, template("Writing the report")),
    "scopelight/proposeBudgets": Answered(propose_budgets, template("Proposing budgets")),
    "scopelight/setBudgets": Answered(set_budgets, template("Writing the budgets")),
    "scopelight/callTool": Answered(call_tool_of_model, template("Calling the tool")),
    "scopelight/debugInformation": Answered(debug_information, template("Collecting debug information")),
    **{
        f"scopelight/view/{view}": Answered(handler, template("The view {name}"), {"name": view}, is_large=True)
        for view, handler in VIEW_HANDLERS.items()
    },
    "scopelight/view/comparison": Answered(comparison, template("Comparing the runs"), is_large=True),
    "scopelight/details/compared": Answered(compared, template("Comparing the runs"), is_large=True),
    "scopelight/details/comparedLines": Answered(compared_lines, template("The lines that are compared")),
    "scopelight/details/comparedMemory": Answered(compared_memory, template("Comparing the memory")),
    "scopelight/details/comparedProfile": Answered(compared_view, template("Comparing the runs"), is_large=True),
    "scopelight/details/comparedFlame": Answered(compared_view, template("Comparing the runs"), is_large=True),
    "scopelight/details/comparedGraph": Answered(compared_view, template("Comparing the runs"), is_large=True),
    "scopelight/details/comparedList": Answered(compared_view, template("Comparing the runs"), is_large=True),
    "scopelight/view/query": Answered(query_schema, template("The tables of queries"), is_large=True),
    "scopelight/details/queryAnswer": Answered(query_answer, template("The query"), is_large=True),
    "scopelight/details/opCard": Answered(DETAIL_HANDLERS["opCard"], template("The card of the op")),
    "scopelight/details/memoryAt": Answered(DETAIL_HANDLERS["memoryAt"], template("The memory at a position")),
    "scopelight/details/timelineWindow": Answered(timeline_window, template("Drawing the timeline")),
    "scopelight/details/timelineNames": Answered(timeline_names, template("Naming the events")),
    "scopelight/details/timelineFind": Answered(timeline_find, template("Searching the timeline")),
    "scopelight/details/timelineFoundEvent": Answered(timeline_found_event, template("Searching the timeline")),
    "scopelight/details/timelineEvent": Answered(timeline_event, template("The event")),
    "scopelight/details/timelineGap": Answered(timeline_gap, template("Searching the timeline")),
    "scopelight/details/timelineSelection": Answered(timeline_selection, template("The selection")),
    "scopelight/details/timelineTable": Answered(timeline_table, template("The table of events")),
}


def register_requests(server: JsonRPCServer, session: Session, handlers: Mapping[str, Answered] = HANDLERS) -> None:
    """Answer every request of the protocol. Raises `LookupError` where one has no handler."""
    for method in REQUESTS:
        if method not in handlers:
            raise LookupError(f"The protocol has {method}, and the server has no handler for it.")
        server.feature(method)(_answering(handlers[method], session))


def _answering(answered: Answered, session: Session) -> Callable[[Any], Awaitable[Any]]:
    async def answer(params: Any) -> Any:  # noqa: ANN401 (the protocol's record)
        begin()
        record = await answered.handler(session, params)
        return await session.work.quick(partial(unstructured, record)) if answered.is_large else unstructured(record)

    return guarded(answer, answered.subject, **answered.names)
