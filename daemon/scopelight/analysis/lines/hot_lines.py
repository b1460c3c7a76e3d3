"""The hot lines: which lines of source the op time went to."""

import numpy as np

from scopelight.analysis.lines.table import line_table
from scopelight.analysis.records import LinesRecord, StepRecord
from scopelight.analysis.steps.step_time import step_time
from scopelight.analysis.steps.steps import find_steps
from scopelight.analysis.totals.charging import charge
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.analysis.totals.totals import Totals, find_totals
from scopelight.model.devices.fusion_rates import backend_rates
from scopelight.model.profile import Profile

__all__ = ["LineOptions", "hot_lines"]

MOST_UNATTRIBUTED_OPS = 20
"""Ops without a line that the record names; their time is counted whether they are named or not."""

MOST_OUTSIDE_RATIO = 0.1
"""With more of the op time outside complete steps, the order by share need not be that by time per step."""


def hot_lines(profile: Profile, options: LineOptions | None = None) -> LinesRecord:
    """Self and inclusive time of every user line of ``profile``.

    Every op's self time goes to the innermost user frame of its stack, a fusion's to the lines inside it in
    proportion to their estimated cost. Time is handed out in whole picoseconds by largest remainder, so that
    lines and the unattributed rest sum to the op time exactly. An op without a user frame takes the line of
    its neighbours in the dataflow where they agree, and is unattributed where they do not.
    """
    options = options or LineOptions()
    executions = profile.executions
    steps = find_steps(profile)
    totals = find_totals(executions, steps)
    frames = UserFrames(options, profile.capture.cwd if profile.capture else None)
    charges = charge(executions, totals, frames)
    table = line_table(executions, totals, charges, frames, most_unattributed=MOST_UNATTRIBUTED_OPS)
    reason, remedy = _why_empty(profile, totals) if not table.lines else (None, None)
    kinds = dict.fromkeys(device.kind for device in totals.devices)
    capture = profile.capture
    outside_ps = None if totals.inside_ps is None else totals.op_time_ps - int(totals.inside_ps.sum())
    return LinesRecord(
        op_time_ps=totals.op_time_ps,
        attributed_ps=totals.op_time_ps - charges.unattributed_ps,
        unattributed_ps=charges.unattributed_ps,
        outside_steps_ps=outside_ps,
        devices=totals.devices,
        steps_source=steps.source,
        steps_name=steps.name or None,
        steps_reason=steps.reason or None,
        steps=tuple(
            StepRecord(start, duration)
            for start, duration in zip(steps.start_ps.tolist(), steps.duration_ps.tolist(), strict=True)
        ),
        step_time=step_time(profile, steps),
        window={"start_ps": 0, "duration_ps": profile.duration_ps, **((capture and capture.window) or {})},
        cost_model=" ".join(backend_rates(kind).cost_model for kind in kinds) or None,
        warnings=(
            *profile.warnings,
            *(capture.warnings if capture else ()),
            *options.warnings,
            *_outside_steps(outside_ps or 0, totals.op_time_ps),
        ),
        reason=reason,
        remedy=remedy,
        lines=table.lines,
        unattributed_ops=table.unattributed_ops,
        functions=table.functions,
        stacks=table.stacks,
    )


def _outside_steps(outside_ps: int, op_time_ps: int) -> tuple[str, ...]:
    if outside_ps <= op_time_ps * MOST_OUTSIDE_RATIO:
        return ()
    return (
        f"{outside_ps / op_time_ps:.0%} of the op time ran outside complete steps: shares include it, times per step"
        " do not.",
    )


def _why_empty(profile: Profile, totals: Totals) -> tuple[str, str]:
    if len(profile.executions):
        number = int(np.count_nonzero(totals.executions))
        lead = "The op that ran names no line" if number == 1 else f"None of the {number} ops that ran names a line"
        if all(op.module is not None or op.stack for op in profile.executions.ops):
            return (
                f"{lead} of yours: what ran was made by the compiler, or by libraries.",
                "See what ran by op: `scopelight show ops`. If some of it is yours, run this from your project, or open"
                " its folder.",
            )
        return (
            f"{lead} of source: the profile holds neither the compiled programs nor source positions.",
            "Capture again with `scopelight run`, which keeps the compiled programs in the profile.",
        )
    if profile.is_memory_alone:
        return (
            "It holds what was in memory and no trace, so the time of no op is known.",
            "Look at the memory profile instead: `scopelight show memory-profile`.",
        )
    if profile.modules:
        return (
            "The file holds compiled programs, but nothing of them ran while it was made.",
            "Open a profile of a run instead; `scopelight run SCRIPT` makes one.",
        )
    return (
        "No op ran on a device while the profile was made.",
        "Capture while the program computes: `scopelight run SCRIPT` chooses the window itself.",
    )
