"""What an advice promises, in words."""

from collections.abc import Mapping
from typing import Final

from scopelight.analysis.advice.records import Advice, SavingBasis
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_size, duration, share
from scopelight.report.prediction.marks import timed

_BASES: Final[Mapping[SavingBasis, str]] = {
    "waiting": template("as long as devices wait there"),
    "overlap": template("down to what the slower of host and device needs alone"),
    "compiling": template("what its calls take beyond those that compile nothing"),
    "excess": template("what slow steps take beyond a usual one"),
    "op-time": template("of the time of the ops"),
    "padding": template("the part of the op time that goes into padding"),
    "plan": template("what the compiler's plan has there at its peak"),
    "bytes": template("by the sizes of arrays, and how long each is needed"),
}


def saving_text(advice: Advice) -> str:
    """``At best 8.02 ms less per step (44.1 %): as long as devices wait there.``; empty where nothing is promised."""
    if advice.saving_per_step_ps is not None and advice.saving_ratio is not None:
        amount = text(
            "{time} less per step ({share})",
            time=duration(advice.saving_per_step_ps),
            share=timed(share(advice.saving_ratio)),
        )
    elif advice.saving_bytes is not None:
        amount = text("{size} less memory", size=byte_size(advice.saving_bytes))
    else:
        return ""
    if advice.saving_basis is None:
        return text("At best {amount}.", amount=amount)
    return text("At best {amount}: {basis}.", amount=amount, basis=text(_BASES[advice.saving_basis]))
