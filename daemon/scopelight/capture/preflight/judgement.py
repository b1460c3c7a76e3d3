"""What a TPU would do with each op of the caught programs, from what became of them and of ops that are compiled alone.

An op of a program that compiles is none that the TPU refuses: only those of programs that do not compile are looked at
alone, each distinct one once.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

import attrs

from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.model.run.compatibility import (
    Compatibility,
    JudgedBy,
    JudgedOp,
    LostProgram,
    OpsOfProgram,
    OpVerdict,
    UntracedCall,
)
from scopelight.model.run.prediction import PlaceOfCall, PredictedOutcome

Judged = Literal["failed", "all"]
"""Which ops are compiled alone: those that only programs have that do not compile, or all."""
MOST_ALONE = 2_000
_PROVEN = frozenset(("compiled", "no-room"))
"""Outcomes of programs whose every op the compiler took."""
_NOTHING_SAID = frozenset(("cancelled",))
_ON_HOST = frozenset(
    ("pure_callback", "io_callback", "debug_callback", "debug_print", "outside_call", "infeed", "outfeed")
)
"""Primitives that the host computes."""
_PLACES = frozenset(
    (
        *("sharding_constraint", "mesh_cast", "reshard", "layout_constraint", "name", "optimization_barrier"),
        *("pvary", "pcast", "copy_p", "create_token"),
    )
)
"""Primitives that compute nothing."""
_EXCHANGES = frozenset(
    (
        *("psum", "psum2", "psum_invariant", "pmax", "pmin", "ppermute", "pbroadcast", "all_gather", "all_to_all"),
        *("all_gather_invariant", "all_gather_reduced", "reduce_scatter", "unreduced_psum", "axis_index"),
        *("psend", "precv", "ragged_all_to_all", "pgather"),
    )
)
"""Primitives between devices: one alone has none to exchange with, and TPUs have all of them."""
_UNJUDGEABLE = frozenset(("custom_partitioning",))
"""Primitives whose Python the compiler would have to call: there is none in its process."""
_PLACES_FOLLOW = "Suspected Python Code Location"
"""What the compiler writes before the lines that an op is from."""
_COMPLEX_AS_THEY_ARE = frozenset(("fft",))
"""Primitives that TPUs have for numbers of two 32-bit parts."""
_PRODUCTS = frozenset(("dot_general", "conv_general_dilated", "ragged_dot", "ragged_dot_general", "scaled_matmul"))
"""Primitives of matrix units."""
_OF_EIGHT_BITS = re.compile(r"float8_\w+")


@attrs.define
class Told:
    """An op as the script's process tells it."""

    key: str
    primitive: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    parameters: str
    wide: tuple[str, ...]
    is_on_host: bool
    is_in_shards: bool

    @property
    def multiplied_float8(self) -> tuple[str, ...]:
        """The types of 8-bit floating point numbers that it has a matrix unit multiply."""
        if self.primitive not in _PRODUCTS:
            return ()
        found = (_OF_EIGHT_BITS.match(each) for each in self.operands)
        return tuple(dict.fromkeys(each[0] for each in found if each is not None))

    @property
    def by_kind(self) -> OpVerdict | None:
        """What its kind alone says of it; None where it has to be compiled."""
        if self.is_on_host or self.primitive in _ON_HOST:
            return "on-host"
        if self.primitive in _UNJUDGEABLE:
            return "unjudged"
        if self.primitive in _PLACES:
            return "native"
        return self.computed if self.primitive in _EXCHANGES else None

    @property
    def computed(self) -> OpVerdict:
        """How the TPU computes it, where it does."""
        wide = set(self.wide)
        if self.primitive in _COMPLEX_AS_THEY_ARE:
            wide.discard("complex64")
        return "emulated" if wide else "native"

    @property
    def can_stand_alone(self) -> bool:
        """Whether it means something outside of its program."""
        return not any("Ref{" in each or each.startswith(("Ref", "AbstractRef")) for each in self.operands)


def _told(message: Mapping[str, Any]) -> Told:
    return Told(
        str(message["key"]),
        str(message["primitive"]),
        tuple(map(str, message["operands"])),
        tuple(map(str, message["results"])),
        str(message["parameters"]),
        tuple(map(str, message["wide"])),
        bool(message["is_on_host"]),
        bool(message["is_in_shards"]),
    )


