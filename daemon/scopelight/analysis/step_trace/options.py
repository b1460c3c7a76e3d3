"""Options of the step trace."""

from typing import Annotated

import attrs

from scopelight.analysis.options import DeviceOption, Option
from scopelight.legible import Legible

StartOption = Annotated[
    str | None,
    Option(
        "Where the forward pass begins: a line (train.py:48), or a regular expression for names of ops or for the whole"
        " name of a program. Found by itself without it, or taken from PROFILING_FP_START where the script had that in"
        " its environment.",
        "forward-start",
    ),
]
EndOption = Annotated[
    str | None,
    Option(
        "Where the backward pass ends, in the same way; PROFILING_BP_END is its variable.",
        "backward-end",
    ),
]


@attrs.frozen(repr=False)
class StepTraceOptions(Legible):
    """What of a run the step trace looks at, and where its steps are divided."""

    device: DeviceOption = None
    forward_start: StartOption = None
    backward_end: EndOption = None
