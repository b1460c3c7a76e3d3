"""What a TPU would do: the compiler that says it, the names of TPUs, and predictions side by side."""

import attrs


@attrs.frozen(slots=True)
class OfferedTpu:
    """A TPU by its name, with what it is in a few words (``8 devices of 16 GiB, 2×4``)."""

    name: str
    description: str


@attrs.frozen(slots=True)
class CompilerState:
    """The environment that compiles for TPUs: whether it is there, and what it would cost.

    ``problem`` is a sentence where there is none for this machine. ``offered`` are TPUs to choose from.
    """

    is_there: bool
    folder: str
    download_bytes: int
    disk_bytes: int
    problem: str | None = None
    offered: tuple[OfferedTpu, ...] = ()


@attrs.frozen(slots=True)
class InstallCompiler:
    """Download it. Progress and cancellation as the protocol has them."""

    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class RemovedCompiler:
    """How many bytes of the disk were given back."""

    removed_bytes: int


@attrs.frozen(slots=True)
class NameTpu:
    """A name of a TPU, as somebody wrote it."""

    name: str


@attrs.frozen(slots=True)
class NamedTpu:
    """A sentence that says what is wrong with the name; None where it is one."""

    problem: str | None = None


@attrs.frozen(slots=True)
class CompareTargets:
    """Predicted runs by their paths, in the order of their columns, and measured ones to be set beside them."""

    paths: tuple[str, ...]


@attrs.frozen(slots=True)
class ComparedTargets:
    """The comparison as Markdown, and what it is called (``step.py: v5e-8, v6e-8``)."""

    title: str
    text: str
