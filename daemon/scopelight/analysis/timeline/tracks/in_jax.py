"""What ops are in jax, by themselves and by their names."""

from collections.abc import Mapping
from functools import cached_property

from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.timeline.records import OpInJax
from scopelight.analysis.totals.attribution import greatest_phase
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.names import op_names


class OpsInJax:
    """What the rows of ``Executions.ops`` are in jax: found when first asked for, and kept. Safe to use from several
    threads."""

    def __init__(self, centre: Centre) -> None:
        self._centre = centre
        self._known: dict[int, OpInJax] = {}

    def of(self, row: int) -> OpInJax:
        """What an op is in jax. Its phase is that which most of it belongs to."""
        if row not in self._known:
            self._known[row] = self._find(row)
        return self._known[row]

    def called(self, name: str) -> OpInJax | None:
        """What all ops of a name are; None where none is called so, or they are not all the same in jax."""
        found = {self.of(row) for row in self._by_name.get(name, ())}
        return found.pop() if len(found) == 1 else None

    @cached_property
    def _by_name(self) -> Mapping[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for row, op in enumerate(self._centre.executions.ops):
            rows.setdefault(op.name, []).append(row)
        return rows

    def _find(self, row: int) -> OpInJax:
        executions, frames = self._centre.executions, self._centre.frames
        op, parts = executions.ops[row], self._centre.parts.get(row)
        user = frames.of(op.stack)
        return OpInJax(
            primitive=op_names(op, executions.programs).primitive,
            path=frames.file(user[0].path).path if user else None,
            line=user[0].line if user else None,
            phase=PHASE_NAMES[greatest_phase(parts)] if parts else None,
        )
