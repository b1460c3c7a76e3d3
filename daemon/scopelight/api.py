"""The Python interface: a run, with one method for each view of the table, and the comparison of several."""

import inspect
import math
import os
import warnings
from collections.abc import Callable, Iterable, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import attrs
import numpy as np
import numpy.typing as npt

from scopelight.analysis.column_types import Columns
from scopelight.analysis.compare.records import ComparedBy, ComparisonRecord
from scopelight.analysis.options import OptionError, options_of
from scopelight.analysis.tabular import Table, Tabular
from scopelight.formats.errors import FormatError
from scopelight.model.remote.addresses import is_address
from scopelight.model.run.experiment import EXPERIMENT_FILE, complete_rounds
from scopelight.model.run.sides import AFTER, UnknownSideError, is_experiment, rounds_in, runs_of_side
from scopelight.sql.errors import QueryError
from scopelight.sql.limits import SECONDS_OF_PEOPLE
from scopelight.views.comparing import compare_runs
from scopelight.views.opening import open_subject
from scopelight.views.table import VIEWS, View

if TYPE_CHECKING:
    from scopelight.sql.table import QueryTable

__all__ = ["ExecutionColumns", "OptionError", "ProfileError", "QueryError", "Run", "compare", "open"]


class ProfileError(Exception):
    """A path cannot be read as a profile; the message is the sentence of the command line."""


@attrs.frozen(eq=False, repr=False)
class ExecutionColumns(Table):
    """Every execution of an op, sorted by device and start: columns of equal length.

    Times are picoseconds from the profile's first event. ``duration_ps`` reaches from an execution's start to its end;
    ``self_ps`` is the time that lanes worked for the execution itself. ``program`` is empty where it is not known.
    """

    device: npt.NDArray[np.object_]
    program: npt.NDArray[np.object_]
    op: npt.NDArray[np.object_]
    lane: npt.NDArray[np.object_]
    start_ps: npt.NDArray[np.int64]
    duration_ps: npt.NDArray[np.int64]
    self_ps: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.start_ps)

    def table_columns(self) -> Columns:
        """The columns with the types of their values."""
        kinds = {name: int if name.endswith("_ps") else str for name in attrs.fields_dict(type(self))}
        return {name: (getattr(self, name), kind) for name, kind in kinds.items()}


