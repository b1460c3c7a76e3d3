"""What differs between two revisions beside their code, and what of a working tree no revision holds."""

import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from scopelight.capture.against.imports import OwnImports
from scopelight.capture.against.repository import Repository, Revision
from scopelight.findings import Finding, note, warning

_LOCKED = (
    "requirements*.txt",
    "constraints*.txt",
    "environment*.yml",
    "environment*.yaml",
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pylock*.toml",
    "conda-lock.yml",
)
"""Files that say what is to be installed."""
_PROJECT = "pyproject.toml"
_OF_PROJECT = ("dependencies", "optional-dependencies", "requires-python")
_MOST_NAMED = 100
_OWN_FOLDERS = (".scopelight/", ".git/", "__pycache__/", ".venv/", "venv/", ".mypy_cache/", ".pytest_cache/")
"""Of what is in no revision that no script misses."""


def differences(repository: Repository, revision: Revision, imports: OwnImports) -> Iterator[Finding]:
    """What is to be known before a revision is compared with the working tree."""
    changed = repository.changed()
    if changed:
        yield note("against-uncommitted", names=tuple(changed[:_MOST_NAMED]))
    unlike = sorted(_unlike_dependencies(repository, revision))
    if unlike:
        yield warning("against-unlike-dependencies", files=tuple(unlike))
    submodules = repository.submodules(revision)
    if submodules:
        yield warning("against-submodules", names=tuple(submodules[:_MOST_NAMED]))
    if imports.installed:
        folders = tuple(str(each.relative_to(repository.top)) for each in imports.installed)
        yield note("against-editable-install", folders=folders)
    untracked = [each for each in repository.untracked() if not _is_own(each)]
    if untracked:
        yield note("against-untracked", names=tuple(untracked[:_MOST_NAMED]))


def foreign_files(named: Sequence[str], top: Path, worktree: Path) -> Sequence[str]:
    """Of the files that a run in a worktree names those that are of the working tree: both sides ran these."""
    within = [Path(each) for each in named]
    found = [each for each in within if top in each.parents and worktree not in each.parents]
    return [each.relative_to(top).as_posix() for each in found if "site-packages" not in each.parts]


def _unlike_dependencies(repository: Repository, revision: Revision) -> Iterator[str]:
    for name in _locked(repository, revision):
        if _present(repository.top / name) != repository.text(revision, Path(name)):
            yield name
    after, before = _present(repository.top / _PROJECT), repository.text(revision, Path(_PROJECT))
    if _dependencies(after) != _dependencies(before):
        yield _PROJECT


def _locked(repository: Repository, revision: Revision) -> Sequence[str]:
    """Those at the root, and in the folder of their own that some keep them in, of either side."""
    files = {*repository.files(revision)}
    for folder in (Path(), Path("requirements")):
        place = repository.top / folder
        files |= {(folder / each.name).as_posix() for each in place.glob("*") if each.is_file()}
    return [each for each in files if _locks(each)]


def _locks(path: str) -> bool:
    if path.startswith("requirements/"):
        return path.endswith(".txt")
    return path.count("/") <= 1 and any(fnmatch(Path(path).name, pattern) for pattern in _LOCKED)


def _present(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _dependencies(text: str | None) -> Any:  # noqa: ANN401 (TOML)
    try:
        told = tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        return text
    project = told.get("project", {})
    tool = told.get("tool", {})
    return (
        [project.get(name) for name in _OF_PROJECT] if isinstance(project, dict) else project,
        told.get("dependency-groups"),
        tool.get("poetry", {}).get("dependencies") if isinstance(tool, dict) else None,
    )


def _is_own(path: str) -> bool:
    return any(each in path for each in _OWN_FOLDERS) or path.endswith((".pyc", ".egg-info/"))
