"""For which share of its steps a job waits for its input, as far as a short trace of it tells."""

import re
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.monitoring.records import InfeedBasis
from scopelight.analysis.steps.steps import Steps
from scopelight.formats.columns import Float64
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans, merge_spans

_INFEED: Final = re.compile(r"infeed(?![a-z])", re.IGNORECASE)


@attrs.frozen
class InfeedShares:
    """The share of each step, and by what it is known."""

    ratios: Float64
    basis: InfeedBasis


def infeed_shares(profile: Profile, steps: Steps) -> InfeedShares | None:
    """None where no device has an infeed and nothing tells when the script was at its input."""
    ratios = _of_ops(profile, steps)
    if ratios is not None:
        return InfeedShares(ratios, "infeed-ops")
    if not profile.host_records():
        return None
    seen = [each for each in input_record(profile).steps if each.is_steady and each.input_ps is not None]
    if not seen:
        return None
    return InfeedShares(np.array([(each.input_ps or 0) / each.duration_ps for each in seen]), "host-input")


def _of_ops(profile: Profile, steps: Steps) -> Float64 | None:
    """By step; None where no device has an infeed."""
    executions = profile.executions
    feeding = [row for row, op in enumerate(executions.ops) if _INFEED.match(op.name) or op.category == "infeed"]
    if not feeding:
        return None
    rows = np.flatnonzero(np.isin(executions.op, feeding))
    waited_ps = np.zeros(len(steps), dtype=np.int64)
    for device in range(len(executions.devices)):
        own = rows[executions.device[rows] == device]
        spans: Spans = merge_spans(executions.start_ps[own], executions.start_ps[own] + executions.duration_ps[own])
        waited_ps += covered_ps(spans, steps.start_ps, steps.start_ps + steps.duration_ps)
    return waited_ps / (steps.duration_ps * len(executions.devices))
