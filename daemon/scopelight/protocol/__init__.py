"""The protocol: the records and requests that the daemon and its clients exchange.

``extension/src/protocol.ts`` is generated from this package; ``make lint`` fails when it is stale. Methods of the
Language Server Protocol itself (hover, code lenses, inlay hints, progress, cancellation) are used as they are; what
is listed here comes on top. Keys in JSON are the names of the fields. Paths are absolute, ids are strings, lines are
1-based; positions inside messages of the Language Server Protocol are 0-based, as it says.
"""

import attrs

from scopelight.analysis.compare.lists.options import ComparedListOptions
from scopelight.analysis.compare.records import ComparisonRecord
from scopelight.analysis.compare.trees.records import ComparedTreeRecord
from scopelight.analysis.flame.options import FlameOptions
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.ops.options import OpProfileOptions
from scopelight.analysis.timeline.records import (
    EventPlace,
    EventRecord,
    EventTable,
    ExportedTimeline,
    FoundRecord,
    GapFound,
    SelectionRecord,
    TimelineNames,
    WindowRecord,
)
from scopelight.protocol.agents import CallTool, ToolAnswer
from scopelight.protocol.budgets import BudgetEdits, ProposeBudgets, ProposedBudgets, SetBudgets
from scopelight.protocol.comparing import (
    ComparedLines,
    ComparedLinesOptions,
    ComparedMemory,
    ComparedMemoryOptions,
    ComparedWith,
    CompareWith,
    ComparisonOptions,
)
from scopelight.protocol.jobs import AttachToJob, CapturedJobs, CaptureServers, LocalJobs
from scopelight.protocol.lines import (
    Annotations,
    CopyLine,
    FoundLine,
    LocatedFolder,
    LocateFolder,
    LocateLine,
    Markdown,
    RecordedSource,
    RecordedText,
)
from scopelight.protocol.monitoring import JobWatched, WatchedJob, WatchJob
from scopelight.protocol.preflight import (
    ComparedTargets,
    CompareTargets,
    CompilerState,
    InstallCompiler,
    NamedTpu,
    NameTpu,
    RemovedCompiler,
)
from scopelight.protocol.queries import AskQuery, QueryOutcome
from scopelight.protocol.reports import WriteReport, WrittenReport
from scopelight.protocol.runs import (
    CaptureAgain,
    CaptureNow,
    FollowCapture,
    FollowedCapture,
    ListLogDirectories,
    LogDirectories,
    OpenedRun,
    OpenRun,
    PinRun,
    Runs,
    ShownRun,
)
from scopelight.protocol.timeline import (
    EventOptions,
    EventTableOptions,
    ExportTimeline,
    FindOptions,
    FoundEventOptions,
    GapOptions,
    NamesOptions,
    SelectionOptions,
    WindowOptions,
)
from scopelight.protocol.views import DETAIL_REQUESTS, VIEW_REQUESTS

PROTOCOL_VERSION = 1
"""Raised with every change that the other side must know of. A pair with different versions refuses to work."""


@attrs.frozen(slots=True)
class Nothing:
    """No parameters, or no result."""


@attrs.frozen(slots=True)
class DebugInformation:
    """What a report of a fault needs: versions, paths, the state of the daemon; one line each."""

    text: str


DETAILS: dict[str, tuple[type, type]] = {
    **DETAIL_REQUESTS,
    "compared": (ComparisonOptions, ComparisonRecord),
    "queryAnswer": (AskQuery, QueryOutcome),
    "comparedLines": (ComparedLinesOptions, ComparedLines),
    "comparedMemory": (ComparedMemoryOptions, ComparedMemory),
    "comparedProfile": (OpProfileOptions, ComparedTreeRecord),
    "comparedFlame": (FlameOptions, ComparedTreeRecord),
    "comparedGraph": (GraphOptions, ComparedTreeRecord),
    "comparedList": (ComparedListOptions, ComparedTreeRecord),
    "timelineWindow": (WindowOptions, WindowRecord),
    "timelineNames": (NamesOptions, TimelineNames),
    "timelineFind": (FindOptions, FoundRecord),
    "timelineFoundEvent": (FoundEventOptions, EventPlace),
    "timelineEvent": (EventOptions, EventRecord),
    "timelineGap": (GapOptions, GapFound),
    "timelineSelection": (SelectionOptions, SelectionRecord),
    "timelineTable": (EventTableOptions, EventTable),
}
"""What panels ask for beside their record, of one thing in it. The method is ``scopelight/details/ID``."""

REQUESTS: dict[str, tuple[type, type]] = {
    "scopelight/runs": (Nothing, Runs),
    "scopelight/logDirectories": (ListLogDirectories, LogDirectories),
    "scopelight/openRun": (OpenRun, OpenedRun),
    "scopelight/closeRun": (Nothing, Nothing),
    "scopelight/pinRun": (PinRun, Nothing),
    "scopelight/captureNow": (CaptureNow, Nothing),
    "scopelight/captureAgain": (CaptureAgain, Nothing),
    "scopelight/followCapture": (FollowCapture, FollowedCapture),
    "scopelight/compilerState": (Nothing, CompilerState),
    "scopelight/installCompiler": (InstallCompiler, Nothing),
    "scopelight/removeCompiler": (Nothing, RemovedCompiler),
    "scopelight/compareTargets": (CompareTargets, ComparedTargets),
    "scopelight/compareWith": (CompareWith, ComparedWith),
    "scopelight/stopComparing": (Nothing, Nothing),
    "scopelight/nameTpu": (NameTpu, NamedTpu),
    "scopelight/localJobs": (Nothing, LocalJobs),
    "scopelight/captureServers": (CaptureServers, CapturedJobs),
    "scopelight/attachToJob": (AttachToJob, CapturedJobs),
    "scopelight/watchJob": (WatchJob, WatchedJob),
    "scopelight/leaveJob": (Nothing, Nothing),
    "scopelight/locateLine": (LocateLine, FoundLine),
    "scopelight/recordedSource": (RecordedSource, RecordedText),
    "scopelight/locateFolder": (LocateFolder, LocatedFolder),
    "scopelight/copyAsMarkdown": (CopyLine, Markdown),
    "scopelight/exportTimeline": (ExportTimeline, ExportedTimeline),
    "scopelight/writeReport": (WriteReport, WrittenReport),
    "scopelight/proposeBudgets": (ProposeBudgets, ProposedBudgets),
    "scopelight/setBudgets": (SetBudgets, BudgetEdits),
    "scopelight/callTool": (CallTool, ToolAnswer),
    "scopelight/debugInformation": (Nothing, DebugInformation),
    **{f"scopelight/view/{view}": types for view, types in VIEW_REQUESTS.items()},
    **{f"scopelight/details/{name}": types for name, types in DETAILS.items()},
}
"""Client to daemon: parameters and result of each method."""

NOTIFICATIONS: dict[str, type] = {
    "scopelight/annotations": Annotations,
    "scopelight/shownRun": ShownRun,
    "scopelight/placesChanged": Nothing,
    "scopelight/recordsChanged": Nothing,
    "scopelight/runsChanged": Nothing,
    "scopelight/jobWatched": JobWatched,
}
"""Daemon to client. ``placesChanged``: lines of the shown run are elsewhere than a panel was last told.
``recordsChanged``: other settings make the records of ops others."""
