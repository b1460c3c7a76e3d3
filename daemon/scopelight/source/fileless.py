"""Code that never was in a file: typed into an interpreter, made by the script, or built into a program."""

import re
from typing import Literal

Fileless = Literal["typed", "notebook", "made", "built-in"]

_NOTEBOOK = re.compile(r"[/\\]ipykernel_\d+[/\\]\d+\.py$")
_TYPED = re.compile(r"^<(?:stdin|console|input|ipython-input-.*|python-input-.*)>$", re.DOTALL)
_BUILT_IN = re.compile(r"^<(?:frozen|embedded|built-in)\b")


def fileless(path: str) -> Fileless | None:
    """What a recorded path stands for that is no file anywhere; None for one that was a file."""
    if _NOTEBOOK.search(path):
        return "notebook"
    if not (path.startswith("<") and path.endswith(">")):
        return None
    if _TYPED.match(path):
        return "typed"
    return "built-in" if _BUILT_IN.match(path) else "made"
