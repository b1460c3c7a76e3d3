"""Keys of ops: what names an op in every view of a run."""

from collections.abc import Mapping

from scopelight.analysis.totals.instruction_totals import InstructionTotals


def op_keys(totals: InstructionTotals) -> Mapping[int, str]:
    """By row of an op that ran its key, which no other has but that of the same op on other hosts."""
    keys: dict[tuple[str, str, str, str], str] = {}
    taken: set[str] = set()
    for row in totals.ran:
        identity = totals.ops[row]
        base = key = f"{identity.program_id}/{identity.name}"
        number = 1
        while key in taken and identity.of_any_host not in keys:
            number += 1
            key = f"{base}#{number}"
        taken.add(keys.setdefault(identity.of_any_host, key))
    return {row: keys[totals.ops[row].of_any_host] for row in totals.ran}
