"""The sequence of programs that a device ran, as tokens: what repeats is looked for here."""

from collections import Counter
from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Int64, distinct_values
from scopelight.formats.groups import counts_by, sums_by
from scopelight.model.executions import Op
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Stack
from scopelight.program.hlo.nouns import HloModule, Shape
from scopelight.program.hlo.sizes import byte_size
from scopelight.program.phases.phase import Phase
from scopelight.program.phases.phases import marked_phase

SMALL_PROGRAM = 8
"""A program of fewer instructions is taken for a single operation that was run outside any jit."""

_SAME_PROGRAM = 0.8
"""Share of framework paths that two compilations of one function have in common at least."""

_ArrayKey = tuple[str, tuple[int, ...]]
_Place = tuple[str, Stack]


@attrs.frozen(eq=False, repr=False)
class ProgramKind:
    """Programs that are one function, compiled once or for several shapes."""

    name: str
    module: HloModule | None
    trains: bool
    """Whether any op of it is the transpose of another: it computes gradients."""

    @property
    def is_small(self) -> bool:
        """Whether it looks like one operation rather than a step; unknown programs do not."""
        return self.module is not None and len(self.module.instructions) < SMALL_PROGRAM

    @property
    def is_operation(self) -> bool:
        """Whether it may be one operation of a library, as a mean is: small but for what its fusions hold."""
        if self.module is None:
            return False
        entry = self.module.computations[self.module.entry]
        return self.is_small or (not self.trains and len(entry.instructions) < SMALL_PROGRAM)


@attrs.frozen(eq=False, repr=False)
class ProgramSequence:
    """Program runs of one device, in order of time; all columns of equal length."""

    kinds: tuple[ProgramKind, ...]
    kind: Int64
    """Row in ``kinds``."""
    start_ps: Int64
    end_ps: Int64
    self_ps: Int64
    """Self time of the run's executions."""
    executions: Int64
    """Number of executions in the run."""

    def __len__(self) -> int:
        return len(self.kind)

    def between(self, first: int, end: int) -> "ProgramSequence":
        """The runs from ``first`` up to, not including, ``end``."""
        rows = slice(first, end)
        columns = ("kind", "start_ps", "end_ps", "self_ps", "executions")
        return attrs.evolve(self, **{name: getattr(self, name)[rows] for name in columns})


def busiest_device(profile: Profile) -> int | None:
    """Row of the device with the most self time among those with program runs, None where there is none."""
    if not len(profile.runs):
        return None
    self_ps, rows = profile.executions.self_ps, profile.executions.rows_of_devices
    devices: list[int] = distinct_values(profile.runs.device).tolist()
    return max(devices, key=lambda device: int(self_ps[rows[device] : rows[device + 1]].sum()))


def program_sequence(profile: Profile, device: int) -> ProgramSequence:
    """The program runs of a device, with programs that are one function under one kind."""
    runs, executions = profile.runs, profile.executions
    # Executions of no known run, -1, are added up last.
    self_ps = sums_by(executions.run, len(runs) + 1, executions.self_ps)
    count = counts_by(executions.run, len(runs) + 1)
    rows = np.flatnonzero(runs.device == device)
    kinds, kind_of_program = _kinds(profile, distinct_values(runs.program[rows]))
    return ProgramSequence(
        kinds,
        np.array([kind_of_program[program] for program in runs.program[rows].tolist()], dtype=np.int64),
        runs.start_ps[rows],
        runs.start_ps[rows] + runs.duration_ps[rows],
        self_ps[rows],
        count[rows],
    )


def _kinds(profile: Profile, programs: np.ndarray) -> tuple[tuple[ProgramKind, ...], dict[int, int]]:
    ops_of: dict[int, list[Op]] = {}
    for op in profile.executions.ops:
        ops_of.setdefault(op.program, []).append(op)
    kinds: list[ProgramKind] = []
    paths: list[frozenset[_Place]] = []
    nameless = _without_name(profile)
    kind_of: dict[int, int] = {}
    for program in programs.tolist():
        ops = ops_of.get(program, [])
        module = next((op.module for op in ops if op.module is not None), None)
        own_paths = _places(ops, with_lines=profile.prediction is not None)
        trains = any(marked_phase(path) is Phase.BACKWARD for path, _ in own_paths)
        kind = ProgramKind(profile.executions.programs[program].name, module, trains)
        others = () if profile.executions.programs[program].program_id in nameless else enumerate(kinds)
        same = next((row for row, other in others if _are_one(kind, own_paths, other, paths[row])), None)
        if same is None:
            same = len(kinds)
            kinds.append(kind)
            paths.append(own_paths)
        kind_of[program] = same
    return tuple(kinds), kind_of


def _without_name(profile: Profile) -> frozenset[str]:
    """Ids of the predicted programs of functions without a name: all lambdas have one, of which nothing tells.

    jax compiles a function again for other shapes only, and few lambdas see others: each program is one of its own.
    """
    if profile.prediction is None:
        return frozenset()
    return frozenset(str(each.number) for each in profile.prediction.programs if "<" in each.name)


def _places(ops: Sequence[Op], *, with_lines: bool) -> frozenset[_Place]:
    """Framework paths of ops, each with the frame that it is traced at where that is known of all programs."""
    return frozenset((op.op_name, op.stack[:1] if with_lines else ()) for op in ops if op.op_name)


def _are_one(kind: ProgramKind, paths: frozenset[_Place], other: ProgramKind, others: frozenset[_Place]) -> bool:
    """Whether two programs are compilations of one function for different shapes."""
    if kind.name != other.name or kind.module is None or other.module is None or kind.is_small or other.is_small:
        return False
    return len(paths & others) >= _SAME_PROGRAM * len(paths | others)


def _arrays(shape: Shape) -> Counter[_ArrayKey]:
    if shape.tuple_shapes:
        return sum((_arrays(each) for each in shape.tuple_shapes), Counter[_ArrayKey]())
    return Counter({(shape.element_type, shape.dimensions): 1})


def _bytes_of(arrays: Mapping[_ArrayKey, int]) -> int:
    return sum(number * byte_size(Shape(*key)) for key, number in arrays.items())


def state_bytes(kind: ProgramKind) -> int:
    """Bytes of the arrays that a program takes and gives back in the same shape: parameters, or their gradients."""
    return _bytes_of(_state(kind))


def _state(kind: ProgramKind) -> Counter[_ArrayKey]:
    if kind.module is None:
        return Counter()
    return _inputs(kind.module) & _outputs(kind.module)


def renewed_bytes(kind: ProgramKind, of: ProgramKind) -> int:
    """Bytes of the state of one program that another program gives back."""
    return _bytes_of(_outputs(kind.module) & _state(of)) if kind.module is not None else 0


def _inputs(module: HloModule) -> Counter[_ArrayKey]:
    found: Counter[_ArrayKey] = Counter()
    for row in module.computations[module.entry].instructions:
        if module.instructions[row].opcode == "parameter":
            found += _arrays(module.instructions[row].shape)
    return found


def _outputs(module: HloModule) -> Counter[_ArrayKey]:
    return _arrays(module.instructions[module.computations[module.entry].root].shape)
