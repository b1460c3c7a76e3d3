"""Rounds of a script in two revisions: each a short capture of both, in an order that is drawn anew every time."""

import os
import random
import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import attrs

from scopelight.capture.against.differences import differences, foreign_files
from scopelight.capture.against.edits import Edits
from scopelight.capture.against.imports import OwnImports, module_files, moved, own_imports
from scopelight.capture.against.one_round import INTERRUPTED, OneRound
from scopelight.capture.against.repository import Repository, Revision
from scopelight.capture.against.worktree import checked_out
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec
from scopelight.findings import Finding, warning
from scopelight.formats.lenient import read_object
from scopelight.model.run.experiment import (
    SIDES,
    Experiment,
    ExperimentRound,
    ExperimentSide,
    RoundFailure,
    SideName,
    complete_rounds,
    round_folder,
    write_experiment,
)
from scopelight.model.run.names import RUNS_FOLDER, SOURCES_FOLDER, SOURCES_INDEX

PILOT_ROUNDS = 3
"""After so many it is known how much rounds differ, and so how many are needed."""
MOST_ROUNDS = 30
"""However small the change is that is asked for."""
MOST_FAILED_ROUNDS = 2
"""One after the other, without any that succeeded: those that follow would fail as well."""
_MOST_NAMED = 100
"""Files in a finding."""

Sides = tuple[Sequence[Path], Sequence[Path]]


@attrs.frozen
class NeededRounds:
    """How many rounds show a change of a quantity, which is called ``quantity``; None where too few may be made.

    The quantity is None where nothing is known of every round by which it could be told.
    """

    quantity: str | None = None
    rounds: int | None = None


@attrs.frozen
class ExperimentSpec:
    """``rounds`` of captures as ``launch`` says, in the folder ``out``; None: a new one where runs are kept.

    With ``detect_ratio`` the number of rounds follows from how much those of a pilot differ, by what ``needed`` says of
    their runs, at most `MOST_ROUNDS`.
    """

    launch: LaunchSpec
    rounds: int = 5
    detect_ratio: float | None = None
    needed: Callable[[Sides, float, int], NeededRounds] = lambda *_: NeededRounds()
    out: Path | None = None
    seed: int | None = None


@attrs.frozen
class _Side:
    """Where a side starts, and in what environment."""

    name: SideName
    script: Script
    cwd: Path
    environment: Mapping[str, str]
    says: str


