"""A quick fix: the changes of a file, and what they are about."""

from collections.abc import Sequence
from typing import Literal

import attrs

from scopelight.analysis.advice.fixes.change import Change

FixKind = Literal["donate", "read-every-steps", "remove-flag", "compile-function"]


@attrs.frozen(slots=True, eq=False)
class Fix:
    """Changes of the file at ``path``; ``name`` is of what they are about: a function, an argument, a flag."""

    kind: FixKind
    path: str
    changes: Sequence[Change]
    name: str
