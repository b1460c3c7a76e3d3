"""What a list says of a run: as it is by now, in the language of the person."""

import attrs

from scopelight.model.run.capture_process import is_alive
from scopelight.model.run.listing import RunRecord
from scopelight.report.language import text, translated


def as_it_is(run: RunRecord) -> RunRecord:
    """The run with its texts worded, as failed where its capture was killed before it could say so."""
    if run.problem is not None:
        return attrs.evolve(run, problem=translated(run.problem))
    if run.state != "running" or run.pid is None or is_alive(run.pid):
        return run
    return attrs.evolve(run, state="failed", failure=killed())


def killed() -> str:
    """What is said of a capture whose process is gone without a word."""
    return text("The capture was ended before it had saved a profile.")
