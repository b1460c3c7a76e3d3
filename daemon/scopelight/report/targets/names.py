"""What compared runs are called: by what each is for, and by the arguments that tell it from the others."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from scopelight.model.run.information import RunInformation
from scopelight.model.run.listing import kind_in_full
from scopelight.report.language import text


def names_of(runs: Sequence[tuple[Path, RunInformation | None]]) -> Sequence[str]:
    """A name for each run at a path, given what its ``run.json`` says; no two are the same unless their paths are.

    ``v5e-8`` of a prediction, ``8 × TPU v5e`` of what was measured, ``v5e-8 --batch-size=128`` where the arguments are
    not the same in all.
    """
    options = [tuple(_options(run.args if run is not None else ())) for _, run in runs]
    common = set.intersection(*map(set, options)) if options else set()
    names = [
        " ".join((_place(path, run), *(each for each in own if each not in common)))
        for (path, run), own in zip(runs, options, strict=True)
    ]
    known = Counter(names)
    return [name if known[name] == 1 else f"{name} ({path.name})" for name, (path, _) in zip(names, runs, strict=True)]


def title_of(runs: Sequence[tuple[Path, RunInformation | None]], names: Sequence[str]) -> str:
    """``step.py: v5e-8, v6e-8``."""
    scripts = dict.fromkeys(Path(run.script).name for _, run in runs if run is not None and run.script is not None)
    return (
        text("{scripts}: {names}", scripts=", ".join(scripts), names=", ".join(names)) if scripts else ", ".join(names)
    )


def _place(path: Path, run: RunInformation | None) -> str:
    if run is None:
        return path.name
    if run.predicted_for is not None:
        return run.predicted_for
    kinds = ", ".join(map(kind_in_full, run.device_kinds))
    if not kinds:
        return path.name
    return f"{len(run.devices or ())} × {kinds}"


def _options(arguments: Sequence[str]) -> Iterator[str]:
    """Each option with its values, as on a command line."""
    option: list[str] = []
    for each in arguments:
        if option and each.startswith("-"):
            yield shlex.join(option)
            option = []
        option.append(each)
    if option:
        yield shlex.join(option)
