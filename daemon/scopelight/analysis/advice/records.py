"""Records of advice."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import ViewRecord
from scopelight.findings import Finding

SavingBasis = Literal["waiting", "overlap", "compiling", "excess", "op-time", "padding", "bytes", "plan"]
"""How a saving was computed: from the idle time there; from how long a step takes at least where the host's work and
the device's go on at once; from the time that programs are compiled; from what slow steps take beyond a usual one; from
the time of ops that need not run, or as slowly; from the part of it that goes into padding; from the sizes of arrays;
from what the compiler's plan has in memory at its peak."""

Confidence = Literal["high", "medium", "low"]
"""Whether all that the saving rests on was measured and nothing else has to change; something of it is an estimate, or
host and device share cores; or it is not known what it would save."""


@attrs.frozen(slots=True, repr=False)
class Advice(Finding):
    """A finding on what could be better, with its proof: ``evidence`` are keys of lines and ops.

    ``path``, ``file``, ``line`` and ``key`` are of the line that it is about, None where too little of the time is on
    lines to name one. ``saving_per_step_ps`` is what a step would take less at best, ``saving_ratio`` of the step;
    ``saving_bytes`` of memory. What is not known is None. ``shares_cores``: host and device run on the same cores, so
    that what one saves the other may take. Where the saving is a part of another advice's, ``within`` is its code.
    """

    path: str | None = None
    file: str | None = None
    line: int | None = None
    key: str | None = None
    saving_per_step_ps: int | None = None
    saving_ratio: float | None = None
    saving_bytes: int | None = None
    saving_basis: SavingBasis | None = None
    confidence: Confidence = "low"
    shares_cores: bool = False
    within: str | None = None


@attrs.frozen(slots=True, repr=False)
class AdviceRecord(ViewRecord):
    """What to do next, largest saving first; ``left_out`` more were found.

    Savings are over ``steps`` steady steps of ``step_ps`` on average, 0 where there are none. ``notes`` say why nothing
    is advised, or how it is to be read. ``effects`` are what came of the advice on the run that this one follows.
    """

    ROWS: ClassVar = "findings"

    findings: tuple[Advice, ...] = attrs.field(default=(), kw_only=True)
    notes: tuple[Finding, ...] = ()
    effects: tuple[Finding, ...] = ()
    steps: int = 0
    step_ps: int | None = None
    left_out: int = 0
