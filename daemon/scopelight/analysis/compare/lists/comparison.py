"""Compares a table of two runs, or of rounds of two, row by row: memory, stages of the input, variants of programs."""

from scopelight.analysis.compare.lists.buffers import buffer_entries
from scopelight.analysis.compare.lists.options import ComparedListOptions
from scopelight.analysis.compare.lists.snapshot import snapshot_entries
from scopelight.analysis.compare.lists.stages import stage_entries
from scopelight.analysis.compare.lists.variants import variant_entries
from scopelight.analysis.compare.trees.records import ComparedTreeRecord
from scopelight.analysis.compare.trees.sides import Sides, merged_sides, tree_record
from scopelight.analysis.memory.plan.views import chosen_program


def compare_list(sides: Sides, options: ComparedListOptions) -> ComparedTreeRecord:
    """The rows of a table. Raises `OptionError` where the run that is shown has no such program."""
    scope = sides.scope(None)
    match options.of:
        case "buffers":
            choice, wanted = chosen_program(sides.after[0], options.program)
            space = options.memory_space
            nodes = merged_sides(
                sides, lambda subject: buffer_entries(subject, wanted, space, needs_most=wanted is choice.find(None))
            )
            return tree_record("buffers", sides, nodes, "bytes", scope)
        case "snapshot":
            nodes = merged_sides(sides, lambda subject: snapshot_entries(subject, options.snapshot))
            return tree_record("snapshot", sides, nodes, "bytes", scope)
        case "stages":
            return tree_record("stages", sides, merged_sides(sides, stage_entries), "ps", scope)
        case "variants":
            return tree_record("variants", sides, merged_sides(sides, variant_entries), "ps", scope)
