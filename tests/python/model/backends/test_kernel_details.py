"""How kernels were launched, as CUPTI and ROCm write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.backends.gpu import kernel_counters


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        (
            "regs:38 static_shared:16 dynamic_shared:512 grid:160,1,1 block:1024,1,1 occ_pct:62.5",
            {
                "registers per thread": "38",
                "shared memory per block": "528 B",
                "grid": "160 × 1 × 1",
                "block": "1024 × 1 × 1",
                "occupancy": "62.5 %",
            },
        ),
        (
            " grid:16,1,1 block:512,1,1 private_mem:0 group_mem:2112 occ_pct:0",
            {"shared memory per block": "2112 B", "grid": "16 × 1 × 1", "block": "512 × 1 × 1"},
        ),
        (
            "regs:16 shm:0 grid:160,1,1 block:1024,1,1",
            {
                "registers per thread": "16",
                "shared memory per block": "0 B",
                "grid": "160 × 1 × 1",
                "block": "1024 × 1 × 1",
            },
        ),
        ("", {}),
    ],
)
def test_launches_are_read(details, expected):
    assert dict(kernel_counters("gemm", details)) == {"kernel": "gemm", **expected}


@given(st.text())
def test_any_text_is_read(details):
    assert dict(kernel_counters("k", details))["kernel"] == "k"
    assert dict(kernel_counters("k", f"regs:{details} occ_pct:1.2.3 grid:,,"))["kernel"] == "k"
