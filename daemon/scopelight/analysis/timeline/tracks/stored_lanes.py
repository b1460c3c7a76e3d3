"""The lanes that a profile stores: what their slices do, and their colours."""

from collections.abc import Sequence

import numpy as np

from scopelight.analysis.timeline.colours import COLOUR_OF_WORK, Colours, colour, host_colours
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.analysis.timeline.tracks.lane_executions import LaneExecutions
from scopelight.analysis.timeline.tracks.span_colours import colours_of_spans
from scopelight.formats.columns import Int32
from scopelight.model.executions import Executions
from scopelight.model.joins import dense_ids
from scopelight.model.op_work import work_of, work_of_name
from scopelight.model.slices import Lane, LaneSlices, Section, SliceNames, Slices, shown_name

_PLAIN = frozenset(("steps", "modules"))


def works_of_slices(slices: LaneSlices, names: SliceNames, executions: Executions) -> Int32:
    """The `Work` of each slice that is named after an op without being an execution: of asynchronous lines.

    The op of the same name tells it, where one ran; else the name itself.
    """
    work_of_op = {op.name: work_of(op) for op in executions.ops}
    ids, firsts = dense_ids(slices.name)
    texts = [shown_name(names.text(name)) for name in slices.name[firsts].tolist()]
    works = [work_of_op[text] if text in work_of_op else work_of_name(text) for text in texts]
    return np.array(works, dtype=np.int32)[ids]


class StoredColours:
    """Colours the slices of stored lanes."""

    def __init__(self, slices: Slices, devices: Sequence[DeviceOfTimeline], of_lanes: LaneExecutions) -> None:
        self._slices = slices
        self._devices = {id(device.section): device for device in devices}
        self._of_lanes = of_lanes
        self._op_colours = devices[0].op_colours if devices else np.zeros(0, dtype=np.uint8)

    def of_lane(self, lane: Lane, slices: LaneSlices) -> Colours:
        """A colour for each slice: that of its op where it is an execution, else what lane and name tell."""
        section = self._slices.sections[lane.section]
        device = self._devices.get(id(section))
        if lane.kind == "scopes" and device is not None:
            return colours_of_spans(device, slices)
        colours = self._by_name(section, lane, slices)
        execution = self._of_lanes.of_lane(lane)
        known = execution >= 0
        colours[known] = self._op_colours[self._of_lanes.executions.op[execution[known]]]
        return colours

    def _by_name(self, section: Section, lane: Lane, slices: LaneSlices) -> Colours:
        if lane.kind in _PLAIN:
            return np.full(len(slices), colour("other"), dtype=np.uint8)
        ids, firsts = dense_ids(slices.name)
        names = self._slices.names
        colours = host_colours([names.text(name) for name in slices.name[firsts].tolist()])[ids]
        if section.kind == "device":
            colours[colours == colour("host")] = colour("other")
            works = works_of_slices(slices, names, self._of_lanes.executions)
            for work, named in COLOUR_OF_WORK.items():
                colours[works == work] = colour(named)
        return colours
