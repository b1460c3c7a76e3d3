"""What is found of ops that a TPU does not compute as they are: each of the usual reasons once, with what helps."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from scopelight.analysis.compatibility.records import Cause, CompatibilityOp, CompatibilityPlace
from scopelight.findings import Finding, advice, empty, note, warning
from scopelight.model.profile import Profile
from scopelight.model.run.compatibility import Compatibility

_TARGET = re.compile(r"Custom emitter for (\S+) not found")
_SIZES = re.compile(r"\(size=(\d+)\) would exceed memory \(size=(\d+)\)")
_Ops = Sequence[CompatibilityOp]


def why_unknown(profile: Profile) -> Finding:
    """Why there are no verdicts."""
    return empty("compatibility-unknown") if profile.prediction is not None else empty("compatibility-not-judged")


def findings_of(
    known: Compatibility, ops: Sequence[CompatibilityOp], programs: Sequence[CompatibilityPlace]
) -> tuple[Finding, ...]:
    """What is to be said of ops that are not native, of programs, and of how it is known."""
    return (*reasons(ops), *_of_programs(programs, ops), *_of_knowledge(known))


def reasons(ops: Sequence[CompatibilityOp]) -> tuple[Finding, ...]:
    """Each reason that ops are not native once, in their order: of a whole run, or of a line of it."""
    by_cause: dict[tuple[str, Cause], list[CompatibilityOp]] = {}
    for each in ops:
        by_cause.setdefault((each.verdict, each.cause), []).append(each)
    return tuple(
        _evident(_OF_CAUSE.get((verdict, cause), _OF_VERDICT[verdict])(rows), rows)
        for (verdict, cause), rows in by_cause.items()
    )


def _evident(finding: Finding, rows: _Ops) -> Finding:
    return Finding(
        finding.code,
        finding.severity,
        {"ops": _count(rows), **finding.values},
        tuple(each.key for each in rows),
        finding.action,
    )


def _count(rows: Iterable[CompatibilityOp]) -> int:
    return sum(each.count for each in rows)


def _primitives(rows: _Ops) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.primitive for each in rows))


def _wide(rows: _Ops) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in rows for name in each.wide))


def _said(rows: _Ops) -> str:
    return next((each.sentence for each in rows if each.sentence), rows[0].kind_of_error)


def _targets(rows: _Ops) -> tuple[str, ...]:
    found = (_TARGET.search(each.message) for each in rows)
    return tuple(dict.fromkeys(each[1] for each in found if each is not None)) or _primitives(rows)


def _vector_memory(rows: _Ops) -> Finding:
    sizes = next((found for each in rows if (found := _SIZES.search(each.message)) is not None), None)
    return advice(
        "refused-vector-memory",
        primitives=_primitives(rows),
        needed_bytes=None if sizes is None else int(sizes[1]),
        limit_bytes=None if sizes is None else int(sizes[2]),
    )


_OF_CAUSE: dict[tuple[str, Cause], Callable[[_Ops], Finding]] = {
    ("emulated", "wide-numbers"): lambda rows: advice("emulated-wide", types=_wide(rows)),
    ("emulated", "complex-numbers"): lambda rows: advice("emulated-complex", types=_wide(rows)),
    ("emulated", "float8-numbers"): lambda rows: advice("emulated-float8", types=_wide(rows)),
    ("on-host", "callback"): lambda rows: note("on-host-callback", primitives=_primitives(rows)),
    ("refused", "decomposition"): lambda rows: advice("refused-decomposition", primitives=_primitives(rows)),
    ("refused", "no-lowering"): lambda rows: advice("refused-no-lowering", primitives=_primitives(rows)),
    ("refused", "size-unknown"): lambda rows: advice("refused-size-unknown", primitives=_primitives(rows)),
    ("refused", "value-asked"): lambda rows: advice("refused-value-asked", primitives=_primitives(rows)),
    ("refused", "block-shape"): lambda _: advice("refused-block-shape"),
    ("refused", "vector-memory"): _vector_memory,
    ("refused", "main-memory"): lambda rows: advice("refused-main-memory", primitives=_primitives(rows)),
    ("refused", "custom-call"): lambda rows: advice("refused-custom-call", targets=_targets(rows)),
    ("refused", "triton"): lambda _: advice("refused-triton"),
    ("refused", "fft-of-doubles"): lambda _: advice("refused-fft-of-doubles"),
    ("refused", "dot-algorithm"): lambda rows: advice("refused-dot-algorithm", said=_said(rows)),
    ("refused", "wide-rewrite"): lambda rows: advice("refused-wide-rewrite", primitives=_primitives(rows)),
    ("unjudged", "partitioning"): lambda _: note("unjudged-partitioning"),
    ("unjudged", "cancelled"): lambda _: note("unjudged-cancelled"),
    ("unjudged", "compiler-ended"): lambda rows: warning("unjudged-compiler-ended", said=_said(rows)),
}
_OF_VERDICT: dict[str, Callable[[_Ops], Finding]] = {
    "emulated": lambda rows: advice("emulated-wide", types=_wide(rows)),
    "on-host": lambda _: note("on-host-compute"),
    "refused": lambda rows: advice("refused-otherwise", primitives=_primitives(rows), said=_said(rows)),
    "unjudged": lambda rows: note("unjudged-otherwise", primitives=_primitives(rows)),
}


def _of_programs(programs: Sequence[CompatibilityPlace], ops: Sequence[CompatibilityOp]) -> Iterator[Finding]:
    """Programs that are refused although none of their ops is, alone."""
    explained = {name for each in ops if each.verdict in ("refused", "unjudged") for name in each.programs}
    for each in programs:
        if each.outcome in ("refused", "not-lowered") and each.name not in explained:
            yield warning("refused-together", program=each.name, said=each.message or each.outcome)


def _of_knowledge(known: Compatibility) -> Iterator[Finding]:
    if not known.is_whole:
        yield warning("compatibility-not-whole")
    for each in known.lost:
        yield warning("compatibility-lost", message=each.message)
    by = Counter(each.judged_by for each in known.ops)
    # Where none was, or none was told, why that is has been said before.
    if by["nothing"] < len(known.ops) or (known.is_whole and not known.ops):
        yield note(
            "compatibility-judged",
            kinds=len(known.ops),
            of_programs=by["program"],
            of_kind=by["kind"],
            alone=by["alone"],
            unjudged=by["nothing"],
        )
