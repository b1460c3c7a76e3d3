"""Reading and writing ``run.json``."""

from pathlib import Path
from typing import Any

import attrs

from scopelight.findings import Finding, Value, note, warning
from scopelight.formats.errors import FormatError
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.information import RUN_FORMAT_VERSION, CaptureProgress, RunInformation
from scopelight.model.run.json_files import write_json
from scopelight.model.run.names import RUN_FILE


def write_run_information(path: Path, information: RunInformation) -> None:
    """Replace a run directory's ``run.json`` in one step: a reader sees the old one or the new one."""
    fields = attrs.asdict(information)
    del fields["path"]
    write_json(path / RUN_FILE, fields, indent=1)


def set_pinned(path: Path, pinned: bool) -> None:
    """Pin or unpin a run, and keep whatever else its ``run.json`` says. Raises FormatError, and OSError."""
    write_json(path / RUN_FILE, {**_read(path / RUN_FILE), "pinned": pinned}, indent=1)


def find_run_information(path: Path) -> RunInformation | None:
    """What a run directory's ``run.json`` says; None where ``path`` has none.

    Raises `FormatError` where it is no description of a run, or of a newer format.
    """
    file = path / RUN_FILE
    if not file.is_file():
        return None
    fields = _read(file)
    # Older runs have sentences.
    findings = (*read_findings(fields.pop("warnings", None)), *read_findings(fields.pop("findings", None)))
    information = from_json(fields, RunInformation)
    assert information is not None
    return attrs.evolve(information, path=path.resolve(), findings=findings)


def read_progress(path: Path) -> CaptureProgress:
    """The progress of the capture that fills the run directory ``path``.

    A directory without a ``run.json`` is about to be filled: its stage is ``starting``. Raises `FormatError` where it
    is damaged.
    """
    run = find_run_information(path) or RunInformation()
    progress = run.progress or CaptureProgress()
    return attrs.evolve(
        progress,
        stage=progress.stage if run.state is None or run.state == "running" else run.state,
        failure=run.failure,
        out_of_memory=run.out_of_memory is not None,
        error=run.error,
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        fields = read_object(file.read_bytes())
        version = None if fields is None else int(fields.get("format_version", 0))
    except (OSError, ValueError, TypeError, OverflowError) as error:
        raise FormatError("it is not the description of a run", path=file, kind="run") from error
    if fields is None or version is None:
        raise FormatError("it is not the description of a run", path=file, kind="run")
    if version > RUN_FORMAT_VERSION:
        raise FormatError(
            "it has format version {version}, newer than this Scopelight reads ({known}): update Scopelight",
            path=file,
            kind="run",
            version=version,
            known=RUN_FORMAT_VERSION,
        )
    return fields


def read_findings(value: object) -> tuple[Finding, ...]:
    """The warnings and notes in a field of ``run.json``; what is none of them is left out."""
    found = map(_finding, value) if isinstance(value, list) else ()
    return tuple(each for each in found if each is not None)


def _finding(value: object) -> Finding | None:
    if isinstance(value, str):
        return warning("recorded-note", text=value)
    if not isinstance(value, dict) or not isinstance(value.get("code"), str):
        return None
    values = value.get("values")
    plain = values.items() if isinstance(values, dict) else ()
    made = note if value.get("severity") == "note" else warning
    return made(value["code"], **{str(name): _plain(each) for name, each in plain})


def _plain(value: object) -> Value:
    if isinstance(value, list):
        return tuple(each if isinstance(each, (str, int, float, bool)) else None for each in value)
    return value if isinstance(value, (str, int, float, bool)) else None
