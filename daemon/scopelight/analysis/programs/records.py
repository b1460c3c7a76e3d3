"""Records of compiled programs, of what compiling took, and of shapes that change."""

from typing import ClassVar

import attrs

from scopelight.analysis.programs.reasons import ChangedArgument, CompileCause
from scopelight.analysis.records import ViewRecord


@attrs.frozen(slots=True)
class ProgramArgument:
    """An argument of a program, or an array in one: its name in the code (``params['w']``), and its shape."""

    name: str
    shape: str


@attrs.frozen(slots=True)
class ProgramRow:
    """A compiled program that ran, or is held by the profile.

    It is the ``variant`` of the ``variants`` that its function was compiled to, in the order in which they first ran;
    ``changed`` is in what its arguments differ from the earlier one that is most alike. ``time_ps`` is that of its runs
    in the window over all devices, ``share_ratio`` of those of all programs. ``compile_ps`` is what compiling it took,
    None where it is not known. ``path`` and ``line`` are of the line that calls it.
    """

    key: str
    name: str
    function: str
    program_id: str
    variant: int
    variants: int
    runs: int
    runs_per_step: float | None
    time_ps: int
    mean_ps: int | None
    share_ratio: float
    compile_ps: int | None
    peak_bytes: int | None
    instructions: int | None
    arguments: tuple[ProgramArgument, ...]
    changed: tuple[ChangedArgument, ...]
    path: str | None
    file: str | None
    line: int | None


@attrs.frozen(slots=True)
class CompilationRow:
    """All that was compiled of one function from one line, for one cause, over the whole run of the script.

    ``in_steps`` of the ``count`` were compiled in complete steps. ``changed`` is what had changed the last time.
    """

    key: str
    function: str
    path: str | None
    file: str | None
    line: int | None
    cause: CompileCause
    count: int
    in_steps: int
    time_ps: int
    changed: tuple[ChangedArgument, ...]


@attrs.frozen(slots=True)
class ProgramsRecord(ViewRecord):
    """Every compiled program, most time first, and what compiling took.

    ``compile_ps`` is the sum over the ``compilations``, in the whole run of the script where that was written down.
    """

    program_time_ps: int = 0
    compile_ps: int | None = None
    rows: tuple[ProgramRow, ...] = ()
    compilations: tuple[CompilationRow, ...] = ()


@attrs.frozen(slots=True)
class ShapeVariant:
    """A program of a family: its arguments whose shapes change, and the mean of its runs."""

    key: str
    program_id: str
    number: int
    shapes: tuple[ProgramArgument, ...]
    runs: int
    mean_ps: int
    compile_ps: int | None


@attrs.frozen(slots=True)
class ShapeIteration:
    """One run of a program of a family, on its first device: which variant (a row of ``variants``), and its op time.

    ``step`` is the number of the complete step that it began in, None outside of them.
    """

    number: int
    step: int | None
    variant: int
    start_ps: int
    duration_ps: int
    op_time_ps: int


@attrs.frozen(slots=True)
class ShapeSeries:
    """The op time of one category, or of one op over all variants, by iteration of its family."""

    key: str
    name: str
    is_op: bool
    times_ps: tuple[int, ...]


@attrs.frozen(slots=True)
class BucketPlan:
    """What padding the size that changes to a few ``sizes`` would cost and save.

    ``padding_ratio`` is how much more of that size there would be, over all iterations; ``compiles`` how many programs
    would be compiled in place of as many as there are, and ``saved_ps`` what that saves; an estimate.
    """

    sizes: tuple[int, ...]
    padding_ratio: float
    compiles: int
    saved_ps: int | None


@attrs.frozen(slots=True)
class ShapeFamily:
    """The programs that one function was compiled to, for arguments of other shapes.

    ``argument`` and ``dimension`` name the size that changes, where it is one.
    """

    key: str
    name: str
    function: str
    variants: tuple[ShapeVariant, ...]
    iterations: tuple[ShapeIteration, ...]
    series: tuple[ShapeSeries, ...]
    argument: str | None
    dimension: int | None
    plans: tuple[BucketPlan, ...]
    path: str | None
    file: str | None
    line: int | None


@attrs.frozen(slots=True)
class ShapesRecord(ViewRecord):
    """The families of programs whose shapes change, most time first."""

    ROWS: ClassVar = "families"

    families: tuple[ShapeFamily, ...] = ()