@attrs.define
class ExperimentSource:
    """A script that is run with ``python`` in ``cwd``, as it is and as it was in the revision ``asked``.

    ``say`` is told how far it is, ``tell`` what is to be known of the sides. `cancel` may be called from a handler of
    signals, or from another thread.
    """

    script: Script
    asked: str
    python: str
    cwd: Path
    environment: Mapping[str, str]
    say: Callable[[str], None] = lambda _: None
    tell: Callable[[Sequence[Finding]], None] = lambda _: None
    path: Path | None = attrs.field(default=None, init=False)
    """The experiment's folder, once it is there; no more where nothing was captured before it was interrupted."""
    cancelled_by: int | None = attrs.field(default=None, init=False)
    """The signal."""
    was_edited: bool = attrs.field(default=False, init=False)
    """Files of a side changed between its rounds, and no further ones were made."""
    _experiment: Experiment = attrs.field(factory=Experiment, init=False)
    _round: OneRound | None = attrs.field(default=None, init=False)

    @property
    def rounds_planned(self) -> int:
        """As many as were to be made."""
        return self._experiment.rounds_planned or 0

    def capture(self, spec: ExperimentSpec) -> Sides:
        """Make the rounds; the runs of those that both sides have.

        Raises `CaptureFailure` where none has both, unless it was interrupted.
        """
        repository = Repository.around(self.cwd)
        revision = repository.revision(self.asked)
        imports = own_imports(self.python, repository.top, self.environment)
        self._refuse_without_script(repository, revision, imports)
        # What the script needs is asked of the interpreter once; each round asks again, and says which side lacks it.
        LaunchSource(self.script, self.python, self.cwd, self.environment).probe()
        found = tuple(differences(repository, revision, imports))
        with ExitStack() as stack:
            worktree = stack.enter_context(checked_out(repository, revision))
            sides = self._sides(repository, revision, worktree, imports)
            self._begin(spec, repository, revision, found)
            try:
                self.say(f"before is {revision}; after is {_present(repository, self._experiment.after)}.")
                self.tell(found)
                edits = Edits(repository, worktree)
                self._rounds(spec, sides, edits)
                self._look_beside(edits)
            except BaseException:
                self._update(state="failed")
                raise
        assert self.path is not None
        complete = complete_rounds(self.path)
        interrupted = self.cancelled_by is not None
        is_short = interrupted or (self.was_edited and bool(complete[0]))
        self._update(state="interrupted" if is_short else "finished" if complete[0] else "failed")
        if not complete[0] and not interrupted:
            raise CaptureFailure(
                f"No round was captured of both sides: {self._why_none()} What there is: {self.path}", Exit.NOT_COMPARED
            )
        if self._holds_nothing():
            shutil.rmtree(self.path, ignore_errors=True)
            self.path = None
        return complete

    def cancel(self, number: int) -> None:
        """End what is under way, as a signal asks for; whole rounds are kept."""
        self.cancelled_by = number
        if self._round is not None:
            self._round.cancel()

    def _refuse_without_script(self, repository: Repository, revision: Revision, imports: OwnImports) -> None:
        if self.script.is_module:
            self._refuse_without_module(repository, revision, imports)
            return
        file = (self.cwd / self.script.name).resolve()
        if repository.top not in file.parents:
            raise CaptureFailure(
                f"{self.script.name} is not in the repository {repository.top}: both sides would run the same script.",
                Exit.REVISION_MISSING,
            )
        if not file.exists():
            raise CaptureFailure(f"There is no script {self.script.name}: check the path.", Exit.SCRIPT_MISSING)
        if not repository.has(revision, file.relative_to(repository.top)):
            raise CaptureFailure(
                f"{self.script.name} does not exist in {revision}: name a revision that has it.", Exit.REVISION_MISSING
            )

    def _refuse_without_module(self, repository: Repository, revision: Revision, imports: OwnImports) -> None:
        files = module_files(self.script.name, self.cwd, imports, repository.top)
        # Of one that is not of the working tree the interpreter says what there is.
        is_here = any((repository.top / each).is_file() for each in files)
        if is_here and not any(repository.has(revision, each) for each in files):
            raise CaptureFailure(
                f"The module {self.script.name} does not exist in {revision}: name a revision that has it.",
                Exit.REVISION_MISSING,
            )

    def _sides(
        self, repository: Repository, revision: Revision, worktree: Path, imports: OwnImports
    ) -> Mapping[SideName, _Side]:
        cwd = worktree / self.cwd.resolve().relative_to(repository.top)
        # A folder that came later holds nothing that the script could read there.
        cwd.mkdir(parents=True, exist_ok=True)
        name = Path(self.script.name)
        earlier = self.script
        if not earlier.is_module and name.is_absolute():
            moved_name = worktree / name.resolve().relative_to(repository.top)
            earlier = attrs.evolve(earlier, name=str(moved_name))
        environment = moved(self.environment, imports, repository.top, worktree)
        return {
            "before": _Side("before", earlier, cwd, environment, revision.short),
            "after": _Side("after", self.script, self.cwd, self.environment, "the working tree"),
        }

    def _begin(
        self, spec: ExperimentSpec, repository: Repository, revision: Revision, found: tuple[Finding, ...]
    ) -> None:
        stem = re.sub(r"[^A-Za-z0-9_.-]", "_", self.script.stem) or "script"
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{stem}-against-{revision.short}"
        self.path = (spec.out if spec.out is not None else _unused(self.cwd / RUNS_FOLDER / name)).absolute()
        head = repository.revision("HEAD")
        self._experiment = Experiment(
            state="running",
            pid=os.getpid(),
            created=datetime.now().astimezone().isoformat(timespec="seconds"),
            script=self.script.name,
            is_module=self.script.is_module,
            args=self.script.arguments,
            cwd=str(self.cwd),
            python=self.python,
            before=ExperimentSide(revision.commit, revision.subject, revision.asked),
            after=ExperimentSide(head.commit, head.subject, None, dirty=bool(repository.changed())),
            seed=secrets.randbits(32) if spec.seed is None else spec.seed,
            rounds_planned=spec.rounds if spec.detect_ratio is None else PILOT_ROUNDS,
            detect_ratio=spec.detect_ratio,
            pilot_rounds=None if spec.detect_ratio is None else PILOT_ROUNDS,
            most_rounds=None if spec.detect_ratio is None else MOST_ROUNDS,
            findings=found,
        )
        try:
            if self.path.exists() and any(self.path.iterdir()):
                raise CaptureFailure(
                    f"{self.path} holds something already: choose another folder with --out.", Exit.UNWRITABLE
                )
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / ".gitignore").write_text("*\n", encoding="utf-8")
            for side in SIDES:
                (self.path / side).mkdir()
            self._update()
        except OSError as error:
            raise CaptureFailure(
                f"The folder {self.path} cannot be written ({error.strerror or error}): choose another one with --out.",
                Exit.UNWRITABLE,
            ) from error

    def _update(self, **fields: object) -> None:
        self._experiment = attrs.evolve(self._experiment, **fields)  # type: ignore[arg-type]
        if self.path is not None and self.path.is_dir():
            write_experiment(self.path, self._experiment)

    def _rounds(self, spec: ExperimentSpec, sides: Mapping[SideName, _Side], edits: Edits) -> None:
        drawn = random.Random(self._experiment.seed)
        number = 0
        while self.cancelled_by is None and number < (self._experiment.rounds_planned or 0):
            number += 1
            order: tuple[SideName, ...] = ("before", "after") if drawn.random() < 0.5 else ("after", "before")
            made = self._one(spec, sides, number, order, edits)
            self._update(rounds=(*self._experiment.rounds, made))
            if number == 1:
                self._look_at_imports(edits.repository.top, edits.worktree)
            if self.was_edited:
                break
            if all(each.failures for each in self._experiment.rounds) and number >= MOST_FAILED_ROUNDS:
                break
            if number == PILOT_ROUNDS and spec.detect_ratio is not None and self.cancelled_by is None:
                self._plan(spec, spec.detect_ratio)

    def _one(
        self,
        spec: ExperimentSpec,
        sides: Mapping[SideName, _Side],
        number: int,
        order: tuple[SideName, ...],
        edits: Edits,
    ) -> ExperimentRound:
        began, failures = time.monotonic(), list[RoundFailure]()
        assert self.path is not None
        for name in order:
            if self.cancelled_by is not None:
                failures.append(RoundFailure(name, INTERRUPTED))
                continue
            side = sides[name]
            self.say(f"{self._progress(number)}: {name} ({side.says}){self._time_left(number, name, order)}")
            out = round_folder(self.path, name, number)
            launch = attrs.evolve(spec.launch, out=out, calibrates=False)
            one = self._round = OneRound(side.script, self.python, side.cwd, side.environment, launch)
            failure = _in_a_thread(one.capture)
            self._round = None
            if failure is not None:
                failures.append(RoundFailure(name, failure))
                if self.cancelled_by is None:
                    self.say(f"round {number} failed {_of_side(name, side)}: {failure}")
                continue
            if one.error is not None:
                self._tell_of_exception(name, str(one.error))
            edited = edits.since_first(name, out, side.cwd)
            if edited:
                failures.append(RoundFailure(name, f"Files were edited since an earlier round: {', '.join(edited)}."))
                self.was_edited = True
                self._find(warning("against-edited-meanwhile", names=tuple(edited[:_MOST_NAMED]), round=number))
                break
        return ExperimentRound(number, order, time.monotonic() - began, tuple(failures))

    def _progress(self, number: int) -> str:
        whole = self._experiment.rounds_planned
        is_pilot = self._experiment.detect_ratio is not None and number <= PILOT_ROUNDS
        return f"round {number} of {whole}" + (" (of the pilot)" if is_pilot else "")

    def _time_left(self, number: int, name: SideName, order: Sequence[SideName]) -> str:
        took = [each.seconds for each in self._experiment.rounds if each.seconds is not None and not each.failures]
        if not took:
            return ""
        left = (self._experiment.rounds_planned or number) - number + 1 - order.index(name) / len(order)
        seconds = left * sum(took) / len(took)
        return f", about {seconds:.0f} s left" if seconds < 90 else f", about {seconds / 60:.0f} min left"

    def _plan(self, spec: ExperimentSpec, ratio: float) -> None:
        """The number of rounds by what those of the pilot differ: it is fixed from now on."""
        assert self.path is not None
        complete = complete_rounds(self.path)
        needed = spec.needed(complete, ratio, MOST_ROUNDS) if len(complete[0]) > 1 else NeededRounds()
        planned = max(PILOT_ROUNDS, needed.rounds if needed.rounds is not None else MOST_ROUNDS)
        self._update(rounds_planned=planned)
        change = f"a change of {100 * ratio:.3g} % in the {needed.quantity}"
        if needed.quantity is None:
            self.say(f"no time of a step is known of every round of the pilot: {MOST_ROUNDS} rounds are made.")
        elif needed.rounds is None:
            self.say(f"not even {MOST_ROUNDS} rounds would show {change}: so many are made.")
        else:
            self.say(
                f"{planned} rounds show {change}, by how much those of the pilot differ;"
                " of other times they may show only larger ones."
            )

    def _look_at_imports(self, top: Path, worktree: Path) -> None:
        """Whether the earlier side really was the earlier one: its files are those of the worktree."""
        assert self.path is not None
        index = round_folder(self.path, "before", 1) / SOURCES_FOLDER / SOURCES_INDEX
        try:
            named = read_object(index.read_bytes()) or {}
        except OSError:
            return
        foreign = foreign_files(list(named), top, worktree)
        if foreign:
            self._find(warning("against-imports-of-working-tree", names=tuple(foreign[:_MOST_NAMED])))

    def _look_beside(self, edits: Edits) -> None:
        """Whether the working tree changed where no run says so."""
        changed = edits.beside()
        if changed:
            self._find(warning("against-edited-beside", names=tuple(changed[:_MOST_NAMED])))

    def _tell_of_exception(self, side: SideName, error: str) -> None:
        """Once of a side: all its rounds may end like that."""
        code = "against-ended-in-exception"
        if not any(each.code == code and each.values["side"] == side for each in self._experiment.findings):
            self._find(warning("against-ended-in-exception", side=side, error=error))

    def _find(self, finding: Finding) -> None:
        self._update(findings=(*self._experiment.findings, finding))
        self.tell([finding])

    def _holds_nothing(self) -> bool:
        """Whether it was interrupted before anything was captured, or failed for a reason to look at."""
        assert self.path is not None
        rounds = self._experiment.rounds
        if self.cancelled_by is None or len(rounds) > 1:
            return False
        failed = {each.side for of_round in rounds for each in of_round.failures if each.sentence == INTERRUPTED}
        return not rounds or failed == {*SIDES}

    def _why_none(self) -> str:
        failures = [each for of_round in self._experiment.rounds for each in of_round.failures]
        return f"{failures[0].side}: {failures[0].sentence}" if failures else ""


def _present(repository: Repository, after: ExperimentSide) -> str:
    head = Revision("HEAD", after.commit, after.subject)
    if not after.dirty:
        return f"{head}"
    changed = len(repository.changed())
    return f"{head}, with {changed} file{'' if changed == 1 else 's'} changed since"


def _of_side(name: SideName, side: _Side) -> str:
    return f"{name} ({side.says})"


def _unused(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _in_a_thread(function: Callable[[], str | None]) -> str | None:
    """Call it where no signal arrives: a capture in the main thread would take them for the script alone."""
    results: list[str | None] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=call, name="round", daemon=True)
    thread.start()
    while thread.is_alive():
        # Handlers of signals run between two of these.
        thread.join(0.2)
    if errors:
        raise errors[0]
    return results[0]
