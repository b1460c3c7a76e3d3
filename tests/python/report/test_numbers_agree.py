"""Numbers are written alike in the daemon and in panels: both sides read ``tests/number_formats.json``."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scopelight.report import numbers

_FORMATS = json.loads((Path(__file__).parents[2] / "number_formats.json").read_text(encoding="utf-8"))
_WRITERS: dict[str, Callable[[float], str]] = {
    "duration_ps": numbers.duration,
    "share_ratio": numbers.share,
    "whole_share_ratio": numbers.whole_share,
    "count": numbers.count,
    "size_bytes": numbers.byte_size,
    "work_flops": numbers.flops,
    "rate_flops_per_s": numbers.flop_rate,
    "rate_bytes_per_s": numbers.byte_rate,
}


def test_every_kind_of_number_has_a_writer() -> None:
    assert _FORMATS.keys() == _WRITERS.keys()


@pytest.mark.parametrize(
    ("kind", "value", "written"), [(kind, *pair) for kind, pairs in _FORMATS.items() for pair in pairs]
)
def test_number_is_written_as_in_panels(kind: str, value: float, written: str) -> None:
    assert _WRITERS[kind](value) == written
