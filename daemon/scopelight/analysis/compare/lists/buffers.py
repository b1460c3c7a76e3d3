"""The buffers of a program at its peak, of one run, as rows that can be compared."""

from scopelight.analysis.compare.entries import Entry
from scopelight.analysis.compare.trees.side import TreeEntry
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.records import MemoryBuffer, MemoryModule
from scopelight.analysis.memory.plan.views import chosen_program, memory_viewer
from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.keys import program_base


def buffer_entries(
    subject: Subject, wanted: MemoryModule | None, memory_space: int | None, *, needs_most: bool
) -> list[TreeEntry]:
    """What is in memory at the peak of a program, together the peak; nothing where the run has not the program.

    ``wanted`` is the program of the run that is shown. One of another run is the same by its name: of several that
    which needs as much, else the one of its key, which numbers them as they ran. For the one that ``needs_most``
    without such it is the one that needs most there.
    """
    module = _same_program(subject, wanted, needs_most=needs_most)
    if module is None:
        return []
    try:
        record = memory_viewer(subject, ProgramMemoryOptions(module.program_id, memory_space))
    except OptionError:
        # It has nothing in this memory.
        return []
    return [
        TreeEntry(key=buffer.key, parent=None, kind="buffer", found_by=_found_by(buffer), own=buffer.bytes)
        for buffer in record.buffers
    ]


def _same_program(subject: Subject, wanted: MemoryModule | None, *, needs_most: bool) -> MemoryModule | None:
    if wanted is None:
        return None
    choice, most = chosen_program(subject, None)
    known = [each for each in choice.modules if each.peak_bytes is not None]
    named = [each for each in known if program_base(each.name) == program_base(wanted.name)]
    alike = sorted(named, key=lambda each: (each.peak_bytes != wanted.peak_bytes, each.key != wanted.key))
    return next(iter(alike), most if needs_most else None)


def _found_by(buffer: MemoryBuffer) -> Entry:
    """What a buffer is found by: what the framework calls it, then what makes it, of one shape first.

    One category never pairs with another: an argument that became a temporary is another thing.
    """
    category = buffer.category
    what = buffer.primitive or buffer.opcode or buffer.allocation_kind
    identities: tuple[tuple[object, ...], ...]
    if buffer.count > 1:
        identities = ((category, "together"),)
    else:
        named = buffer.op_name or buffer.allocation_kind
        identities = (
            (category, named, what, buffer.phase, buffer.shape),
            (category, named, what, buffer.phase),
            (category, what, buffer.phase, buffer.shape),
            *([(category, what, buffer.phase)] if buffer.line is not None else []),
            *([(category, buffer.allocation_kind)] if category == "parameter" else []),
        )
    return Entry(
        key=buffer.key,
        kind="op",
        label=f"{what} {_without_layout(buffer.shape)}".strip() if buffer.count == 1 else category,
        identities=identities,
        path=buffer.path,
        file=buffer.file,
        line=buffer.line,
        function=buffer.function or "",
        phase=buffer.phase,
    )


def _without_layout(shape: str) -> str:
    """A shape that is written with its layout; a tuple has none of its own."""
    return shape if shape.startswith("(") else shape.partition("{")[0]
