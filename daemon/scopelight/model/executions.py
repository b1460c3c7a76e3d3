"""Executions: one row per op execution, the same columns for every backend."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt

from scopelight.formats.columns import Int32, Int64
from scopelight.legible import Legible
from scopelight.model.fusion_rates import backend_rates
from scopelight.model.stated_peaks import StatedPeaks
from scopelight.program.cost.rates import BackendRates
from scopelight.program.hlo.frames import Stack
from scopelight.program.hlo.memory_spaces import ONE_MEMORY, TPU_MEMORIES, MemorySpaces
from scopelight.program.hlo.nouns import HloModule, Instruction

if TYPE_CHECKING:
    # They import what decodes, which takes longer than a capture may take to start.
    from scopelight.formats.xspace.reader import LinePlace
    from scopelight.model.recorded_cost import RecordedCost


@attrs.frozen(slots=True, eq=False, repr=False)
class Op(Legible):
    """An op of the profile: an executed HLO instruction or kernel, with its program, category, path and source stack.

    ``instruction`` and ``module`` are set where the profile contains the HLO; otherwise category, path and stack are
    those that the backend recorded.
    """

    name: str
    """The instruction's name, or the kernel's where no instruction is known."""
    category: str
    """``hlo_category`` as recorded, else derived from opcode and fusion kind."""
    program: int
    """Row in ``Executions.programs``; -1 where unknown."""
    module: HloModule | None = None
    instruction: Instruction | None = None
    op_name: str = attrs.field()
    """Its path in jax: the instruction's, else what the backend said."""
    stack: Stack = attrs.field()
    """Where it was traced, innermost frame first: the instruction's, else what the backend said."""
    recorded: "RecordedCost | None" = None
    """Recorded cost of one execution; None where none is recorded."""
    counters: tuple[tuple[str, str], ...] = ()
    """Names and values recorded besides times: for a GPU op, the launch configuration of its first kernel."""

    repetitions: int = 1
    """How many executions each of the table's stands for: a prediction lays the passes of a loop together."""
    has_estimate: bool = True
    """Whether it is known how long its executions take: a prediction does not know that of kernels and sorts, of which
    each lasts 0 ps."""

    @op_name.default
    def _op_name_of_instruction(self) -> str:
        return self.instruction.op_name if self.instruction is not None else ""

    @stack.default
    def _stack_of_instruction(self) -> Stack:
        return self.instruction.stack if self.instruction is not None else ()


@attrs.frozen(slots=True)
class ChipCore:
    """A core by its number on its chip, and its chip by its numbers on its host and in the job."""

    core: int
    local_chip: int
    chip: int


@attrs.frozen(slots=True, repr=False)
class Device(Legible):
    """One device of the profile: a TPU core, a GPU, or an XLA:CPU device."""

    name: str
    """The plane's name (``/device:TPU:0``), or ``/device:CPU:0`` for an XLA:CPU device."""
    kind: str
    """``tpu``, ``gpu`` or ``cpu``."""
    host: int = 0
    ordinal: int = 0
    stated: StatedPeaks | None = None
    """What the device's plane states of it."""
    id: int | None = None
    """Its id among all devices of the job, where its plane says it."""
    core: ChipCore | None = None
    """Which core of which chip it is, where its plane says it."""

    @property
    def rates(self) -> BackendRates:
        """What weighs the instructions of one fusion against each other."""
        return backend_rates(self.kind, self.stated)

    @property
    def memory_spaces(self) -> MemorySpaces:
        """The memories that layouts and buffer assignments of its programs number."""
        return TPU_MEMORIES if self.has_tiles else ONE_MEMORY

    @property
    def has_tiles(self) -> bool:
        """Whether its arrays lie in tiles, as their layouts say, and products are rounded up to a matrix unit."""
        return self.kind == "tpu"

    @property
    def has_helper_threads(self) -> bool:
        """Whether several threads may work for one execution at once, so that its self time exceeds its wall clock."""
        return self.kind == "cpu"

    @property
    def is_on_the_host(self) -> bool:
        """Whether the cores that run its ops are those that run the script."""
        return self.kind == "cpu"

    @property
    def executes_kernels(self) -> bool:
        """Whether each kernel that an instruction launches is an execution of it."""
        return self.kind == "gpu"


@attrs.frozen(slots=True, repr=False)
class Program(Legible):
    """A compiled program as executions name it."""

    program_id: str
    """A decimal string (real ids exceed 2^53); empty where unknown."""
    name: str


@attrs.frozen(eq=False, repr=False)
class Executions:
    """Columns of equal length, one row per op execution, sorted by (device, start_ps).

    ``op`` is a row of ``ops``, ``device`` of ``devices``, ``run`` of the program runs (-1 where unknown),
    ``lane`` of ``lanes``. ``start_ps`` counts from the profile's first event. ``duration_ps`` reaches from the
    execution's start to its end, on whichever thread that was; ``self_ps`` is the time that lanes worked for
    the execution itself and may exceed the duration where several threads helped.
    """

    op: Int32
    device: Int32
    run: Int32
    lane: Int32
    start_ps: Int64
    duration_ps: Int64
    self_ps: Int64
    ops: Sequence[Op] = ()
    devices: Sequence[Device] = ()
    programs: Sequence[Program] = ()
    lanes: Sequence[str] = ()
    lane_places: Sequence["LinePlace"] = ()
    """The lines of the files that ``lanes`` were read from."""
    lane_threads: Sequence[int | None] = ()
    """The id of the line of each lane that is a thread of a host, as `line_id_of` gives it; else None."""

    def __len__(self) -> int:
        return len(self.op)

    @property
    def rows_of_devices(self) -> Sequence[int]:
        """The first row of each device, and the number of rows last."""
        rows: list[int] = np.searchsorted(self.device, np.arange(len(self.devices) + 1)).tolist()
        return rows

    def rows_of(self, device: int) -> slice:
        """The rows of one device."""
        return slice(*np.searchsorted(self.device, [device, device + 1]).tolist())


@attrs.frozen(eq=False, repr=False)
class ProgramRuns:
    """Columns of equal length, one row per execution of a program on a device, sorted by (device, start_ps).

    ``program`` is a row of ``Executions.programs``, ``device`` of ``Executions.devices``. ``run_id`` is the
    recorded id (unsigned 64-bit; 0 where the profile has none). ``launch_ps`` is when the host handed the run
    over; -1 where unknown.
    """

    program: Int32
    device: Int32
    run_id: npt.NDArray[np.uint64]
    start_ps: Int64
    duration_ps: Int64
    launch_ps: Int64

    def __len__(self) -> int:
        return len(self.program)
