"""One thread of a host: the ops that XLA:CPU ran on it, and the markers around them."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import LinePlace, XLine, XPlane
from scopelight.model.backends.thunks import END, LAUNCH, NO_FLOW, OP, OTHER, POOL_CONTEXT, RECORD, REGION, STOP

_POOL = "ThreadpoolListener::"
_POOL_KINDS = {_POOL + "Record": RECORD, _POOL + "StartRegion": REGION, _POOL + "StopRegion": STOP}
_LAUNCHES = (
    "CommonPjRtLoadedExecutable::Execute",
    "PjRtCpuExecutable::Execute",
    "TfrtCpuExecutable::Execute",
)
"""Host events in which a program is handed to the device's threads (names of jax 0.6 and since)."""


_OF_DEVICE = "::ExecuteHelper"
"""End of the name of the one of them that is there once for each device."""
_UNKNOWN_ID = -1
UNKNOWN = -1
"""Kind of an event metadata row that is not classified yet."""


@attrs.frozen(eq=False, repr=False)
class Thread:
    """Columns of one host thread: its op, record, region and launch events [n], stats of its ops, and its twins."""

    lane: str
    place: LinePlace
    line_id: int
    kind: Int32
    start_ps: Int64
    end_ps: Int64
    flow: Int64
    launched_run: Int64
    """Run id of each launch, 0 where it names none."""
    is_of_device: Bool
    """Of each launch whether it is that of one device, inside of the one of all."""
    metadata: Int32
    """Of each op, like the columns below."""
    program_id: Int64
    run_id: Int64
    device_ordinal: Int64
    twin_flow: Int64
    twin_ps: Int64


def kinds_by_metadata(plane: XPlane) -> Int32:
    """What an event is to this reader, by its metadata row; UNKNOWN where its name does not tell."""
    names = plane.events_metadata.names
    kinds = np.full(len(names), UNKNOWN, dtype=np.int32)
    for row, name in enumerate(names):
        if name in _POOL_KINDS:
            kinds[row] = _POOL_KINDS[name]
        elif name.startswith("end: "):
            kinds[row] = END
        elif name.startswith(_LAUNCHES):
            kinds[row] = LAUNCH
    return kinds


def _learn_kinds(events: Events, kinds: Int32, names: Sequence[str]) -> None:
    """Tell ops from all else among the metadata rows that are new. Events of a row are alike.

    An op names its program and is named for its HLO op. Host events that launch a GPU kernel name the op too, but are
    not named for it.
    """
    firsts = events.firsts
    firsts = firsts[kinds[events.metadata[firsts]] == UNKNOWN]
    stats = events.stat_table(firsts)
    named, of_program = stats.first_values("hlo_op"), stats.first_values("program_id")
    for number, row in enumerate(events.metadata[firsts].tolist()):
        kinds[row] = OP if number in of_program and named.get(number) == names[row] else OTHER


@kernel
def _reduce(
    metadata: Int32,
    order: Int64,
    kinds: Int32,
    start: Int64,
    duration: Int64,
    rows: Int64,
    kind: Int32,
    end: Int64,
    twins: Int64,
    stack: Int32,
) -> tuple[int, int]:
    kept, twin, depth = 0, 0, 0
    last = np.iinfo(np.int64).min
    for place in range(len(order)):
        row = order[place]
        of_row = kinds[metadata[row]]
        if of_row == OTHER:
            continue
        ends = start[row] + duration[row]
        last = max(last, ends)
        if of_row == END:
            twins[twin] = row
            twin += 1
        elif of_row == STOP:
            if depth:
                depth -= 1
                end[stack[depth]] = ends
        else:
            rows[kept] = row
            kind[kept] = of_row
            end[kept] = ends
            if of_row == REGION:
                stack[depth] = kept
                depth += 1
            kept += 1
    while depth:
        depth -= 1
        end[stack[depth]] = last
    return kept, twin


def reduce_thread(
    metadata: Int32, order: Int64, kinds: Int32, start_ps: Int64, duration_ps: Int64
) -> tuple[Int64, Int32, Int64, Int64]:
    """Keep the ops, records, regions and launches of a thread, each region with the time of its STOP as end.

    A region that the capture cut off lasts as long as its thread does. Returns their rows, kinds and ends, and the
    rows of the twins.
    """
    count = len(order)
    rows, kind, end_ps = np.empty(count, np.int64), np.empty(count, np.int32), np.empty(count, np.int64)
    twins = np.empty(count, np.int64)
    stack = np.empty(count, np.int32)
    kept, twin = _reduce(metadata, order, kinds, start_ps, duration_ps, rows, kind, end_ps, twins, stack)
    # Kinds and ends stay with the thread, without the room that they do not need.
    return rows[:kept], kind[:kept].copy(), end_ps[:kept].copy(), twins[:twin]


def read_thread(events: Events, line: XLine, kinds: Int32, names: Sequence[str]) -> Thread | None:
    """The ops and markers of a thread, None where it has none. ``kinds`` learns the metadata rows that are new."""
    _learn_kinds(events, kinds, names)
    rows, kind, end_ps, twins = reduce_thread(
        events.metadata, events.order(), kinds, events.start_ps, events.duration_ps
    )
    if not len(rows):
        return None
    ops, launches = np.flatnonzero(kind == OP), rows[kind == LAUNCH]
    of_op = events.integer_stats(("program_id", "run_id", "device_ordinal", "_p"), rows[ops])
    flow = np.full(len(rows), NO_FLOW, dtype=np.int64)
    flow[ops] = _flow(of_op["_p"])
    for marker, name, context in ((RECORD, "_p", "_pt"), (REGION, "_c", "_ct")):
        markers = np.flatnonzero(kind == marker)
        stats = events.integer_stats((name, context), rows[markers])
        flow[markers] = _flow(stats[name], stats[context][0] == POOL_CONTEXT)
    return Thread(
        lane=line.display_name or line.name,
        place=line.place,
        line_id=line.id,
        kind=kind,
        start_ps=events.start_ps[rows],
        end_ps=end_ps,
        flow=flow,
        launched_run=_known(events.integer_stats(("run_id",), launches)["run_id"]),
        is_of_device=np.array(
            [names[row].endswith(_OF_DEVICE) for row in events.metadata[launches].tolist()], dtype=np.bool_
        ),
        metadata=events.metadata[rows[ops]],
        program_id=of_op["program_id"][0],
        run_id=_known(of_op["run_id"]),
        device_ordinal=_known(of_op["device_ordinal"]),
        twin_flow=_flow(events.integer_stats(("_c",), twins)["_c"]),
        twin_ps=events.start_ps[twins],
    )


def _known(stat: tuple[Int64, Bool]) -> Int64:
    """Ids with 0 for what is not known: XLA writes -1 there where what runs it is not PjRt, as in TensorFlow."""
    return np.where(stat[0] == _UNKNOWN_ID, 0, stat[0])


def _flow(stat: tuple[Int64, Bool], fits: Bool | bool = True) -> Int64:
    value, present = stat
    return np.where(present & fits, value, NO_FLOW)
