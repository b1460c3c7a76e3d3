"""Records of the step trace."""

from collections.abc import Mapping
from typing import Literal

import attrs

from scopelight.analysis.overview.records import StepPart
from scopelight.analysis.records import StepTimeRecord, ViewRecord

BorderSource = Literal["phases", "ops", "option", "variable"]
"""Whether a border was found by the phases of ops, is the first or last op since none has a phase, was asked for, or is
of a variable of the script's environment."""


@attrs.frozen(slots=True)
class StepTraceRow:
    """One complete step, means over devices; of the mean of all steady steps ``number`` is 0.

    It lasts from the end of what ran in the step before to the end of what runs in it, where nothing annotates it;
    of the first it may not be known what it waited for before, ``has_interval`` is then False. ``interval_ps`` lasts
    until the first op of the forward pass, ``forward_backward_ps`` from there to the end of the last op of the backward
    pass, or of the forward pass where there is none, ``tail_ps`` to the end of the step: these three sum to
    ``duration_ps``. ``interval_parts`` is what the interval went to, and sums to it. Beside these spans ``forward_ps``
    and so on are what ops of the phases have of the wall clock of the whole step, ``communication_ps`` what of it only
    exchanged data. ``collectives`` ran ``collective_ps`` together and moved ``collective_bytes``, None where these are
    not known; ``exposed_ps`` is when nothing else ran.
    """

    number: int
    start_ps: int
    duration_ps: int
    interval_ps: int
    forward_backward_ps: int
    tail_ps: int
    interval_parts: Mapping[StepPart, int]
    forward_ps: int
    backward_ps: int
    recompute_ps: int
    optimizer_ps: int
    other_ps: int
    communication_ps: int
    collectives: float
    collective_ps: int
    collective_bytes: int | None
    exposed_ps: int
    has_interval: bool = True
    is_steady: bool = True
    is_outlier: bool = False


@attrs.frozen(slots=True)
class CollectiveRow:
    """A collective in the steps: ``per_step`` is how often it runs in one, on one device; times are of one run.

    Without ``has_estimate`` a prediction knows no time of it, and these are 0.
    """

    key: str
    name: str
    primitive: str
    category: str
    path: str | None
    file: str | None
    line: int | None
    per_step: float
    bytes: int | None
    mean_ps: int
    exposed_ps: int
    has_estimate: bool = True


@attrs.frozen(slots=True)
class StepTraceRecord(ViewRecord):
    """Each complete step and their mean, of all devices or of one.

    ``mean`` and ``step_time`` are of those that compile nothing and whose interval is known.

    ``starts_at`` and ``ends_at`` name the op that begins the forward pass, and the one that ends the backward pass,
    in most steps, with how these were found. ``has_backward``: the steps train.
    """

    device: str | None
    device_names: tuple[str, ...]
    steps_source: str | None
    step_time: StepTimeRecord
    rows: tuple[StepTraceRow, ...]
    mean: StepTraceRow | None
    collectives: tuple[CollectiveRow, ...]
    has_backward: bool
    starts_at: str = ""
    starts_at_line: str = ""
    starts_by: BorderSource = "phases"
    ends_at: str = ""
    ends_at_line: str = ""
    ends_by: BorderSource = "phases"
