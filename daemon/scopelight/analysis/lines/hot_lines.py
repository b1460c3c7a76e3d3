"""The hot lines: which lines of source the op time went to."""

import attrs

from scopelight.analysis.lines.table import LineTable, line_table
from scopelight.analysis.records import LinesRecord, StepRecord
from scopelight.analysis.steps.step_time import step_time
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.model.profile import Profile

__all__ = ["LineOptions", "hot_lines"]

MOST_OUTSIDE_RATIO = 0.1
"""With more of the op time outside complete steps, the order by share need not be that by time per step."""


def hot_lines(profile: Profile, options: LineOptions | None = None) -> LinesRecord:
    """Self and inclusive time of every user line of ``profile``.

    Every op's self time goes to the innermost user frame of its stack, a fusion's to the lines inside it in
    proportion to their estimated cost. Time is handed out in whole picoseconds by largest remainder, so that
    lines and the unattributed rest sum to the op time exactly. An op without a user frame takes the line of
    its neighbours in the dataflow where they agree, and is unattributed where they do not.
    """
    centre = centre_of(profile, options)
    totals, steps = centre.totals, centre.steps
    table = line_table(centre) if centre.static is None else LineTable()
    reason, remedy = _why_empty(profile, totals) if not table.lines else (None, None)
    cost_models = dict.fromkeys(totals.devices[row].rates.cost_model for row in centre.devices.values())
    capture = profile.capture
    unattributed_ps = centre.charges().unattributed_ps
    outside_ps = totals.op_time_ps - totals.inside_steps().op_time_ps if totals.steps else None
    return LinesRecord(
        op_time_ps=totals.op_time_ps,
        attributed_ps=totals.op_time_ps - unattributed_ps,
        unattributed_ps=unattributed_ps,
        outside_steps_ps=outside_ps,
        devices=totals.device_records if centre.static is None else (),
        steps_source=steps.source,
        steps_name=steps.name or None,
        steps_reason=steps.reason or None,
        steps=tuple(
            StepRecord(start, duration)
            for start, duration in zip(steps.start_ps.tolist(), steps.duration_ps.tolist(), strict=True)
        ),
        step_time=step_time(profile, steps),
        window={
            "start_ps": 0,
            "duration_ps": profile.duration_ps,
            **(attrs.asdict(capture.window) if capture is not None and capture.window is not None else {}),
        },
        cost_model=" ".join(cost_models) or None,
        warnings=(
            *profile.warnings,
            *(capture.warnings if capture else ()),
            *centre.options.warnings,
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


def _why_empty(profile: Profile, totals: InstructionTotals) -> tuple[str, str]:
    if len(profile.executions):
        number = len(totals.ran)
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
