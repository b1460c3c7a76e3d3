"""Buffers of a program that has no buffer assignment, such as HLO text: estimated from the order of its instructions.

Every array that an instruction makes is in memory from there to its last reader. The compiler does better where it lets
more than the plain cases share memory, and worse where it has to copy: so what is derived here is an estimate.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs
import numpy as np

from scopelight.phrase import Phrase
from scopelight.program.cost.opcode_flops import ELEMENTWISE
from scopelight.program.cost.traffic import UPDATES
from scopelight.program.hlo.dimensions import fail
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.tiling import padded_byte_size
from scopelight.program.memory.buffers import (
    ALLOC,
    FREE,
    MAXIMUM_BYTES,
    MOST_MEMORY_SPACES,
    SHARE_WITH,
    Allocation,
    HeapTrace,
    ModuleBuffers,
    OutputAlias,
    Schedule,
)
from scopelight.program.memory.order import run_order
from scopelight.program.memory.value_flow import ValueFlow, value_flow

_IN_PLACE = ELEMENTWISE | UPDATES | {"all-reduce"}
"""Opcodes that may write over an operand of the size of their result, if nothing reads that later."""


@attrs.frozen(slots=True, eq=False)
class _Value:
    """A value that takes memory: its number in the `ValueFlow`, and when it is made and read last."""

    number: int
    shape: Shape
    bytes: int
    birth: int
    death: int


def estimated_buffers(module: HloModule, schedule: Schedule) -> ModuleBuffers:
    """The buffers that ``module`` needs when it runs as ``schedule`` says. Raises ``FormatError`` where none can be."""
    order = run_order(module, schedule)
    flow = value_flow(module, order)
    values = _values(module, flow, order.time.tolist())
    rows = {value.number: row for row, value in enumerate(values)}
    outputs = flow.of.get(module.computations[module.entry].root, ())
    overwritten = _overwritten(module, flow, schedule.aliases)
    allocations: list[Allocation] = []
    of_value = np.full(len(rows), -1, np.int32)
    live_out = {rows[each] for each in outputs if each in rows}
    for row, value in enumerate(values):
        maker = module.instructions[flow.maker[value.number]]
        is_parameter = maker.opcode == "parameter"
        if not (is_parameter or maker.opcode == "constant" or row in live_out) or value.number in overwritten:
            continue
        of_value[row] = len(allocations)
        allocations.append(
            Allocation(
                index=len(allocations),
                bytes=value.bytes,
                memory_space=_space(value.shape),
                is_parameter=is_parameter,
                is_constant=maker.opcode == "constant",
                is_live_out=row in live_out or value.number in overwritten.values(),
                parameter_number=maker.parameter_number if is_parameter else None,
            )
        )
    for number, parameter in overwritten.items():
        if number in rows and parameter in rows:
            of_value[rows[number]] = of_value[rows[parameter]]
    in_place = _in_place(module, schedule, flow, rows)
    for row in sorted(in_place, key=lambda row: -values[row].birth):
        # What an output overwrites lies in the output's memory from the start.
        other = in_place[row]
        if of_value[row] >= 0 and of_value[other] < 0:
            of_value[other] = of_value[row]
    temporary = [row for row in range(len(rows)) if of_value[row] < 0]
    traces = []
    spaces = sorted({_space(values[row].shape) for row in temporary})
    if len(spaces) > MOST_MEMORY_SPACES:
        fail(
            Phrase("The program {name!r}", name=module.name), "its arrays are in more memory spaces than any device has"
        )
    for space in spaces:
        here = [row for row in temporary if _space(values[row].shape) == space]
        events = list(_events(module, flow, values, here, rows, in_place))
        of_value[here] = len(allocations)
        kind, buffer, canonical = np.asarray(events, np.int64).reshape(-1, 3).T
        traces.append(HeapTrace(kind, buffer, canonical, len(allocations)))
        allocations.append(Allocation(len(allocations), _peak(events, values), space))
    return ModuleBuffers(
        basis="estimated",
        id=np.asarray([each.number for each in values], np.int64),
        bytes=np.asarray([each.bytes for each in values], np.int64),
        instruction=np.asarray([flow.maker[each.number] for each in values], np.int32),
        shape_index=tuple(
            module.instructions[flow.maker[each.number]].shape.array_paths[flow.leaf[each.number]] for each in values
        ),
        allocation=of_value,
        offset=np.full(len(rows), -1, np.int64),
        allocations=tuple(allocations),
        traces=tuple(traces),
        scoped_bytes={},
        where=Phrase("The program {name!r}", name=module.name),
    )


def _values(module: HloModule, flow: ValueFlow, time: Sequence[int]) -> Sequence[_Value]:
    found = []
    for number, (maker, leaf) in enumerate(zip(flow.maker, flow.leaf, strict=True)):
        array = module.instructions[maker].shape.arrays[leaf]
        size = padded_byte_size(array)
        if size > MAXIMUM_BYTES:
            fail(Phrase("The program {name!r}", name=module.name), "it has an array larger than any memory")
        if size:
            birth = time[maker]
            death = max((time[reader] for reader in flow.readers[number]), default=birth)
            found.append(_Value(number, array, size, birth, max(birth, death)))
    return found


def _overwritten(module: HloModule, flow: ValueFlow, aliases: Sequence[OutputAlias]) -> dict[int, int]:
    """The values of outputs that lie in arguments, and those of the arguments."""
    computation = module.computations[module.entry]
    parameters = {
        module.instructions[row].parameter_number: row
        for row in computation.instructions
        if module.instructions[row].opcode == "parameter"
    }
    found: dict[int, int] = {}
    for alias in aliases:
        row = parameters.get(alias.parameter_number)
        output = flow.value_at(module, computation.root, alias.output_index)
        argument = flow.value_at(module, row, alias.parameter_index) if row is not None else None
        if output is not None and argument is not None and output != argument:
            found[output] = argument
    return found


def _in_place(module: HloModule, schedule: Schedule, flow: ValueFlow, rows: Mapping[int, int]) -> Mapping[int, int]:
    """The rows of the values that lie where an operand of their maker lay, and those of the operands."""
    found: dict[int, int] = {}
    for row, aliases in schedule.in_place.items():
        operands = module.instructions[row].operands
        for alias in aliases:
            if not 0 <= alias.operand < len(operands):
                continue
            output = flow.value_at(module, row, alias.output_index)
            operand = flow.value_at(module, operands[alias.operand], alias.operand_index)
            if output is None or operand is None or output == operand:
                continue
            if output in rows and operand in rows:
                found.setdefault(rows[output], rows[operand])
    return found


def _events(
    module: HloModule,
    flow: ValueFlow,
    values: Sequence[_Value],
    here: Sequence[int],
    rows: dict[int, int],
    in_place: Mapping[int, int],
) -> Iterator[tuple[int, int, int]]:
    """Kind, buffer and canonical buffer of the events of one heap, as the instructions run."""
    free = set(here)
    """Those whose place was not taken yet."""
    deaths = sorted(here, key=lambda row: values[row].death)
    next_death = 0
    for row in sorted(here, key=lambda row: values[row].birth):
        birth = values[row].birth
        while next_death < len(deaths) and values[deaths[next_death]].death < birth:
            yield FREE, deaths[next_death], -1
            next_death += 1
        maker = module.instructions[flow.maker[values[row].number]]
        shared: int | None = in_place.get(row)
        if shared is None:
            shared = _reused(maker, flow, values, row, rows, free) if _may_reuse(maker) else None
        elif shared not in free:
            shared = None
        if shared is None:
            yield ALLOC, row, -1
        else:
            free.discard(shared)
            yield SHARE_WITH, row, shared
    for row in deaths[next_death:]:
        yield FREE, row, -1


def _may_reuse(maker: Instruction) -> bool:
    return maker.opcode in _IN_PLACE or (maker.opcode == "fusion" and maker.fusion_kind in ("kLoop", "loop"))


def _reused(
    maker: Instruction, flow: ValueFlow, values: Sequence[_Value], row: int, rows: dict[int, int], free: set[int]
) -> int | None:
    """The operand that is read for the last time by the maker of a value and that the value takes the place of."""
    for operand in maker.operands[:64]:
        operand_values = flow.of.get(operand, ())
        if len(operand_values) != 1:
            continue
        other = rows.get(operand_values[0])
        if (
            other is not None
            and other in free
            and values[other].death == values[row].birth
            and values[other].bytes == values[row].bytes
        ):
            return other
    return None


def _peak(events: Sequence[tuple[int, int, int]], values: Sequence[_Value]) -> int:
    """The most that is in memory at once; what takes another's place has its size, until the last of them is free."""
    now = most = 0
    place: dict[int, int] = {}
    holders: dict[int, int] = {}
    for kind, buffer, canonical in events:
        if kind == FREE:
            holders[place[buffer]] -= 1
            if not holders[place[buffer]]:
                now -= values[place[buffer]].bytes
        elif kind == SHARE_WITH:
            place[buffer] = place[canonical]
            holders[place[buffer]] += 1
        else:
            place[buffer], holders[buffer] = buffer, 1
            now += values[buffer].bytes
            most = max(most, now)
    return most


def _space(shape: Shape) -> int:
    return shape.layout.memory_space if shape.layout is not None else 0
