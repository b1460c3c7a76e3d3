"""HLO nouns: modules, computations, instructions, shapes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

import attrs

from scopelight.legible import Legible
from scopelight.program.hlo.frames import Stack
from scopelight.program.hlo.groups import ReplicaGroups


@attrs.frozen(slots=True, repr=False)
class Layout(Legible):
    """How an array lies in memory: order of dimensions, nested tiles, memory space (0 = the device's main)."""

    minor_to_major: tuple[int, ...] = ()
    tiles: tuple[tuple[int, ...], ...] = ()
    element_size_bits: int = 0
    memory_space: int = 0
    tail_padding_elements: int = 1
    """The whole array is padded at its end to a multiple of so many elements."""


@attrs.frozen(slots=True, repr=False)
class Shape(Legible):
    """An array's element type (``f32``, ``bf16``, ...) and dimensions, or a tuple of shapes."""

    element_type: str
    dimensions: tuple[int, ...] = ()
    tuple_shapes: tuple["Shape", ...] = ()
    layout: Layout | None = None

    @cached_property
    def arrays(self) -> Sequence["Shape"]:
        """The array itself, or those of a tuple and of the tuples in it: none where these are empty."""
        if self.tuple_shapes:
            return tuple(array for each in self.tuple_shapes for array in each.arrays)
        return () if self.element_type == "tuple" else (self,)

    @cached_property
    def array_starts(self) -> Sequence[int]:
        """Of a tuple, the number of arrays before each of its parts, and of all of them."""
        return (0, *accumulate(len(each.arrays) for each in self.tuple_shapes))

    @cached_property
    def array_paths(self) -> Sequence[tuple[int, ...]]:
        """The path through nested tuples to each of `arrays`."""
        if self.tuple_shapes:
            return [(index, *rest) for index, each in enumerate(self.tuple_shapes) for rest in each.array_paths]
        return [()] * len(self.arrays)

    def array_at(self, path: Sequence[int]) -> int | None:
        """Which of `arrays` lies at a path; None where a tuple, or nothing, is there."""
        number, shape = 0, self
        for index in path:
            if not 0 <= index < len(shape.tuple_shapes):
                return None
            number += shape.array_starts[index]
            shape = shape.tuple_shapes[index]
        return number if not shape.tuple_shapes and shape.arrays else None


@attrs.frozen(slots=True, repr=False)
class WindowDimension(Legible):
    """One spatial dimension of a convolution's or reduce-window's window."""

    size: int
    stride: int = 1
    padding_low: int = 0
    padding_high: int = 0
    window_dilation: int = 1
    base_dilation: int = 1


@attrs.frozen(slots=True, repr=False)
class DotDimensions(Legible):
    """Which dimensions of a dot contract and which are batch dimensions."""

    lhs_contracting: tuple[int, ...] = ()
    rhs_contracting: tuple[int, ...] = ()
    lhs_batch: tuple[int, ...] = ()
    rhs_batch: tuple[int, ...] = ()
    lhs_ragged: tuple[int, ...] = ()
    """The dimension of the left operand that a ragged dot divides into groups."""
    rhs_group: tuple[int, ...] = ()
    """The dimension of its right operand that has an entry for each group."""


@attrs.frozen(slots=True, repr=False)
class ConvolutionDimensions(Legible):
    """Dimension numbers of a convolution: batch, feature and spatial dimensions of input, kernel and output."""

    input_batch: int
    input_feature: int
    input_spatial: tuple[int, ...]
    kernel_input_feature: int
    kernel_output_feature: int
    kernel_spatial: tuple[int, ...]
    output_batch: int
    output_feature: int
    output_spatial: tuple[int, ...]


@attrs.frozen(slots=True, eq=False, repr=False)
class Instruction(Legible):
    """One HLO instruction. Compared by identity: a module owns exactly one object for each."""

    id: int
    name: str
    opcode: str
    shape: Shape
    computation: int
    """Row of the owning computation in ``HloModule.computations``."""
    operands: tuple[int, ...] = ()
    """Rows of the operands in ``HloModule.instructions``."""
    called: tuple[int, ...] = ()
    """Rows of the called computations in ``HloModule.computations``."""
    op_name: str = ""
    """The framework's path, e.g. ``jit(step)/transpose(jvp(block))/mlp/dot_general``; parts may be joined by ``;``."""
    stack: Stack = ()
    fusion_kind: str = ""
    custom_call_target: str = ""
    dimensions: tuple[int, ...] = ()
    dot: DotDimensions | None = None
    """Of a dot, and of a custom call that is one (cuBLAS)."""
    convolution: ConvolutionDimensions | None = None
    window: tuple[WindowDimension, ...] = ()
    feature_group_count: int = 1
    batch_group_count: int = 1
    fft_length: tuple[int, ...] = ()
    """Sizes of the dimensions that an FFT transforms."""
    parameter_number: int | None = None
    tuple_index: int | None = None
    trip_count: int | None = None
    """How often a loop runs its body, where the compiler found that out, or `loops` does."""
    estimated_cycles: int | None = None
    """What the compiler for a TPU expects one execution to take; None where it does not say."""
    constant: int | None = None
    """The value of a constant that is one whole number."""
    comparison: str = ""
    """``LT``, ``GE``, ... of a comparison."""
    replica_groups: ReplicaGroups | None = None
    """Of a collective, who talks to whom; None where that is unknown. What its ids number, the two below tell."""
    source_target_pairs: tuple[tuple[int, int], ...] = ()
    """Of a collective-permute, who sends to whom: partitions of each replica if it has a channel, else replicas of
    each partition."""
    channel_id: int = 0
    """Greater than 0 where a collective crosses partitions. Without a channel its groups number replicas, and every
    partition is apart. With one, an all-reduce's, all-gather's or reduce-scatter's number replicas too, each with all
    of its partitions, unless it uses global ids; those of others number partitions, and every replica is apart. (These
    are the modes of XLA's ``CollectiveOpGroupMode``; `device_groups.global_groups` applies them.)"""
    uses_global_device_ids: bool = False
    """The groups number devices: replica × partitions + partition. Despite XLA's name for it they are not the ids that
    devices have outside of the program."""
    crosses_slices: bool = False
    """Of a send or a receive: it exchanges data with another slice of TPUs, over the network between them."""


@attrs.frozen(eq=False, repr=False)
class Computation:
    """A computation: rows of its instructions, and which of them is the root."""

    id: int
    name: str
    instructions: tuple[int, ...]
    root: int
    is_fusion: bool = False


@attrs.frozen(eq=False, repr=False)
class HloModule:
    """One compiled program."""

    name: str
    program_id: str
    """The id by which executions name it; empty where the source has none (a ``*.hlo.pb`` file)."""
    instructions: tuple[Instruction, ...]
    computations: tuple[Computation, ...]
    entry: int
    """Row of the entry computation."""
    device_count: int = 1
    """Devices that a run of the program takes: replicas times partitions."""
    partition_count: int = 1
    device_ids: tuple[tuple[int, ...], ...] = ()
    """By partition the id, among all devices of the job, of the one that runs each replica; empty if not recorded."""

    @cached_property
    def by_name(self) -> Mapping[str, Instruction]:
        """The instructions by their names, which are unique in a module."""
        return {each.name: each for each in self.instructions}

    @cached_property
    def callers(self) -> Mapping[int, Sequence[int]]:
        """By computation the rows of the instructions that call it."""
        callers: dict[int, list[int]] = {}
        for row, instruction in enumerate(self.instructions):
            for called in instruction.called:
                callers.setdefault(called, []).append(row)
        return callers

    def source_of(self, each: Instruction, moving: Collection[str], inlined: Collection[str]) -> int | None:
        """The row whose values an instruction hands on; None where it makes values of its own.

        ``moving`` are the opcodes that hand on their first operand, ``inlined`` those whose computation is a part of
        the one that they stand in: its parameters are their operands, its root is their result.
        """
        if each.opcode in moving or each.opcode == "get-tuple-element":
            return each.operands[0] if each.operands else None
        if each.opcode == "parameter":
            callers = self.callers.get(each.computation, ())
            caller = self.instructions[callers[0]] if callers else each
            number = each.parameter_number or 0
            is_operand = caller.opcode in inlined and 0 <= number < len(caller.operands)
            return caller.operands[number] if is_operand else None
        if each.opcode in inlined and len(each.called) == 1:
            return self.computations[each.called[0]].root
        return None

    def reached(self, computations: Iterable[int], opcodes: Collection[str] | None = None) -> set[int]:
        """The computations, and all that they call: by instructions of ``opcodes``, of all without them."""
        pending = list(computations)
        reached = set(pending)
        while pending:
            for row in self.computations[pending.pop()].instructions:
                instruction = self.instructions[row]
                if opcodes is None or instruction.opcode in opcodes:
                    pending.extend(each for each in instruction.called if each not in reached)
                    reached.update(instruction.called)
        return reached
