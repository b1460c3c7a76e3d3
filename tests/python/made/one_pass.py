"""FLOPs as compilers count them: of a loop one pass."""

from scopelight.analysis.ops.table import OpTable


def one_pass_flops(table: OpTable) -> float:
    """Those of programs that did not run, without what nobody knows the FLOPs of."""
    return sum(entry.row.flops / entry.runs for entry in table.entries if entry.row.flops is not None)
