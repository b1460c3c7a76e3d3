"""Which of the usual reasons it has that a TPU does not compute an op as it is."""

from collections.abc import Callable, Sequence

from scopelight.analysis.compatibility.records import Cause
from scopelight.model.run.compatibility import JudgedOp

SIZES_UNKNOWN = frozenset(("ConcretizationTypeError", "NonConcreteBooleanIndexError"))
"""Errors of jax where the size of a result depends on values."""
VALUES_ASKED = frozenset(("TracerArrayConversionError", "TracerBoolConversionError", "TracerIntegerConversionError"))
"""Errors of jax where Python asks for a value."""
_DECOMPOSITIONS = frozenset(("eig", "schur", "hessenberg"))
_REFUSALS: Sequence[tuple[Cause, Callable[[JudgedOp], bool]]] = (
    ("size-unknown", lambda op: op.kind in SIZES_UNKNOWN),
    ("value-asked", lambda op: op.kind in VALUES_ASKED),
    ("decomposition", lambda op: op.primitive in _DECOMPOSITIONS and "translation rule" in op.message),
    ("no-lowering", lambda op: "translation rule" in op.message),
    ("triton", lambda op: op.primitive == "pallas_call" and _is_of_triton(op)),
    ("block-shape", lambda op: "block shape" in op.message),
    ("vector-memory", lambda op: "space=vmem" in op.message or ("vmem" in op.message.lower() and _is_exhausted(op))),
    ("main-memory", lambda op: "CompileTimeHbmOom" in op.message or _is_exhausted(op)),
    ("partitioning", lambda op: "CustomSPMDPartitioning" in op.message),
    ("custom-call", lambda op: "Custom emitter for" in op.message or op.primitive == "ffi_call"),
    ("fft-of-doubles", lambda op: op.primitive == "fft" and "complex128" in op.wide),
    ("dot-algorithm", lambda op: "Dot algorithm" in op.message),
    ("wide-rewrite", lambda op: "X{64|128}" in op.message),
)
_COMPLEX = frozenset(("complex64", "complex128"))


def cause_of(op: JudgedOp, *, was_cancelled: bool = False) -> Cause:
    """The reason of an op that is not native; ``was_cancelled``: its preflight was."""
    if op.verdict == "refused":
        return next((cause for cause, applies in _REFUSALS if applies(op)), "other")
    if op.verdict == "emulated":
        if op.wide and all(each.startswith("float8") for each in op.wide):
            return "float8-numbers"
        return "complex-numbers" if set(op.wide) <= _COMPLEX else "wide-numbers"
    if op.verdict == "on-host":
        return "callback" if "callback" in op.primitive or op.primitive == "debug_print" else "host-compute"
    return _of_unjudged(op, was_cancelled=was_cancelled)


def _of_unjudged(op: JudgedOp, *, was_cancelled: bool) -> Cause:
    if op.primitive == "custom_partitioning":
        return "partitioning"
    if any("Ref{" in each or each.startswith("Ref") for each in op.operands):
        return "reference"
    if op.judged_by == "nothing":
        return "cancelled" if was_cancelled else "not-asked"
    return "devices" if op.kind == "NameError" or "axis" in op.message else "compiler-ended"


def _is_of_triton(op: JudgedOp) -> bool:
    words = f"{op.parameters} {op.message}".lower()
    return "triton" in words or "platform gpu" in words or (op.kind == "AssertionError" and not op.message)


def _is_exhausted(op: JudgedOp) -> bool:
    return "RESOURCE_EXHAUSTED" in op.message or "would exceed memory" in op.message
