"""The cells of a notebook that this kernel has run: their text is nowhere but in its memory."""

import linecache
import os
import re
import sys
from collections.abc import Callable
from typing import Any

MOST_CHARACTERS = 1 << 20
"""So much text is told at most of all cells together, the newest first; long ones hold data."""

_CELL = re.compile(r"[/\\]ipykernel_\d+[/\\]\d+\.py$")


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


def _cells() -> tuple[str | None, list[dict[str, Any]]]:
    interpreter = getattr(sys.modules.get("IPython.core.getipython"), "get_ipython", lambda: None)()
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
    return _notebook(getattr(interpreter, "user_ns", {})), told[::-1]


def _notebook(variables: dict[str, Any]) -> str | None:
    """The notebook's path: VS Code puts it into a variable of the kernel's, Jupyter's server into the environment."""
    for each in (variables.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")):
        if isinstance(each, str) and each.endswith(".ipynb"):
            return os.path.abspath(each)  # noqa: PTH100
    return None
