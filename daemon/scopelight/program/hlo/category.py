"""The category of an op where the profile carries none, in the words of XProf's ``hlo_category``."""

from collections.abc import Mapping

from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.products import DOTS

_OF_OPCODE: Mapping[str, str] = {
    **dict.fromkeys(
        ("transpose", "reshape", "bitcast-convert", "reverse", "concatenate", "pad", "slice"),
        "data formatting",
    ),
    **dict.fromkeys(DOTS, "dot"),
    **dict.fromkeys(("rng", "rng-bit-generator", "rng-get-and-update-state"), "rng"),
}

COLLECTIVES = (
    "all-reduce",
    "all-gather",
    "all-to-all",
    "collective-broadcast",
    "collective-permute",
    "ragged-all-to-all",
    "reduce-scatter",
)
"""Beginnings of the opcodes in which devices exchange data, and of their categories."""

_OF_FUSION_KIND: Mapping[str, str] = {
    "kLoop": "loop fusion",
    "kInput": "input fusion",
    "kOutput": "output fusion",
    "kCustom": "custom fusion",
}

_KEPT = frozenset(
    (
        *("while", "conditional", "call", "convolution", "custom-call", "reduce", "reduce-window", "sort"),
        *("scatter", "gather", "dynamic-slice", "dynamic-update-slice", "select-and-scatter", "fft"),
        *("broadcast", "iota", "convert", "send", "recv", "cholesky", "triangular-solve", "map"),
        *("tuple", "get-tuple-element", "parameter", "constant", "bitcast", "partition-id", "replica-id"),
        *("copy", "copy-start", "copy-done", "infeed", "outfeed"),
    )
)

# Elementwise opcodes that do not end up in a fusion.
_ELEMENTWISE = "non-fusion elementwise"


def category_of(module: HloModule, instruction: Instruction) -> str:
    """Category of ``instruction``: its opcode's, or for a fusion what it is built around.

    A fusion around a convolution is a ``convolution fusion`` and one around a dot a ``dot fusion``, whatever
    its kind; a library fusion of XLA:CPU (``ynn_fusion``, ``kCustom``) without either is a ``custom fusion``.
    """
    opcode = instruction.opcode
    if opcode == "fusion":
        return _of_fusion(module, instruction)
    for collective in COLLECTIVES:
        if opcode.startswith(collective):
            return collective
    for asynchronous in ("async-start", "async-update", "async-done"):
        if opcode == asynchronous:
            return _of_asynchronous(module, instruction)
    if opcode.startswith(("send", "recv")):
        return opcode.removesuffix("-done")
    if opcode in _OF_OPCODE:
        return _OF_OPCODE[opcode]
    return opcode if opcode in _KEPT else _ELEMENTWISE


def _of_fusion(module: HloModule, fusion: Instruction) -> str:
    # One level is enough: XLA builds a fusion around its matrix product at the top of the fused computation,
    # and a bounded look keeps a hostile file from sending us round in circles.
    for computation in fusion.called:
        opcodes = {module.instructions[row].opcode for row in module.computations[computation].instructions}
        if "convolution" in opcodes:
            return "convolution fusion"
        if not opcodes.isdisjoint(DOTS):
            return "dot fusion"
    return _OF_FUSION_KIND.get(fusion.fusion_kind, "fusion")


def _of_asynchronous(module: HloModule, instruction: Instruction) -> str:
    # start → update → done: the computation hangs on the start in recent files, on all of them in older ones.
    for _ in range(3):
        if instruction.called:
            root = module.instructions[module.computations[instruction.called[0]].root]
            return root.opcode if root.opcode.startswith("async") else category_of(module, root)
        if not instruction.operands:
            break
        instruction = module.instructions[instruction.operands[0]]
    return "async"
