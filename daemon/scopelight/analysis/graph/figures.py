"""Figures of the ops of one program in an extent: time, executions, bytes, padding, and memory at the peak."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import attrs

from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.records import Basis
from scopelight.analysis.totals.charging import ChargedOp, apportion
from scopelight.analysis.totals.scoped import Scoped
from scopelight.formats.columns import distinct_values
from scopelight.model.cost.op_cost import OpCosts
from scopelight.program.hlo.sizes import byte_size, leaves
from scopelight.program.hlo.tiling import padded_byte_size

_SCALE = 1 << 40
_DEEPEST = 64
"""Nesting of ops in ops that is followed; only a hostile file has more."""
_MAKING_NOTHING = frozenset(("while", "conditional", "call", "send", "recv", "send-done", "recv-done"))
"""Opcodes whose result others made, or that is of no array."""


@attrs.frozen(slots=True)
class OpFigures:
    """Of one op, or of several together. None is unknown, such as the time of what a prediction has no estimate of;
    without any op that is all."""

    self_ps: int | None = None
    executions: int | None = None
    bytes: int | None = None
    padded_bytes: int | None = None
    padding_bytes: int | None = None
    memory_at_peak_bytes: int | None = None

    @property
    def padding_ratio(self) -> float | None:
        """The share of the padded bytes that is padding."""
        return self.padding_bytes / self.padded_bytes if self.padded_bytes and self.padding_bytes is not None else None


def together(figures: Iterable[OpFigures]) -> OpFigures:
    """The sums of what is known."""
    columns = [[each for each in column if each is not None] for column in zip(*map(_values, figures), strict=True)]
    return OpFigures(*(sum(each) if each else None for each in columns))


def _values(figures: OpFigures) -> Sequence[int | None]:
    return (
        figures.self_ps,
        figures.executions,
        figures.bytes,
        figures.padded_bytes,
        figures.padding_bytes,
        figures.memory_at_peak_bytes,
    )


class Figures:
    """The figures of a program. ``memory`` has by row what is in memory at the peak; None without."""

    def __init__(
        self,
        program: GraphedProgram,
        scoped: Scoped,
        costs: OpCosts,
        basis: Basis | None,
        memory: Mapping[int, int] | None,
    ) -> None:
        self._program = program
        self._scoped = scoped
        self._costs = costs
        self.basis = basis
        self._memory = memory
        self._of_row: dict[int, OpFigures] = {}
        self._divided: dict[int, Mapping[int, int]] = {}

    @property
    def op_time_ps(self) -> int | None:
        """That of all programs in the extent; None where nothing ran."""
        return self._scoped.totals.op_time_ps if self._program.centre.static is None else None

    @cached_property
    def program_time_ps(self) -> int | None:
        """That of the ops of the program which are known."""
        if self._program.centre.static is not None:
            return None
        sums = self._scoped.totals.by_op()
        return sum(int(sums.self_ps[each]) for rows in self._executed.values() for each in rows)

    def charged(self, row: int) -> ChargedOp | None:
        """How the time of an op was charged; None where it did not run in the extent."""
        charged = self._scoped.charges.ops
        return next((charged[each] for each in self._executed.get(row, ())), None)

    def of(self, row: int) -> OpFigures:
        """The figures of the op at a row; of what is inside a fusion its part of the fusion's time."""
        known = self._of_row.get(row)
        if known is None:
            # Set first, so that what calls itself, in a hostile file, is found to be in nothing.
            self._of_row[row] = OpFigures()
            known = self._of_row[row] = self._find(row)
        return known

    def of_all(self, rows: Iterable[int]) -> OpFigures:
        """Those of several ops together."""
        return together(map(self.of, rows))

    @cached_property
    def _executed(self) -> Mapping[int, Sequence[int]]:
        """By row of an op the rows in `Executions.ops` that are executions of it."""
        program = self._program
        executions = program.centre.executions
        node = program.graph.node.tolist()
        found: dict[int, list[int]] = {}
        for row in distinct_values(self._scoped.totals.op).tolist():
            op = executions.ops[row]
            if op.module is None or op.instruction is None or op.program < 0:
                continue
            at: int | None
            if op.module is program.module:
                at = node[program.row_of_instruction[id(op.instruction)]]
            else:
                of = executions.programs[op.program]
                if program.centre.program_key(of.program_id, of.name) != program.key:
                    continue
                # Another host's copy of the program.
                at = program.row_of(program.centre.op_keys.get(row, ""))
            if at is not None and at >= 0:
                found.setdefault(at, []).append(row)
        return found

    def _find(self, row: int) -> OpFigures:
        executed = self._executed.get(row)
        if executed is None:
            return self._of_what_did_not_run(row)
        static = self._program.centre.static
        sums = self._scoped.totals.by_op() if static is None else None
        moved: list[int] = []
        for each in executed:
            runs = int(sums.executions[each]) if sums is not None else static.runs[each] if static is not None else 0
            cost = self._costs.of(each).times(runs).bytes
            if cost is not None:
                moved.append(cost)
        ops = self._program.centre.executions.ops
        timed = [each for each in executed if ops[each].has_estimate]
        return OpFigures(
            self_ps=None if sums is None or not timed else sum(int(sums.self_ps[each]) for each in timed),
            executions=None if sums is None else max(int(sums.executions[each]) for each in executed),
            bytes=sum(moved) if moved else None,
            **self._of_result(row),
        )

    def _of_what_did_not_run(self, row: int) -> OpFigures:
        """Of an op of a program: inside another its part, else nothing."""
        around = self._program.callers_of(row)
        if not around or len(around) > _DEEPEST or self._program.centre.static is not None:
            return OpFigures(**self._of_result(row))
        of_caller = self.of(around[-1])
        return OpFigures(
            self_ps=self._parts(around[-1], of_caller.self_ps).get(row),
            executions=of_caller.executions if self._program.instruction(around[-1]).opcode == "fusion" else None,
            **self._of_result(row),
        )

    def _parts(self, caller: int, self_ps: int | None) -> Mapping[int, int]:
        """Of the time of a fusion the parts of what is inside, by estimated cost: whole, they sum to it."""
        if self_ps is None:
            return {}
        if caller not in self._divided:
            self._divided[caller] = self._divide(caller, self_ps)
        return self._divided[caller]

    def _divide(self, caller: int, self_ps: int) -> Mapping[int, int]:
        program = self._program
        if program.instruction(caller).opcode not in ("fusion", "call"):
            return {}
        costs = program.centre.shares.costs_inside(program.module, program.instruction(caller), program.rates)
        of_each = {row: self._cost(row, costs) for row in program.inside(caller)}
        whole = sum(of_each.values())
        if not whole > 0:
            return {}
        costly = [row for row, cost in of_each.items() if cost > 0]
        weights = [max(1, round(of_each[row] / whole * _SCALE)) for row in costly]
        return dict.fromkeys(of_each, 0) | dict(zip(costly, apportion(self_ps, weights), strict=True))

    def _cost(self, row: int, costs: Mapping[int, float]) -> float:
        """Of an op inside a fusion; of a fusion in a fusion what is in that costs."""
        module = self._program.module
        if row in costs or module.instructions[row].opcode != "fusion":
            return costs.get(row, 0.0)
        nested = module.reached(module.instructions[row].called)
        return sum(costs.get(each, 0.0) for called in nested for each in module.computations[called].instructions)

    def _of_result(self, row: int) -> Mapping[str, int | None]:
        """What the arrays that an op makes take in memory; nothing is known of arrays without a layout."""
        each = self._program.instruction(row)
        padded = padding = None
        if each.opcode not in _MAKING_NOTHING:
            for leaf in leaves(each.shape):
                if leaf.layout is not None and leaf.layout.tiles:
                    whole, used = padded_byte_size(leaf), byte_size(leaf)
                    padded, padding = (padded or 0) + whole, (padding or 0) + max(0, whole - used)
        memory = None if self._memory is None else self._memory.get(row, 0)
        return {"padded_bytes": padded, "padding_bytes": padding, "memory_at_peak_bytes": memory}
