"""How the time of a fusion is divided among the instructions inside it: by estimated cost."""

from collections.abc import Mapping

from scopelight.program.cost.flops import DEEPEST_NESTING, INLINED, ModuleFlops
from scopelight.program.cost.opcode_flops import ELEMENTWISE, TRANSCENDENTAL
from scopelight.program.cost.rates import BackendRates
from scopelight.program.cost.traffic import PASSING, boundary_traffic
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import element_count

_MOVING = frozenset(("transpose", "concatenate", "pad", "reverse", "copy", "gather", "dynamic-slice"))
_GREATEST = 10**200


class FusionCosts:
    """Estimated costs of the instructions inside one module's fusions."""

    def __init__(self, module: HloModule, rates: BackendRates) -> None:
        self._module = module
        self._rates = rates
        self._flops = ModuleFlops(module)
        self._of_computation: dict[int, Mapping[int, float]] = {}
        self._work_of_computation: dict[int, float] = {}

    def parts(self, instruction: Instruction) -> Mapping[int, float]:
        """Rows of the instructions inside a fusion (or call), nested ones included, to their cost in FLOPs.

        An instruction costs max(computation, memory traffic in bytes times FLOPs per byte). Its traffic is
        what crosses the fusion's boundary on its account; values passed from one inner instruction to the
        next stay in registers. A nested fusion is costed as one instruction and its cost then divided in the
        same way. Parameters, constants and what only renames a value cost nothing. Empty where nothing is
        inside.
        """
        if instruction.opcode not in INLINED:
            return {}
        return self._called_parts(instruction, depth=0)

    def _called_parts(self, instruction: Instruction, depth: int) -> Mapping[int, float]:
        if len(instruction.called) == 1:
            return self._computation_parts(instruction.called[0], depth)
        merged: dict[int, float] = {}
        for called in instruction.called:
            for row, cost in self._computation_parts(called, depth).items():
                merged[row] = merged.get(row, 0.0) + cost
        return merged

    def _computation_parts(self, row_of_computation: int, depth: int) -> Mapping[int, float]:
        known = self._of_computation.get(row_of_computation)
        if known is not None:
            return known
        # Set first, so that a computation that calls itself finds nothing inside.
        self._of_computation[row_of_computation] = {}
        computation = self._module.computations[row_of_computation]
        traffic = boundary_traffic(self._module, row_of_computation)
        parts: dict[int, float] = {}
        for row in computation.instructions:
            instruction = self._module.instructions[row]
            cost = max(self._work(instruction, depth), traffic.get(row, 0) * self._rates.flops_per_byte)
            if cost == 0:
                continue
            if instruction.opcode in INLINED and depth < DEEPEST_NESTING:
                nested = self._called_parts(instruction, depth + 1)
                whole = sum(nested.values())
                if whole > 0:
                    for inner, part in nested.items():
                        parts[inner] = parts.get(inner, 0.0) + cost * (part / whole)
                    continue
            parts[row] = parts.get(row, 0.0) + cost
        self._of_computation[row_of_computation] = parts
        return parts

    def _work(self, instruction: Instruction, depth: int) -> float:
        """Computation of one execution in FLOPs at the peak rate, memory left aside."""
        opcode = instruction.opcode
        if opcode in PASSING:
            return 0.0
        rates = self._rates
        if opcode in ELEMENTWISE or opcode in TRANSCENDENTAL or opcode in rates.opcode_weights:
            weight = rates.opcode_weights.get(opcode, 1.0)
            return element_count(instruction.shape) * rates.elementwise_flops * weight
        if opcode in _MOVING:
            return element_count(instruction.shape) * rates.elementwise_flops
        if opcode in INLINED:
            return sum(self._computation_work(called, depth + 1) for called in instruction.called)
        counted = self._flops.of(instruction)
        flops = float(min(max(0, (counted.flops or 0) - counted.window_padding_flops), _GREATEST))
        if opcode in PRODUCTS:
            return flops
        # What a reduction or scatter applies is nearly always an addition; if not, take an exponential.
        typical = rates.opcode_weights.get("exponential", 1.0)
        return (flops + float(min(counted.transcendentals, _GREATEST)) * typical) * rates.elementwise_flops

    def _computation_work(self, row_of_computation: int, depth: int) -> float:
        if depth > DEEPEST_NESTING:
            return 0.0
        if row_of_computation not in self._work_of_computation:
            # Set first, so that a computation that calls itself adds nothing.
            self._work_of_computation[row_of_computation] = 0.0
            rows = self._module.computations[row_of_computation].instructions
            work = sum(self._work(self._module.instructions[row], depth) for row in rows)
            self._work_of_computation[row_of_computation] = min(work, float(_GREATEST))
        return self._work_of_computation[row_of_computation]
