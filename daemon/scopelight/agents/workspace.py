"""The workspace that tools are shut into: which of its files and runs is meant."""

import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from scopelight.agents.answer import ToolError
from scopelight.agents.experiments import experiment_named, experiments_of, sides_of
from scopelight.agents.folders import Folders
from scopelight.agents.foreign import is_called, plain_place, quoted
from scopelight.agents.suggested import call_to_profile
from scopelight.agents.tool import call
from scopelight.model.run.names import RUN_FILE, RUNS_FOLDER

# What describes runs takes a tenth of a second to import, which a client would wait for: functions import it.

_MOST_NAMED = 5
_MOST_LINKS = 20_000
"""Files of a run that are looked at for links that lead out of the workspace."""


@attrs.frozen
class Workspace(Folders):
    """The folders of the person, and what may be meant in them.

    ``shown`` is the run that an editor shows, which is meant where none is named. A person has opened it, wherever it
    is.
    """

    shown: Path | None = None

    @classmethod
    def of(cls, roots: Sequence[Path], shown: Path | None = None) -> "Workspace":
        """The workspace of folders as they are named."""
        return cls(tuple(dict.fromkeys(root.resolve() for root in roots)), shown)

    def file(self, named: str) -> Path:
        """The file or folder that is named, relative to one of the folders. Raises `ToolError` where it is outside."""
        if "\0" in named:
            raise ToolError("A path has no null character.", call("list_runs"))
        path = Path(named)
        candidates = [path] if path.is_absolute() else [root / path for root in self.roots]
        inside = [each for each in candidates if self.holds(each)]
        if not inside:
            raise self._outside(named)
        return next((each for each in inside if each.exists()), inside[0])

    def run(self, named: str | None) -> Path:
        """The run that is meant by its name or path, without either the one shown, or the newest that can be read.

        Of an experiment, which is meant where there is no run beside it, it is the newest after the change.
        Raises `ToolError` where there is none, or it is outside of the workspace.
        """
        path = self._newest() if named is None else self._named(named)
        if named is not None and experiment_named(self, str(path)) is not None:
            path = sides_of(self, path)[1][-1]
        if path == self.shown:
            return path
        if not self.holds(path):
            raise self._outside(str(path))
        for link in _links(path):
            if not self.holds(link):
                raise ToolError(
                    f"{plain_place(self.relative(path))} holds a link that leads out of the workspace, where nothing is"
                    " read.",
                    call("list_runs"),
                )
        return path

    def _newest(self) -> Path:
        if self.shown is not None:
            return self.shown
        from scopelight.model.run.listing import find_runs  # noqa: PLC0415
        from scopelight.model.run.log_directories import find_log_directories  # noqa: PLC0415
        from scopelight.report.run.listed import as_it_is  # noqa: PLC0415

        # To describe runs is to look through their files: of the newest alone that is needed.
        folders = (each for root in self.roots for each in _run_folders(root))
        for path in heapq.nlargest(_MOST_LINKS, folders, key=lambda each: each.name):
            record = next(iter(find_runs(path)), None)
            if record is not None and record.problem is None and as_it_is(record).state == "captured":
                return path
        for experiment in experiments_of(self):
            if experiment.rounds:
                return sides_of(self, Path(experiment.path))[1][-1]
        for root in self.roots:
            for directory in find_log_directories(root):
                return Path(directory.path)
        raise ToolError(
            "No run was captured in this workspace yet: profile a script first.",
            call_to_profile(self),
        )

    def _named(self, named: str) -> Path:
        path = Path(named)
        is_name = "\0" not in named and path.name == named and named not in ("", ".", "..")
        places = [root / RUNS_FOLDER / named for root in self.roots] if is_name else []
        if "\0" not in named and named:
            places.extend([path] if path.is_absolute() else [root / path for root in self.roots])
        there = [each for each in places if self.holds(each) and each.exists()]
        # A folder may be called like a run of another folder.
        for each in sorted(there, key=lambda place: not (place / RUN_FILE).is_file()):
            return each.resolve()
        # A link that leads out is there, and not to be followed.
        if places and (any(each.is_symlink() for each in places) or not any(map(self.holds, places))):
            raise self._outside(named)
        paths = [Path(run.path) for run in self.runs()]
        paths.extend(Path(each.path) for each in experiments_of(self))
        for path in paths:
            if is_called(self.name_of(path), named):
                return path
        known = [quoted(self.name_of(path), 80) for path in paths[:_MOST_NAMED]]
        newest = f"the newest are {', '.join(known)}" if known else "there is no run in this workspace"
        raise ToolError(f"No run {quoted(named)}; {newest}.", call("list_runs"))

    def _outside(self, named: str) -> ToolError:
        roots = ", ".join(plain_place(str(root)) for root in self.roots)
        return ToolError(
            f"{quoted(named, 100)} is outside of the workspace ({roots}), where nothing is read.", call("list_runs")
        )


def _run_folders(root: Path) -> Iterator[Path]:
    for folder in (root, *_below(root / RUNS_FOLDER), *_below(root)):
        if (folder / RUN_FILE).is_file():
            yield folder


def _below(folder: Path) -> Sequence[Path]:
    try:
        return [each for each in folder.iterdir() if each.is_dir()]
    except OSError:
        return ()


def _links(path: Path) -> Iterator[Path]:
    """The links in a run."""
    if not path.is_dir():
        return
    for number, each in enumerate(path.rglob("*")):
        if number >= _MOST_LINKS:
            return
        if each.is_symlink():
            yield each
