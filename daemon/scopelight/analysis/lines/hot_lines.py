"""The hot lines: which lines of source the op time went to."""

import attrs

from scopelight.analysis.lines.exposing import sync_records
from scopelight.analysis.lines.host_findings import host_findings
from scopelight.analysis.lines.step_records import step_records
from scopelight.analysis.lines.table import LineTable, line_table
from scopelight.analysis.missing_programs import nothing_in_scope, nothing_ran, unsaid, without_room
from scopelight.analysis.options import Scope
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.steps.step_time import step_time
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.analysis.totals.predicted import predicted_devices, predicted_for
from scopelight.analysis.totals.waiting.charging import longest_first
from scopelight.analysis.totals.waiting.transfers import transfer_advice
from scopelight.findings import PROFILE_SCRIPT, Finding, each_once, empty, show_view
from scopelight.model.profile import Profile

__all__ = ["LineOptions", "hot_lines"]


def hot_lines(profile: Profile, options: LineOptions | None = None, scope: Scope = "steps") -> LinesRecord:
    """Self and inclusive time of every user line of ``profile``, in a scope.

    Every op's self time goes to the innermost user frame of its stack, a fusion's to the lines inside it in
    proportion to their estimated cost. Time is handed out in whole picoseconds by largest remainder, so that
    lines and the unattributed rest sum to the op time exactly. An op without a user frame takes the line of
    its neighbours in the dataflow where they agree, and is unattributed where they do not.
    """
    centre = centre_of(profile, options)
    steps, scoped = centre.steps, centre.scoped(scope)
    totals, charges = scoped.totals, scoped.charges
    table = line_table(centre, scoped) if centre.static is None else LineTable()
    cost_models = each_once(totals.devices[row].rates.cost_model for row in centre.devices.values())
    in_steps = centre.scoped("steps").wall
    capture = profile.capture
    why_empty = () if table.lines else (_why_empty(profile, totals, scope),)
    return LinesRecord(
        predicted_for=predicted_for(profile),
        predicted_devices=predicted_devices(profile),
        extent=scoped.extent,
        wall=scoped.wall,
        op_time_ps=totals.op_time_ps,
        attributed_ps=totals.op_time_ps - charges.unattributed_ps,
        unattributed_ps=charges.unattributed_ps,
        unattributed_wall_ps=charges.unattributed_wall_ps,
        idle_ps=scoped.waiting.idle_ps,
        idle_classes=longest_first(scoped.waiting.classes_ps),
        unattributed_waiting_ps=scoped.waiting.unattributed_ps,
        steps_wall_ps=in_steps.wall_ps if in_steps is not None and len(steps) else 0,
        devices=totals.device_records(profile.capture) if centre.static is None else (),
        steps_source=steps.source,
        steps_name=steps.name or None,
        steps=step_records(centre),
        step_time=step_time(steps),
        window={
            "start_ps": 0,
            "duration_ps": profile.duration_ps,
            **(attrs.asdict(capture.window) if capture is not None and capture.window is not None else {}),
        },
        findings=(
            *why_empty,
            *unsaid(centre.findings_of_steps, why_empty),
            *cost_models,
            *host_findings(profile, scoped, steps),
            *(transfer_advice(centre, scoped.waiting, scoped.wall.wall_ps, scoped.step_count) if scoped.wall else ()),
        ),
        lines=table.lines,
        unattributed_ops=table.unattributed_ops,
        functions=table.functions,
        stacks=table.stacks,
        syncs=sync_records(centre),
        cpu_ps=None if scoped.cpu is None else scoped.cpu.whole_ps,
        unattributed_cpu_ps=(None if scoped.cpu is None else scoped.cpu.unattributed_ps + charges.unattributed_cpu_ps),
    )


def _why_empty(profile: Profile, totals: InstructionTotals, scope: Scope) -> Finding:
    if len(profile.executions):
        number = len(totals.op_rows)
        if not number:
            return nothing_in_scope(profile, scope)
        if (unfit := without_room(profile)) is not None:
            return unfit
        ran = [profile.executions.ops[row] for row in totals.op_rows]
        if profile.is_cut_off and not any(op.instruction is not None or op.stack for op in ran):
            return empty("op-names-cut-off", PROFILE_SCRIPT, ops=number)
        if all(op.module is not None or op.stack for op in profile.executions.ops):
            return empty("ops-of-no-line-of-yours", show_view("ops"), ops=number)
        return empty("ops-without-source", PROFILE_SCRIPT, ops=number)
    return nothing_ran(profile)
