"""What panels ask with and show: hot lines, ops and memory."""

import attrs

from scopelight.analysis.memory.plan.records import MemoryViewerRecord
from scopelight.analysis.memory.profile.records import MemoryProfileRecord
from scopelight.analysis.ops.records import FlopsRecord, OpProfileGrouping, OpProfileRecord, OpsRecord, RooflineRecord
from scopelight.analysis.records import LinesRecord
from scopelight.protocol.lines import LocatedLine
from scopelight.protocol.runs import OpenedRun


@attrs.frozen(slots=True)
class HotLinesOptions:
    """The panel Hot Lines has no options that the daemon must know."""


@attrs.frozen(slots=True)
class HotLinesView:
    """What the panel Hot Lines shows: the record, the text of its lines, and where they are now.

    ``sources`` and ``places`` go with ``record.lines``, row by row; a source is None where no copy of its file is
    known.
    """

    run: OpenedRun
    record: LinesRecord
    sources: tuple[str | None, ...]
    places: tuple[LocatedLine | None, ...]


@attrs.frozen(slots=True)
class OpsOptions:
    """``device`` is the name of one device as the profile has it; None is all of them together."""

    device: str | None = None


@attrs.frozen(slots=True)
class OpProfileOptions:
    """The grouping of the tree, and the device as in `OpsOptions`."""

    grouping: OpProfileGrouping = "category"
    device: str | None = None


@attrs.frozen(slots=True)
class OpCardOptions:
    """``key`` is that of an `OpRow`."""

    key: str
    device: str | None = None


@attrs.frozen(slots=True)
class OpProfileView:
    """What the panel Op Profile shows. ``devices`` may be asked for by name."""

    run: OpenedRun
    devices: tuple[str, ...]
    record: OpProfileRecord


@attrs.frozen(slots=True)
class OpStatisticsView:
    """What the panel Op Statistics shows."""

    run: OpenedRun
    devices: tuple[str, ...]
    record: OpsRecord


@attrs.frozen(slots=True)
class FlopsView:
    """What the panel FLOPs shows."""

    run: OpenedRun
    devices: tuple[str, ...]
    record: FlopsRecord


@attrs.frozen(slots=True)
class RooflineView:
    """What the panel Roofline shows."""

    run: OpenedRun
    devices: tuple[str, ...]
    record: RooflineRecord


@attrs.frozen(slots=True)
class MemoryViewerOptions:
    """``program_id`` is that of a `MemoryModule`; None is the one with the largest peak. ``memory_space`` is the number
    of one of its spaces; None is its main memory."""

    program_id: str | None = None
    memory_space: int | None = None


@attrs.frozen(slots=True)
class MemoryViewerView:
    """What the panel Memory Viewer shows."""

    run: OpenedRun
    record: MemoryViewerRecord


@attrs.frozen(slots=True)
class MemoryAtOptions:
    """Asks what is in memory at a program position of what a `MemoryViewerRecord` shows."""

    position: int
    program_id: str | None = None
    memory_space: int | None = None


@attrs.frozen(slots=True)
class MemoryProfileOptions:
    """``path`` is a snapshot of memory that was opened as a file; None is the run that is shown, which stays so."""

    path: str | None = None


@attrs.frozen(slots=True)
class MemoryProfileView:
    """What the panel Memory Profile shows. ``run`` is that of the options' path, where they name one."""

    run: OpenedRun
    record: MemoryProfileRecord
