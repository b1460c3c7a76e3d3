"""The rates that instructions inside a fusion are weighed by, passed in by the caller, who knows the device."""

from collections.abc import Mapping

import attrs

from scopelight.findings import Finding, note


@attrs.frozen(slots=True)
class BackendRates:
    """Rates of one kind of backend, relative to its peak FLOP rate.

    A work unit is the time of one FLOP at the peak of matrix products. Moving a byte between memory and the
    cores costs ``flops_per_byte`` units, one addition per element ``elementwise_flops`` units, and other
    elementwise opcodes that many times their entry in ``opcode_weights``.
    """

    kind: str
    flops_per_byte: float
    elementwise_flops: float
    source: str
    """Where ``flops_per_byte`` comes from."""
    opcode_weights: Mapping[str, float] = attrs.field(factory=dict)

    @property
    def cost_model(self) -> Finding:
        """How a fusion is divided among its lines."""
        return note("fusions-divided", flops_per_byte=self.flops_per_byte, kind=self.kind, source=self.source)
