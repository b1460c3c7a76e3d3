"""Budgets that the editor proposes and writes."""

import attrs


@attrs.frozen(slots=True)
class ProposeBudgets:
    """Asks what budgets the run at ``path`` would hold, None for the one that is shown.

    With a ``file`` and a 1-based ``line`` in it, those of the function there come first.
    """

    path: str | None = None
    file: str | None = None
    line: int | None = None


@attrs.frozen(slots=True)
class ProposedBudget:
    """A budget that a run would hold. Texts are ready to be read by a person.

    ``name`` and ``place`` are as in the file of budgets, ``limit`` a value of TOML. ``title`` says what it is of
    (``Median time of a step``), ``description`` its limit (``at most 220 ms``), ``detail`` what the run took, how much
    more is allowed and what is allowed now. ``is_first_choice``: it is one that most projects want.
    """

    name: str
    place: str | None
    limit: str
    title: str
    description: str
    detail: str
    is_first_choice: bool


@attrs.frozen(slots=True)
class ProposedBudgets:
    """What a run would hold, and the file that the budgets are to be written to. ``is_new``: there is none yet."""

    run: str
    config: str
    is_new: bool
    budgets: tuple[ProposedBudget, ...]


@attrs.frozen(slots=True)
class ChosenBudget:
    """One of the proposed."""

    name: str
    place: str | None
    limit: str


@attrs.frozen(slots=True)
class SetBudgets:
    """Asks for the edits that write budgets into the file ``config``, as it is in the editor now."""

    config: str
    budgets: tuple[ChosenBudget, ...]


@attrs.frozen(slots=True)
class TextReplacement:
    """New text for a part of a file; lines and characters count from 0, characters as the client counts them."""

    start_line: int
    start_character: int
    end_line: int
    end_character: int
    text: str


@attrs.frozen(slots=True)
class BudgetEdits:
    """The edits of the file ``config``, which is new where there was none; ``line``, from 1, is the first changed."""

    config: str
    is_new: bool
    edits: tuple[TextReplacement, ...]
    line: int
