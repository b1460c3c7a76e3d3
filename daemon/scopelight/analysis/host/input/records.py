"""Records of the input of a script."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import attrs

from scopelight.analysis.host.input.graph_records import InputOperation, InputQueue, SuspectRule
from scopelight.analysis.records import ViewRecord, WaitingBasis, WaitingClass

InputLevel = Literal["low", "moderate", "high"]
"""How much of the steps waits for input: below 5 % of the wall clock, below 20 %, or more."""

InputWork = Literal["enqueue", "preprocessing", "read-ahead", "read-on-demand", "other"]
"""What the host does for its input: it hands data to devices; prepares it; reads it on a thread of its own, or on the
one that launches the steps; or what it does is not known."""

StageKind = Literal["grain", "tf.data", "data", "function", "line", "worker"]
"""What a stage is: an operation of a library that marks them in the trace; data that the script marked; a function of
the user's that such an operation calls; a line of the user's; a process that loads data."""

InputQuantity = Literal["step", "idle", "input"]
"""How long steps take; how long devices are idle in them; how long of that they wait for input."""


@attrs.frozen(slots=True)
class InputLine:
    """A line on which devices waited for input in the steady steps, innermost of its stack.

    ``per_step_ps`` is over steps and devices, ``share_ratio`` of the wall clock of those steps.
    """

    key: str
    path: str | None
    file: str | None
    line: int
    function: str
    waiting_ps: int
    per_step_ps: int
    share_ratio: float
    basis: WaitingBasis | None
    classes: Mapping[WaitingClass, int] = attrs.field(factory=dict)


@attrs.frozen(slots=True)
class InputStep:
    """A complete step; times but its own are means over devices, and the least and the greatest of any device.

    Its own is of the wall clock, which every device has in whole. What waits for input is None where it is not known.
    It is steady where nothing was compiled in it. ``idle_launches`` of its ``launches`` met a device that was idle.
    ``suspect`` is the key of the stage that worked longest while devices waited for input, of the operation whose
    stages did; None where none is known.
    """

    start_ps: int
    duration_ps: int
    idle_ps: int
    input_ps: int | None
    least_input_ps: int | None
    greatest_input_ps: int | None
    is_steady: bool
    launches: int
    idle_launches: int
    suspect: str | None = None


@attrs.frozen(slots=True)
class InputSpread:
    """A quantity per steady step: over steps, of means over devices; and the least and greatest mean of a device."""

    quantity: InputQuantity
    mean_ps: int
    sigma_ps: int
    least_ps: int
    greatest_ps: int
    least_device_ps: int
    greatest_device_ps: int


@attrs.frozen(slots=True)
class InputDevice:
    """A device's means per steady step; what waits for input is None where it is not known."""

    name: str
    idle_ps: int
    input_ps: int | None


@attrs.frozen(slots=True)
class InputCategory:
    """What all threads of the host did of one kind in the window, each by itself; ``share_ratio`` of all kinds."""

    work: InputWork
    time_ps: int
    share_ratio: float
    threads: int


@attrs.frozen(slots=True)
class InputStage:
    """A stage of the input in the window, over all threads.

    ``self_ps`` is without other stages on the same thread inside it. ``work`` is None of one that only waits for
    others. Shares are of the sum over stages that do not wait: neither of the steps nor of the window. ``count`` is how
    often it was entered, None where samples cannot tell. Times are None of processes, of which their share of a core is
    known, ``core_ratio``. ``self_per_step_ps`` is the mean over steady steps of the self time in them.
    ``suspect_steps`` is in how many steady steps it was the suspect.
    """

    key: str
    kind: StageKind
    name: str
    path: str | None
    file: str | None
    line: int | None
    function: str
    count: int | None
    total_ps: int | None
    total_ratio: float | None
    self_ps: int | None
    self_ratio: float | None
    work: InputWork | None
    threads: int
    thread_names: tuple[str, ...]
    basis: WaitingBasis | None
    core_ratio: float | None = None
    self_per_step_ps: int | None = None
    suspect_steps: int = 0


QueueVerdict = Literal["processing", "transfer", "gets", "loop", "elsewhere", "barely", "keeps-up", "consumer"]
"""What is slow, by the queue that is nearest to the steps and by what devices were measured to wait for.

Where they wait for input: making the data, for the queue is empty; moving it, for launches meet idle devices; taking it
from a queue that is not empty; what the loop of the steps does with it; or something elsewhere than in that queue.
Where they hardly do: moving it; nothing of the input, though the queue is often empty (barely) or is not; or the steps,
for the queue is full."""


@attrs.frozen(slots=True)
class InputRecord(ViewRecord):
    """Whether the steps wait for data, where it is made, and what is slow about it.

    ``input_ratio`` is ``input_ps`` of ``wall_ps``, over the ``steady_steps`` of ``step_count`` complete steps and all
    devices; both None without any, or where it is not known what the host did: then no spread is of it. ``idle_ps`` and
    ``wall_ps`` are sums over steps and devices. ``suspected`` is the key of the operation in ``operations`` that holds
    the others up, ``suspected_by`` why that one.
    """

    ROWS: ClassVar = "stages"

    input_ratio: float | None = None
    level: InputLevel | None = None
    input_ps: int | None = None
    idle_ps: int = 0
    wall_ps: int = 0
    step_count: int = 0
    steady_steps: int = 0
    window_ps: int = 0
    lines: tuple[InputLine, ...] = ()
    spreads: tuple[InputSpread, ...] = ()
    devices: tuple[InputDevice, ...] = ()
    steps: tuple[InputStep, ...] = ()
    categories: tuple[InputCategory, ...] = ()
    stages: tuple[InputStage, ...] = ()
    verdict: QueueVerdict | None = None
    launches: int = 0
    idle_launches: int = 0
    queues: tuple[InputQueue, ...] = ()
    operations: tuple[InputOperation, ...] = ()
    suspected: str | None = None
    suspected_by: SuspectRule | None = None