@attrs.define
class Judgement:
    """What is known so far. ``judges`` says which ops are compiled alone.

    ``multiplies_float8``: the TPU's matrix units do. Those of others multiply what the compiler widens, which its
    program does not tell: its instructions are of 8 bits as well.
    """

    judges: Judged = "failed"
    multiplies_float8: bool = True
    _ops: list[Told] = attrs.field(factory=list, init=False)
    _stacks: list[tuple[PlaceOfCall, ...]] = attrs.field(factory=list, init=False)
    _paths: list[str] = attrs.field(factory=list, init=False)
    _programs: dict[int, list[tuple[int, int, int, int]]] = attrs.field(factory=dict, init=False)
    _untraced: tuple[UntracedCall, ...] = attrs.field(default=(), init=False)
    _lost: tuple[LostProgram, ...] = attrs.field(default=(), init=False)
    _is_whole: bool = attrs.field(default=False, init=False)
    _alone: dict[str, Verdict] = attrs.field(factory=dict, init=False)

    def told(self, message: Mapping[str, Any]) -> None:
        """Ops of a program, and what of the tables was not told before."""
        self._ops.extend(map(_told, message["ops"]))
        self._stacks.extend(map(_stack, message["stacks"]))
        self._paths.extend(map(str, message["paths"]))
        rows = self._programs.setdefault(int(message["program"]), [])
        rows.extend((int(op), int(stack), int(path), int(count)) for op, stack, path, count in message["rows"])

    def all_told(self, message: Mapping[str, Any]) -> None:
        """There are no more; and what could not be traced, or be told."""
        self._untraced = tuple(
            UntracedCall(str(each["primitive"]), str(each["kind"]), str(each["message"]), _stack(each["stack"]))
            for each in message["untraced"]
        )
        self._lost = tuple(LostProgram(int(each["program"]), str(each["message"])) for each in message["lost"])
        self._is_whole = True

    def wanted(self, outcomes: Mapping[int, PredictedOutcome]) -> list[str]:
        """The keys of ops that have to be compiled alone, given what became of the programs."""
        proven = self._proven(outcomes)
        open_ = {
            row[0]
            for number, rows in self._programs.items()
            if outcomes.get(number) not in _NOTHING_SAID
            for row in rows
        }
        return [
            each.key
            for place, each in enumerate(self._ops)
            if each.by_kind is None
            and each.can_stand_alone
            and (self.judges == "all" or (place in open_ and place not in proven))
        ][:MOST_ALONE]

    def alone(self, key: str, verdict: Verdict) -> None:
        """What became of an op that was compiled alone, or not even lowered: a refusal as well."""
        if verdict.outcome in _NOTHING_SAID:
            return
        # Where it was lowered is a place of ours.
        message = verdict.message.partition(_PLACES_FOLLOW)[0].strip()
        self._alone[key] = attrs.evolve(verdict, message=message)

    @property
    def compiled_alone(self) -> Mapping[str, Verdict]:
        """What became of ops that were compiled alone, by their keys."""
        return self._alone

    def record(self, outcomes: Mapping[int, PredictedOutcome]) -> Compatibility:
        """All that is known."""
        proven = self._proven(outcomes)
        frames: dict[PlaceOfCall, int] = {}
        stacks = tuple(tuple(frames.setdefault(each, len(frames)) for each in stack) for stack in self._stacks)
        return Compatibility(
            ops=tuple(self._judged(each, is_proven=place in proven) for place, each in enumerate(self._ops)),
            frames=tuple(frames),
            stacks=stacks,
            paths=tuple(self._paths),
            programs=tuple(
                OpsOfProgram(number, *zip(*rows, strict=True)) for number, rows in self._programs.items() if rows
            ),
            untraced=self._untraced,
            lost=self._lost,
            is_whole=self._is_whole,
        )

    def _proven(self, outcomes: Mapping[int, PredictedOutcome]) -> frozenset[int]:
        """Positions of the ops of programs that the compiler took."""
        return frozenset(
            row[0] for number, rows in self._programs.items() if outcomes.get(number) in _PROVEN for row in rows
        )

    def _judged(self, op: Told, *, is_proven: bool) -> JudgedOp:
        if not self.multiplies_float8:
            op = attrs.evolve(op, wide=(*op.wide, *op.multiplied_float8))
        alone = self._alone.get(op.key)
        verdict: OpVerdict = "unjudged"
        judged_by: JudgedBy = "nothing"
        kind = message = ""
        if op.by_kind is not None:
            verdict, judged_by = op.by_kind, "kind"
        elif is_proven:
            verdict, judged_by = op.computed, "program"
        elif alone is not None and alone.outcome in _PROVEN and alone.outcome != "no-room":
            verdict, judged_by = op.computed, "alone"
        elif alone is not None:
            is_refused = alone.outcome in ("refused", "no-room", "not-lowered") and not (
                op.is_in_shards and alone.outcome == "not-lowered" and _lacks_axes(alone)
            )
            verdict, judged_by = "refused" if is_refused else "unjudged", "alone"
            kind, message = alone.kind, alone.message
        return JudgedOp(
            op.key,
            op.primitive,
            verdict,
            judged_by,
            op.operands,
            op.results,
            op.parameters,
            op.wide,
            kind,
            message,
        )


def _lacks_axes(alone: Verdict) -> bool:
    """Whether an op was refused for want of the devices around it."""
    return alone.kind == "NameError" or "unbound axis" in alone.message or "axis name" in alone.message


def _stack(told: Any) -> tuple[PlaceOfCall, ...]:  # noqa: ANN401 (JSON)
    return tuple(PlaceOfCall(str(path), int(line), str(function)) for path, line, function in told)
