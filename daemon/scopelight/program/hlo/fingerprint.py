"""What a program is, whoever compiled it: a number that two processes agree on.

A process numbers and times its own programs, and their ids differ between the hosts of one job. The fingerprint is of
what they share: the program's name and, by computation, the opcodes and the shapes of results. Names, ids, layouts and
metadata take no part, nor does the order of instructions: the text of a program has them in the order in which they
run, its message does not.
"""

import hashlib
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from scopelight.formats.hlo.primitive_types import PRIMITIVE_TYPES
from scopelight.program.hlo.nouns import HloModule, Shape

# The generated classes carry no annotations for their submessages.
_Message = Any

_known: WeakKeyDictionary[HloModule, int] = WeakKeyDictionary()


def program_fingerprint(module: _Message) -> int:
    """The fingerprint, an unsigned number of 64 bits, of a module's message."""
    shapes: dict[bytes, str] = {}
    computations = []
    for computation in module.computations:
        codes = []
        for each in computation.instructions:
            shape = each.shape
            key = shape.SerializeToString()
            code = shapes.get(key)
            if code is None:
                code = shapes[key] = _code_of_message(shape)
            codes.append(f"{each.opcode} {code}")
        computations.append(codes)
    return _digest(module.name, computations)


def fingerprint_of(module: HloModule) -> int:
    """The fingerprint of a module, the same as that of the message that it was built from: computed once for each."""
    found = _known.get(module)
    if found is None:
        found = _known[module] = _of_module(module)
    return found


def _of_module(module: HloModule) -> int:
    # A module has one object for each shape that differs.
    shapes: dict[int, str] = {}
    computations = []
    for computation in module.computations:
        codes = []
        for row in computation.instructions:
            each = module.instructions[row]
            code = shapes.get(id(each.shape))
            if code is None:
                code = shapes[id(each.shape)] = _code_of_shape(each.shape)
            codes.append(f"{each.opcode} {code}")
        computations.append(codes)
    return _digest(module.name, computations)


def _digest(name: str, computations: Iterable[list[str]]) -> int:
    parts = sorted("\n".join(sorted(codes)) for codes in computations)
    text = "\n\n".join((name, *parts))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _code_of_message(shape: _Message) -> str:
    number = shape.element_type
    element_type = PRIMITIVE_TYPES[number] if 0 <= number < len(PRIMITIVE_TYPES) else f"type{number}"
    return _code(element_type, shape.dimensions, map(_code_of_message, shape.tuple_shapes))


def _code_of_shape(shape: Shape) -> str:
    return _code(shape.element_type, shape.dimensions, map(_code_of_shape, shape.tuple_shapes))


def _code(element_type: str, dimensions: Iterable[int], parts: Iterable[str]) -> str:
    return f"{element_type}[{','.join(map(str, dimensions))}]({','.join(parts)})"


def names_digest(proto: _Message) -> bytes:
    """16 bytes over what a person knows a program by: the names of its instructions, their paths and their sources."""
    digest = hashlib.blake2b(digest_size=16)
    for computation in proto.hlo_module.computations:
        for instruction in computation.instructions:
            digest.update(instruction.name.encode())
            digest.update(instruction.metadata.SerializeToString(deterministic=True))
    digest.update(proto.hlo_module.stack_frame_index.SerializeToString(deterministic=True))
    return digest.digest()
