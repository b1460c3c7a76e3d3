"""The memory of lines in a few words, and as a part of the hover card."""

from collections.abc import Iterator

from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.memory.plan.records import MemoryBuffer, MemoryLine
from scopelight.report.foreign_text import markdown_code, markdown_text, shortened
from scopelight.report.language import template, text
from scopelight.report.numbers import bar, byte_size, share
from scopelight.report.tables.markdown_table import markdown_table

_MOST_BUFFERS = 3
_COLUMNS = (template("in memory at the peak"), template("shape"), template("of"), template("from"), template("to"))

_CATEGORIES = (
    *(template("parameter"), template("output"), template("thread-local"), template("constant")),
    template("temporary"),
)
"""What buffers are there for, for translators."""


def memory_annotation(line: MemoryLine | None, memory: LineMemory) -> str | None:
    """``▰▰▱▱▱ 1.2 GiB at the peak · 40 MiB kept for the backward pass``; None where a line has nothing in memory."""
    if line is None or not line.bytes:
        return None
    drawn, _ = memory_amount(line, memory)
    return f"{drawn} {_lead(memory)}{' · '.join(_facts(line))}"


def memory_amount(line: MemoryLine, memory: LineMemory) -> tuple[str, str]:
    """The bar of what a line has in memory at the peak, and how much that is."""
    return bar(line.bytes / max(1, memory.peak_bytes)), f"{_lead(memory)}{byte_size(line.bytes)}"


def unknown_memory(memory: LineMemory) -> str | None:
    """Why no line says anything of memory; None where memory is known."""
    if memory.record.peak_bytes is not None:
        return None
    return text("memory unknown: the profile does not hold the compiled programs")


def memory_paragraph(line: MemoryLine, memory: LineMemory) -> str:
    """Of the card of a line: what it has in memory at the peak."""
    return text(
        "**Memory**: {facts} of {program}, {share} of {peak}",
        facts=f"{_lead(memory)}{' · '.join(_facts(line))}",
        program=markdown_code(shortened(memory.record.module or "")),
        share=share(line.bytes / max(1, memory.peak_bytes)),
        peak=byte_size(memory.peak_bytes),
    )


def memory_table(line: MemoryLine) -> str:
    """What of a line is in memory at the peak, and from where to where."""
    rows = [_cells(buffer, line) for buffer in line.buffers[:_MOST_BUFFERS]]
    rest = line.buffers[_MOST_BUFFERS:]
    if rest:
        size = byte_size(sum(each.bytes for each in rest))
        rows.append((text("{number} more, {size}", number=len(rest), size=size), "", "", "", ""))
    return markdown_table(list(map(text, _COLUMNS)), rows, right=(0,))


def _facts(line: MemoryLine) -> Iterator[str]:
    yield text("{size} at the peak", size=byte_size(line.bytes))
    if line.residual_bytes:
        yield text("{size} kept for the backward pass", size=byte_size(line.residual_bytes))


def _cells(buffer: MemoryBuffer, line: MemoryLine) -> tuple[str, ...]:
    made_by = buffer.primitive or buffer.name
    return (
        byte_size(buffer.bytes),
        markdown_code(shortened(buffer.shape)),
        text("kept for the backward pass") if buffer.is_residual else markdown_text(category_name(buffer.category)),
        markdown_code(shortened(made_by)),
        _end(buffer, line),
    )


def _end(buffer: MemoryBuffer, line: MemoryLine) -> str:
    """Where the last reader is: a number alone is of the card's own file."""
    if buffer.category != "temporary":
        return text("the end")
    if buffer.last_op is None:
        return ""
    if buffer.last_line is None:
        return markdown_code(shortened(buffer.last_primitive or buffer.last_op))
    if buffer.last_path == line.path:
        return text("line {line}", line=buffer.last_line)
    return markdown_text(f"{buffer.last_path or text('(unknown file)')}:{buffer.last_line}")


def category_name(category: str) -> str:
    """What a buffer is there for, in words."""
    return text(category)


def _lead(memory: LineMemory) -> str:
    return "≈" if memory.record.basis == "estimated" else ""
