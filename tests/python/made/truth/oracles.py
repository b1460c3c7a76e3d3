"""What XProf computed from the recorded profiles, and how near to it is near enough."""

import json
import lzma
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from made.recorded import DATA

PRECISION = 0.01


def oracle(folder: str, tool: str) -> Any:
    """The answer of one of XProf's tools for the profile in a folder of the shared data."""
    with lzma.open(DATA / folder / "xprof" / f"{tool}.json.xz") as file:
        return json.load(file)


def rows_of(table: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """Rows of one of XProf's tables, by the names of its columns."""
    names = [column["id"] for column in table["cols"]]
    return [dict(zip(names, [(cell or {}).get("v") for cell in row["c"]], strict=True)) for row in table["rows"]]


def within(ours: float, theirs: float) -> bool:
    """Whether the two differ by less than a hundredth."""
    return bool(ours == pytest.approx(theirs, rel=PRECISION, abs=0))
