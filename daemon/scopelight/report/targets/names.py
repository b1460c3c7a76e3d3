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
    not the same in all, and ``step.py for v5e-8`` where the scripts are not.
    """
    scripts = _scripts([run for _, run in runs])
    options = [tuple(_options(run.args if run is not None else ())) for _, run in runs]
    common = set.intersection(*map(set, options)) if options else set()
    names = [
        " ".join((_of_script(script, _place(path, run), run), *(each for each in own if each not in common)))
        for (path, run), own, script in zip(runs, options, scripts, strict=True)
    ]
    known = Counter(names)
    return [name if known[name] == 1 else f"{name} ({path.name})" for name, (path, _) in zip(names, runs, strict=True)]


def title_of(runs: Sequence[tuple[Path, RunInformation | None]], names: Sequence[str]) -> str:
    """``step.py: v5e-8, v6e-8``; of several scripts the names say which is meant."""
    script = next((run.script for _, run in runs if run is not None and run.script is not None), None)
    listed = ", ".join(names)
    if script is None or any(_scripts([run for _, run in runs])):
        return listed
    return text("{script}: {names}", script=Path(script).name, names=listed)


def _scripts(runs: Sequence[RunInformation | None]) -> Sequence[str | None]:
    """What the script of each run is called beside the others: by as much of its path as tells them apart.

    None of a run of which no script is recorded, and of all where they are of one script: one that was measured on
    another machine lies in another folder there.
    """
    paths = [None if run is None or run.script is None else Path(run.cwd or "", run.script) for run in runs]
    different = {each for each in paths if each is not None}
    recorded = {run.script for run in runs if run is not None and run.script is not None}
    if min(len(different), len(recorded)) < 2:
        return [None] * len(runs)
    most = max(len(each.parts) for each in different)
    length = next((n for n in range(1, most) if len({each.parts[-n:] for each in different}) == len(different)), most)
    return [None if each is None else "/".join(each.parts[-length:]) for each in paths]


def _of_script(script: str | None, place: str, run: RunInformation | None) -> str:
    if script is None:
        return place
    if run is not None and run.predicted_for is not None:
        return text("{script} for {place}", script=script, place=place)
    return text("{script} on {place}", script=script, place=place)


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
