"""The text of a compiled program, as ``compiled.as_text()`` and ``--xla_dump_to`` write it.

It is read into the message that serialized programs hold, so that one builder checks both. Source positions come in two
forms: as tables ahead of the program (``FileNames``, ``FunctionNames``, ``FileLocations``, ``StackFrames``) that
``stack_frame_id`` refers to, and as ``source_file`` and ``source_line`` on the instruction.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from scopelight.formats.errors import Kind
from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo_text.attributes import Attributes, aliases, unescaped
from scopelight.formats.hlo_text.cursor import TextCursor
from scopelight.formats.hlo_text.shapes import ShapeReader
from scopelight.formats.mapped import map_file

KIND: Final[Kind] = "HLO text"
"""What errors call such a file."""

_MODULE: Final = re.compile(r"HloModule[ \t]+([^\s,]++)")
_ATTRIBUTE: Final = re.compile(r"[ \t]*,\s*([\w-]++)=")
_TABLE: Final = re.compile(r"(FileNames|FunctionNames|FileLocations|StackFrames)[ \t]*\r?\n")
_TABLE_ROW: Final = re.compile(r'(\d{1,10})[ \t]+(?:"((?:[^"\\\n]|\\.)*+)"|\{([^{}\n]*+)\})[ \t]*\r?(?:\n|\Z)')
_TABLE_FIELD: Final = re.compile(r"\b(\w++)=(\d{1,10})")
_COMPUTATION: Final = re.compile(r"(ENTRY\s+)?%?([^\s=(){},%]++)\s*")
_INSTRUCTION: Final = re.compile(r"(ROOT\s+)?%?([^\s=(){},%]++)\s*=\s*")
_OPCODE: Final = re.compile(r"\s*([a-z][a-z0-9-]*+)\s*(?=\()")
_PERCENT_NAME: Final = re.compile(r"%([^\s,(){}]++)")
_OUTSIDE_BRACKETS: Final = re.compile(r"[()\[\]{},]")
_BRACKETS: Final = frozenset("()[]{}")

_STARTING: Final = frozenset(
    ("all-reduce-start", "all-gather-start", "collective-permute-start", "copy-start", "async-start")
)
_FINISHING: Final = frozenset(
    (
        *("all-reduce-done", "all-gather-done", "collective-permute-done", "copy-done", "async-done"),
        *("send-done", "recv-done"),
    )
)
"""Opcodes of their own; any other that ends so is short for an asynchronous op around what the name begins with."""

_Message = Any
"""The generated classes carry no annotations for their submessages."""


def read_hlo_text(path: Path) -> hlo_pb2.HloProto:
    """Read a file of HLO text; raises a `FormatError` that names the line where it is not what it should be."""
    return parse_hlo_text(bytes(map_file(path, KIND).bytes).decode("utf-8-sig", "replace"), where=str(path))


def parse_hlo_text(text: str, *, where: str) -> hlo_pb2.HloProto:
    """Parse HLO text; ``where`` names its origin in the `FormatError` for what cannot be read."""
    return _Reader(TextCursor(text, where=where, kind=KIND)).read()


@attrs.define(slots=True)
class _Pending:
    """An instruction whose operands and callees are still names."""

    message: _Message
    operands: Sequence[str]
    called: Sequence[str]
    position: int


class _Reader:
    def __init__(self, cursor: TextCursor) -> None:
        self._cursor = cursor
        self._shapes = ShapeReader(cursor)
        self._proto = hlo_pb2.HloProto()
        self._module: _Message = self._proto.hlo_module
        self._computations: dict[str, int] = {}
        self._pending_calls: list[_Pending] = []
        self._instructions = 0

    def read(self) -> hlo_pb2.HloProto:
        cursor = self._cursor
        cursor.skip_space()
        self._header()
        while True:
            cursor.skip_space()
            if cursor.at_end:
                break
            table = cursor.take(_TABLE)
            if table is not None:
                self._table(table[1])
            else:
                self._computation()
        if not self._module.computations:
            cursor.fail("the program has no computations")
        for each in self._pending_calls:
            for name in each.called:
                if name not in self._computations:
                    cursor.fail("there is no computation {name!r}", each.position, name=name[:60])
                each.message.called_computation_ids.append(self._computations[name])
        if not self._module.entry_computation_id:
            # A program of one computation need not mark it. Of several the entry is written last.
            if len(self._module.computations) > 1:
                cursor.fail("none of its computations is the ENTRY: it is cut off, or only a part of a program")
            self._module.entry_computation_id = self._module.computations[-1].id
        self._number_frames_from_one()
        return self._proto

    # Ahead of the program

    def _header(self) -> None:
        cursor = self._cursor
        found = cursor.take(_MODULE)
        if found is None:
            cursor.fail_expecting("HloModule and the program's name")
        self._module.name = found[1]
        attributes = Attributes(hlo_pb2.HloInstructionProto(), cursor.fail)
        while (attribute := cursor.take(_ATTRIBUTE)) is not None:
            value = cursor.take_value()
            if attribute[1] == "replica_count":
                self._module.device_assignment.replica_count = attributes.integer(value, 2**31 - 1)
            elif attribute[1] == "num_partitions":
                self._module.device_assignment.computation_count = attributes.integer(value, 2**31 - 1)
            elif attribute[1] == "input_output_alias":
                self._output_aliases(value)

    def _output_aliases(self, text: str) -> None:
        for output, parameter, index in aliases(text):
            self._module.input_output_alias.entries.add(
                output_shape_index=output, parameter_number=parameter, parameter_shape_index=index
            )

    def _table(self, name: str) -> None:
        cursor = self._cursor
        index = self._module.stack_frame_index
        fields = Attributes(hlo_pb2.HloInstructionProto(), cursor.fail)
        expected = 1
        while (row := cursor.take(_TABLE_ROW)) is not None:
            if int(row[1]) != expected:
                cursor.fail(
                    "row {row} of {table} follows row {before}",
                    row.start(),
                    row=row[1],
                    table=name,
                    before=expected - 1,
                )
            expected += 1
            if name in ("FileNames", "FunctionNames"):
                names = index.file_names if name == "FileNames" else index.function_names
                names.append(unescaped(row[2] or ""))
                continue
            message = index.file_locations.add() if name == "FileLocations" else index.stack_frames.add()
            for key, value in _TABLE_FIELD.findall(row[3] or ""):
                number = fields.integer(value, 2**31 - 1)
                if key in message.DESCRIPTOR.fields_by_name:
                    setattr(message, key, number)

    def _number_frames_from_one(self) -> None:
        """Undo what newer versions of XLA do to the parents of frames: they write each one greater than it is.

        A frame without a parent then names 1, where it should name 0. Some frame has none: so no 0 means that.
        """
        frames = self._module.stack_frame_index.stack_frames
        if frames and all(frame.parent_frame_id for frame in frames):
            for frame in frames:
                frame.parent_frame_id -= 1

    # Computations

    def _computation(self) -> None:
        cursor = self._cursor
        start = cursor.position
        found = cursor.take(_COMPUTATION)
        if found is None:
            cursor.fail_expecting("a computation")
        is_entry, name = found.groups()
        if cursor.text.startswith("(", cursor.position):
            cursor.take_bracketed()
            cursor.skip_space()
        if cursor.follows("->"):
            cursor.skip_space()
            self._shapes.take()
            cursor.skip_space()
        if not cursor.follows("{"):
            cursor.fail_expecting("the brace that opens a computation")
        computation = self._new_computation(name, start)
        if is_entry:
            self._module.entry_computation_name = name
            self._module.entry_computation_id = computation.id
        self._instructions_of(computation)
        while cursor.take(_ATTRIBUTE) is not None:
            cursor.take_value()

    def _new_computation(self, name: str, position: int) -> _Message:
        identifier = len(self._module.computations) + 1
        if self._computations.setdefault(name, identifier) != identifier:
            self._cursor.fail("there are two computations {name!r}", position, name=name[:60])
        return self._module.computations.add(name=name, id=identifier)

    def _instructions_of(self, computation: _Message) -> None:
        cursor = self._cursor
        ids: dict[str, int] = {}
        pending: list[_Pending] = []
        while True:
            cursor.skip_space()
            if cursor.follows("}"):
                break
            start = cursor.position
            found = cursor.take(_INSTRUCTION)
            if found is None:
                cursor.fail_expecting("an instruction or the end of its computation")
            is_root, name = found.groups()
            if name in ids:
                cursor.fail("there are two instructions {name!r}", start, name=name[:60])
            message = self._new_instruction(computation, name)
            ids[name] = message.id
            if is_root:
                computation.root_id = message.id
            pending.append(self._instruction(message, start))
        if not pending:
            cursor.fail("computation {name!r} has no instructions", name=computation.name[:60])
        if not computation.root_id:
            computation.root_id = pending[-1].message.id
        for each in pending:
            for operand in each.operands:
                if operand not in ids:
                    cursor.fail(
                        "there is no instruction {name!r} in this computation", each.position, name=operand[:60]
                    )
                each.message.operand_ids.append(ids[operand])

    def _new_instruction(self, computation: _Message, name: str) -> _Message:
        self._instructions += 1
        return computation.instructions.add(name=name, id=self._instructions)

    def _instruction(self, message: _Message, start: int) -> _Pending:
        """Read an instruction from its shape on."""
        cursor = self._cursor
        message.shape.CopyFrom(self._shapes.take())
        found = cursor.take(_OPCODE)
        if found is None:
            cursor.fail_expecting("an opcode and its operands")
        opcode: str = found[1]
        operands = cursor.take_bracketed()
        inner = _wrapped_opcode(opcode)
        message.opcode = opcode if inner is None else f"async-{opcode.rpartition('-')[2]}"
        # What is written short belongs to the op inside.
        told = message if inner is None else hlo_pb2.HloInstructionProto(opcode=inner)
        attributes = Attributes(told, cursor.fail)
        if opcode == "dot":
            message.dot_dimension_numbers.SetInParent()
        names: Sequence[str] = ()
        if opcode == "parameter":
            message.parameter_number = attributes.integer(operands)
        elif opcode != "constant":
            names = self._operand_names(operands, start)
        while (attribute := cursor.take(_ATTRIBUTE)) is not None:
            attributes.read(attribute[1], cursor.take_value())
        called = [name for _, name in sorted(attributes.called, key=lambda each: each[0])]
        pending = _Pending(message, names, called, start)
        if inner is not None:
            message.metadata.CopyFrom(told.metadata)
            if opcode.endswith("-start"):
                pending = self._expanded(pending, told)
            else:
                pending.called = ()
        if pending.called:
            self._pending_calls.append(pending)
        return pending

    def _operand_names(self, text: str, start: int) -> Sequence[str]:
        text = self._without_comments(text, start)
        if "%" in text:
            return _PERCENT_NAME.findall(text)
        names = []
        for part in _parts(text):
            # A shape may stand before the name.
            name = next(iter(reversed(part.split())), "")
            if not name or not _BRACKETS.isdisjoint(name):
                self._cursor.fail("{part!r} is not an operand", start, part=part.strip()[:40])
            names.append(name)
        return names

    def _without_comments(self, text: str, start: int) -> str:
        parts = []
        position = 0
        while (opening := text.find("/*", position)) >= 0:
            parts.append(text[position:opening])
            closing = text.find("*/", opening + 2)
            if closing < 0:
                self._cursor.fail("a comment is not closed", start)
            position = closing + 2
        return "".join((*parts, text[position:]))

    def _expanded(self, pending: _Pending, inner: _Message) -> _Pending:
        """Give an asynchronous start that was written short the computation that it stands for."""
        shape = pending.message.shape
        # Its shape is (operands, results, contexts).
        if len(shape.tuple_shapes) < 2 or len(shape.tuple_shapes[0].tuple_shapes) != len(pending.operands):
            self._cursor.fail("the shape of an asynchronous op does not begin with its operands", pending.position)
        name = f"{pending.message.name}.computation"
        computation = self._new_computation(name, pending.position)
        for number, operand in enumerate(shape.tuple_shapes[0].tuple_shapes):
            parameter = self._new_instruction(computation, f"{name}.parameter_{number}")
            parameter.opcode = "parameter"
            parameter.parameter_number = number
            parameter.shape.CopyFrom(operand)
        root = self._new_instruction(computation, f"{name}.root")
        identifier, root_name = root.id, root.name
        root.CopyFrom(inner)
        root.id, root.name = identifier, root_name
        root.shape.CopyFrom(shape.tuple_shapes[1])
        root.operand_ids.extend(range(identifier - len(pending.operands), identifier))
        computation.root_id = identifier
        if pending.called:
            self._pending_calls.append(_Pending(root, (), pending.called, pending.position))
        return _Pending(pending.message, pending.operands, (name,), pending.position)


def _wrapped_opcode(opcode: str) -> str | None:
    """The opcode that ``opcode`` is an asynchronous part of where that was written short, else None."""
    inner, _, part = opcode.rpartition("-")
    if part == "start":
        return None if opcode in _STARTING else inner
    if part == "done":
        return None if opcode in _FINISHING else inner
    return inner if part == "update" and opcode != "async-update" else None


def _parts(text: str) -> list[str]:
    """The parts between the commas outside of brackets; none for an empty text."""
    if not text.strip():
        return []
    parts, start, depth = [], 0, 0
    for found in _OUTSIDE_BRACKETS.finditer(text):
        mark = found.group()
        if mark != ",":
            depth += 1 if mark in "([{" else -1
        elif depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]
