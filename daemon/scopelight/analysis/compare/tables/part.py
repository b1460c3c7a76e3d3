"""What the wall clock of a run's steps went to."""

from scopelight.analysis.compare.entries import Entry, Table, shared_out
from scopelight.analysis.options import Scope
from scopelight.analysis.overview.parts import PARTS, step_parts
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of


def part_table(subject: Subject, _scope: Scope) -> Table:
    """The parts of a step: together its wall clock. Without steps there is none."""
    centre = centre_of(subject.profile, subject.line_options)
    devices = centre.scoped("steps").totals.device_rows if centre.static is None else ()
    sums = step_parts(centre, devices).sum(axis=0).tolist()
    times = shared_out(sums, max(1, len(centre.steps)) * max(1, len(devices)))
    return Table(
        [
            Entry(
                key=part,
                kind="part",
                label=part,
                identities=(part,),
                time_ps=time_ps,
                waiting_ps=0 if part in ("compute", "communication") else time_ps,
            )
            for part, time_ps in zip(PARTS, times, strict=True)
        ]
    )
