"""What a script is called: by its file, and where several have one name by the folders that tell them apart."""

from collections.abc import Iterable, Sequence
from pathlib import Path


def script_name(script: Path, others: Iterable[Path], roots: Sequence[Path]) -> str:
    """The name of a script beside ``others``, as tabs of an editor have it.

    ``train.py``, or ``jobs/train.py`` where another has that name; ``roots`` are the folders of the workspace.
    """
    parts = _parts(script, roots)
    same_name = [_parts(other, roots) for other in others if other != script and other.name == script.name]
    for length in range(1, len(parts)):
        if all(other[-length:] != parts[-length:] for other in same_name):
            return "/".join(parts[-length:])
    return "/".join(parts)


def _parts(script: Path, roots: Sequence[Path]) -> tuple[str, ...]:
    """The folders and the file of a path, from the workspace folder on; that too where there are several."""
    for root in roots:
        if script.is_relative_to(root):
            within = script.relative_to(root).parts
            return (root.name, *within) if len(roots) > 1 else within
    return script.relative_to(script.anchor).parts
