"""Files of a run that hold one value as JSON: a reader sees the old one or the new one, or none."""

import json
from pathlib import Path
from typing import Any, TypeVar

from scopelight.formats.lenient import from_json, read_object

Record = TypeVar("Record")


def write_json(file: Path, value: object, **form: Any) -> None:  # noqa: ANN401 (options of `json.dumps`)
    """Replace a file in one step; ``form`` says how it is written. Raises `OSError`."""
    partial = file.with_name(f"{file.name}.partial")
    partial.write_text(json.dumps(value, **form) + "\n", encoding="utf-8")
    partial.replace(file)


def read_record(file: Path, record: type[Record]) -> Record | None:
    """What a file holds; None where there is none that can be read."""
    try:
        fields = read_object(file.read_bytes())
    except OSError:
        return None
    return None if fields is None else from_json(fields, record)
