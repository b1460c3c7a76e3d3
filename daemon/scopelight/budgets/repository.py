"""The root of a repository, which services that show results call files by."""

from pathlib import Path


def repository_root(folder: Path) -> Path:
    """The nearest folder above that git keeps; ``folder`` itself where none is."""
    whole = folder.absolute()
    return next((each for each in (whole, *whole.parents) if (each / ".git").exists()), whole)
