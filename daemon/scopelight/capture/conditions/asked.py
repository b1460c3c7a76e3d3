"""What may be asked for: conditions as they are written, and which of them exclude each other."""

import re

from scopelight.model.run.information import WindowOptions

SLOW_RATIO = 2.0
"""A step that takes more than so many times as long as the others is slow, where nobody says otherwise."""


def slow_ratio(when: str) -> float | None:
    """What ``slow`` or ``slow:3`` means; None where it is neither."""
    found = re.fullmatch(r"slow(?::(\d+(?:\.\d+)?))?", when)
    if found is None or (found[1] is not None and float(found[1]) <= 1):
        return None
    return SLOW_RATIO if found[1] is None else float(found[1])


def contradiction(options: WindowOptions) -> str | None:
    """The sentence that says which options exclude each other; None where all go together."""
    asked = {
        "--whole": options.whole,
        "--seconds": options.seconds is not None,
        "--from-step": options.from_step is not None,
        "--epoch": options.epoch is not None,
        "--when": options.slow_ratio is not None,
        "--watch": options.watch is not None,
    }
    given = [name for name, is_given in asked.items() if is_given]
    if options.every is not None and not asked["--from-step"]:
        given.append("--every")
    if len(given) > 1:
        return f"{given[0]} and {given[1]} exclude each other: give one of them."
    if options.every is not None and options.every < options.steps:
        return f"--every {options.every} leaves no room for windows of {options.steps} steps: give a larger number."
    return None