class Run:
    """A run, a log directory or one file that was opened. Views that were asked for share what they are made of."""

    def __init__(self, path: "str | os.PathLike[str]", roots: "tuple[str | os.PathLike[str], ...]" = ()) -> None:
        # Of it `Path` would make the current folder, which may hold other runs.
        if not os.fspath(path):
            raise ProfileError("The path is empty. The current folder is '.'.")
        self.path = _local(os.fspath(path))
        self._roots = tuple(roots)
        if is_experiment(self.path) and (self.path / EXPERIMENT_FILE).is_file():
            raise ProfileError(
                f"{self.path} holds rounds of both sides of a comparison: scopelight.compare({str(self.path)!r})"
                f" compares them, and each round is a run of its own, such as {self.path / AFTER / 'round-1'}."
            )
        self._subject = open_subject(self.path, *(map(Path, roots) if roots else (Path.cwd(),)))
        try:
            self._profile = self._subject.profile
        except FormatError as error:
            raise ProfileError(str(error)) from error
        self._warn_of_several()

    def _warn_of_several(self) -> None:
        several = next((each.values for each in self._profile.findings if each.code == "several-sessions"), None)
        if several is not None and rounds_in(self.path):
            warnings.warn(
                f"{self.path} holds {several['sessions']} profiles, of which {several['newest']} is opened:"
                " scopelight.compare(before, after) takes folders of runs.",
                stacklevel=_callers_level(),
            )

    @property
    def executions(self) -> ExecutionColumns:
        """Every execution of an op."""
        table = self._profile.executions
        programs = [program.name for program in table.programs]
        names = [(programs[op.program] if op.program >= 0 else "", op.name) for op in table.ops]
        return ExecutionColumns(
            device=_named([device.name for device in table.devices], table.device),
            program=_named([program for program, _ in names], table.op),
            op=_named([op for _, op in names], table.op),
            lane=_named(table.lanes, table.lane),
            start_ps=table.start_ps,
            duration_ps=table.duration_ps,
            self_ps=table.self_ps,
        )

    def compare(self, other: "Run | str | os.PathLike[str]", *, by: ComparedBy = "line") -> ComparisonRecord:
        """What changed from this run to another, row by row: ``by`` line, op, scope, step, memory or shape.

        It is one run of each: `scopelight.compare` takes rounds of them, which tell more.
        """
        if not isinstance(other, Run | str | os.PathLike):
            raise TypeError(f"{_no_run(other)} scopelight.compare(before, after) takes several of each.")
        return _compared([self], [_opened(other, self._roots)], by)

    def sql(
        self,
        text: str,
        *,
        limit: int | None = None,
        timeout_s: float = SECONDS_OF_PEOPLE,
        others: "OneRun | Iterable[OneRun]" = (),
    ) -> "QueryTable":
        """The answer to a query in SQL over the tables that ``scopelight sql RUN .schema`` lists, as a table.

        At most ``limit`` rows of it, all for None; how many more there are it says. ``others`` are further runs, or
        their paths: the column ``run`` of every table is 1 for this one, 2 for the first of them. Raises `QueryError`
        where DuckDB is not installed (``pip install 'scopelight[sql]'``), where the query does not read, is wrong, or
        lasts longer than ``timeout_s``; `ProfileError` where a path cannot be read.
        """
        from scopelight.sql.limits import Limits  # noqa: PLC0415 (few ask in SQL)
        from scopelight.sql.query import ask  # noqa: PLC0415
        from scopelight.sql.table import query_table  # noqa: PLC0415

        if not isinstance(text, str):
            raise TypeError(f"The query is a text, not {type(text).__name__}.")
        limits = Limits(_seconds(timeout_s), _row_limit(limit))
        runs = [self, *(_opened(each, self._roots) for each in _several(others, "others"))]
        try:
            # Who calls may have threads that a fork of the process would not stand.
            return query_table(ask([each._subject for each in runs], text, limits, in_this_process=True))
        except FormatError as error:
            raise ProfileError(str(error)) from error

    def _answer(self, view: View, options: Any) -> Any:  # noqa: ANN401 (the table's)
        try:
            return view.ask(self._subject, options)
        except FormatError as error:
            raise ProfileError(str(error)) from error

    def __repr__(self) -> str:
        return f"scopelight.open({str(self.path)!r})"


OneRun = Run | str | os.PathLike[str]
"""A run that is open, or where one lies."""


def open(path: "str | os.PathLike[str]", *, roots: "tuple[str | os.PathLike[str], ...]" = ()) -> Run:
    """Open a run, a TensorBoard log directory or one file, here or at an address (``s3://``, ``gs://``, ``https://``).

    ``roots`` are the folders whose files are yours; without them, the current one. Raises `ProfileError` where the
    path cannot be read.
    """
    return Run(path, roots)


def compare(
    before: "OneRun | Iterable[OneRun]",
    after: "OneRun | Iterable[OneRun] | None" = None,
    *,
    by: ComparedBy = "line",
    roots: "tuple[str | os.PathLike[str], ...]" = (),
) -> ComparisonRecord:
    """What changed between two sides, row by row: ``by`` line, op, scope, step, memory or shape.

    Each side is a run, or several rounds: runs that are open, their paths, a folder of them, or, as text, a revision of
    git, of which the newest run counts. ``before`` alone is the folder that ``scopelight run --against`` has written,
    which has both sides. ``roots`` are as for `open`. Raises `ProfileError` where there is no such run, or it cannot be
    read.
    """
    sides: tuple[Sequence[OneRun], Sequence[OneRun]] | None
    if after is not None:
        sides = _side(before, "before"), _side(after, "after")
    else:
        sides = _rounds_of_both(before)
        if sides is None:
            raise TypeError(
                f"{before!r} is no folder of an experiment, which has both sides: give what it is compared with too."
            )
    opened = [[_opened(each, roots) for each in side] for side in sides]
    return _compared(opened[0], opened[1], by)


def _compared(before: Sequence[Run], after: Sequence[Run], by: ComparedBy) -> ComparisonRecord:
    if by not in get_args(ComparedBy):
        raise OptionError("by", f"{by!r} is not one of {', '.join(get_args(ComparedBy))}.")
    try:
        return compare_runs([each._subject for each in before], [each._subject for each in after], by)
    except FormatError as error:
        raise ProfileError(str(error)) from error


