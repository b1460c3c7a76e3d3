"""What a report can answer: the questions that its pages ask as they open, and those of the choices that they offer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

import attrs

from scopelight.analysis.flame.options import FlameMeasure
from scopelight.analysis.ops.records import OpProfileGrouping
from scopelight.views.table import VIEWS

MOST_DEVICES = 8
"""Of which there are records of their own; of more devices a report has those of all together."""
MOST_CARDS = 200
MOST_PROGRAMS = 8

_OF_DEVICE = ("overview", "ops", "op-profile", "flops", "graph", "flame", "roofline", "counters", "steps")
_OF_NO_SCOPE = ("memory-viewer", "memory-profile", "programs", "shapes", "resources")
_OPENING: Mapping[str, Mapping[str, Any]] = {"op-profile": {"by": "category"}, "flame": {"measure": "op-time"}}
"""What they say as they open, where they say anything."""
_NOT_ASKED = ("advice", "padding", "memory-lines", "host", "timeline")
"""They have no panel; a timeline is held in another form."""


@attrs.frozen
class Asked:
    """A request of the protocol: its method, behind ``scopelight/``, and its parameters as a page sends them."""

    method: str
    params: Mapping[str, Any] = attrs.field(factory=dict)


def opening() -> Iterator[Asked]:
    """What pages ask as they open."""
    yield from (Asked(f"view/{view}", _OPENING.get(view, {})) for view in VIEWS if view not in _NOT_ASKED)


def opening_in_scope() -> Iterator[Asked]:
    """What of that depends on what of the run is looked at."""
    yield from (asked for asked in opening() if asked.method.removeprefix("view/") not in _OF_NO_SCOPE)


def choices() -> Iterator[Asked]:
    """What they ask where another grouping, level or measure is chosen."""
    for grouping in get_args(OpProfileGrouping):
        yield Asked("view/op-profile", {"by": grouping})
    for level in ("scopes", "ops"):
        yield Asked("view/graph", {"level": level})
    for libraries in (False, True):
        for measure in get_args(FlameMeasure):
            yield Asked("view/flame", {"measure": measure, "libraries": libraries})


def of_devices(devices: Sequence[str], hosts: Sequence[str]) -> Iterator[Asked]:
    """What they ask where one host or one device is chosen."""
    for device in (*hosts, *(devices if 1 < len(devices) <= MOST_DEVICES else ())):
        for view in _OF_DEVICE:
            yield Asked(f"view/{view}", {**_OPENING.get(view, {}), "device": device})


def programs(viewer: Mapping[str, Any]) -> Iterator[Asked]:
    """What the memory viewer asks where another program is chosen; ``viewer`` is what it has shown as JSON."""
    for module in viewer["record"]["modules"][:MOST_PROGRAMS]:
        yield Asked("view/memory-viewer", {"program": module["program_id"]})
        for space in module["memory_spaces"]:
            yield Asked("view/memory-viewer", {"program": module["program_id"], "memory_space": space["number"]})


def peaks(viewer: Mapping[str, Any]) -> Iterator[Asked]:
    """What the memory viewer asks for its list of what is alive at the peak."""
    record = viewer["record"]
    if record["peak_position"] is not None:
        place = {"program": record["program_id"], "memory_space": record["memory_space"]}
        yield Asked("details/memoryAt", {"position": record["peak_position"], **place})


def cards(ops: Mapping[str, Any]) -> Iterator[Asked]:
    """The cards of the ops with the most time; ``ops`` is the answer of their view as JSON."""
    rows = sorted(ops["record"]["rows"], key=lambda row: -row["self_ps"])
    for row in rows[:MOST_CARDS]:
        yield Asked("details/opCard", {"key": row["key"]})
