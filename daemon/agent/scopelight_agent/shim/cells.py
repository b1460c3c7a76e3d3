"""The cells of a notebook that this kernel has run: their text is nowhere but in its memory."""

import linecache
import os
import re
import sys
from collections.abc import Callable
from typing import Any

MOST_CHARACTERS = 1 << 20
"""So much text is told at most of all cells together, the newest first; long ones hold data."""

_CELL = re.compile(r"[/\\]ipykernel_\d+[/\\]\d+\.py$|^<ipython-input-\d+-[0-9a-f]{12}>$")
"""A name that says which text it is of: where ``IPYKERNEL_CELL_NAME`` gives all cells one name, none is told."""


def tell(send: Callable[..., None]) -> None:
    """Send the path of the notebook, where the kernel knows it, and of each cell the path that its frames have, its
    text and what counted its execution; nothing where this is no kernel of a notebook."""
    try:
        notebook, cells = _cells()
    except Exception as error:
        # The trace is worth more than what stands in its cells.
        send("problem", message=f"{type(error).__name__}: {error}")
        return
    if cells:
        send("cells", notebook=notebook, cells=cells)


def notebook() -> str | None:
    """The path of the notebook whose kernel this is; None where it is none, or does not know."""
    return _notebook_of(_interpreter())


def _interpreter() -> Any:  # noqa: ANN401 (IPython is the user's)
    return getattr(sys.modules.get("IPython.core.getipython"), "get_ipython", lambda: None)()


def _cells() -> tuple[str | None, list[dict[str, Any]]]:
    interpreter = _interpreter()
    counts = getattr(getattr(interpreter, "compile", None), "_filename_map", None)
    if not isinstance(counts, dict):
        return None, []
    told: list[dict[str, Any]] = []
    left = MOST_CHARACTERS
    for file, count in reversed(list(counts.items())):
        entry = linecache.cache.get(file)
        if _CELL.search(file) is None or entry is None or len(entry) != 4:
            continue
        text = "".join(entry[2])
        left -= len(text)
        if left >= 0:
            told.append({"file": file, "text": text, "execution_count": count})
    return _notebook_of(interpreter), told[::-1]


def _notebook_of(interpreter: Any) -> str | None:  # noqa: ANN401
    """VS Code puts the path into a variable of the kernel's, Jupyter's server into the environment."""
    variables = getattr(interpreter, "user_ns", {})
    for each in (variables.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")):
        if isinstance(each, str) and each.endswith(".ipynb"):
            return os.path.abspath(each)  # noqa: PTH100
    return None