def _rounds_of_both(folder: object) -> "tuple[Sequence[Path], Sequence[Path]] | None":
    """The rounds of an experiment; None where it is none."""
    if not isinstance(folder, str | os.PathLike) or not os.fspath(folder) or not is_experiment(Path(folder)):
        return None
    sides = complete_rounds(Path(folder).absolute())
    if not all(sides):
        raise ProfileError(f"{folder} has no round of both sides.")
    return sides


def _side(given: "OneRun | Iterable[OneRun]", name: str) -> "Sequence[OneRun]":
    if not isinstance(given, str | os.PathLike):
        runs = _several(given, name)
        if not runs:
            raise ProfileError(f"The side {name} has no run.")
        return runs
    path = os.fspath(given)
    if not path or is_address(path):
        return [path]
    try:
        return runs_of_side(path, Path.cwd())
    except UnknownSideError as error:
        if error.revision is not None:
            raise ProfileError(f"No run here was made of {path}, with nothing changed since.") from error
        raise ProfileError(f"{path} is no run, no folder of runs and no revision of git.") from error


def _opened(run: OneRun, roots: "tuple[str | os.PathLike[str], ...]") -> Run:
    if not isinstance(run, Run | str | os.PathLike):
        raise TypeError(_no_run(run))
    return run if isinstance(run, Run) else Run(run, roots)


def _no_run(given: object) -> str:
    return f"A run is a Run or a path, not {type(given).__name__}."


def _several(runs: "OneRun | Iterable[OneRun]", what: str) -> "Sequence[OneRun]":
    if isinstance(runs, Run | str | os.PathLike):
        return [runs]
    if not isinstance(runs, Iterable):
        raise TypeError(f"{what} are runs or paths, not {type(runs).__name__}.")
    return [*runs]


def _callers_level() -> int:
    """The level of the stack, as who calls this has to give it, at which somebody else called this module."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_code.co_filename == __file__:
        frame, level = frame.f_back, level + 1
    return level


def _row_limit(limit: int | None) -> int | None:
    if limit is not None and (isinstance(limit, bool) or not hasattr(limit, "__index__") or limit < 0):
        raise OptionError("limit", f"limit is a number of rows from 0, or None for all, not {limit!r}.")
    return limit


def _seconds(timeout_s: float) -> float:
    if isinstance(timeout_s, bool | str) or not (math.isfinite(timeout_s) and timeout_s > 0):
        raise OptionError("timeout_s", f"timeout_s is a number of seconds above 0, not {timeout_s!r}.")
    return timeout_s


def _local(path: str) -> Path:
    if not is_address(path):
        return Path(path)
    from scopelight.model.remote.fetching import fetch  # noqa: PLC0415

    try:
        return fetch(path).path
    except FormatError as error:
        raise ProfileError(str(error)) from error


def method_name(view: View) -> str:
    """``op_profile``."""
    return view.id.replace("-", "_")


def _method(view: View) -> Callable[..., Tabular]:
    def method(self: Run, **options: Any) -> Tabular:  # noqa: ANN401 (the view's)
        kinds = {name: kind for name, kind, _, _ in options_of(view.options)}
        for name in options.keys() - kinds.keys():
            raise TypeError(f"{method_name(view)}() has no option {name!r}; its options: {', '.join(kinds) or 'none'}.")
        for name, kind in kinds.items():
            choices = get_args(kind) if get_origin(kind) is Literal else ()
            if choices and options.get(name, choices[0]) not in choices:
                raise OptionError(name, f"{options[name]!r} is not one of {', '.join(choices)}.")
        record: Tabular = self._answer(view, view.options(**options))
        return record

    method.__name__ = method_name(view)
    method.__doc__ = "\n".join(
        [view.sentence, "", *(f"{name}: {option.text}" for name, _, _, option in options_of(view.options))]
    ).rstrip()
    return method


def _named(names: Any, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.object_]:  # noqa: ANN401 (a sequence of text)
    # The last of them is for rows that name none.
    return np.array([*names, ""], dtype=object)[rows]


def _as_html(table: Table) -> str:
    from scopelight.report.tables.html_table import html_table  # noqa: PLC0415 (notebooks show it)

    left_out = getattr(table, "left_out", None)
    return html_table(table, len(table) + left_out if isinstance(table, Sized) and isinstance(left_out, int) else None)


Table.as_html = _as_html

for _view in VIEWS.values():
    setattr(Run, method_name(_view), _method(_view))
