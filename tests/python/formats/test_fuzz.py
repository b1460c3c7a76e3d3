"""100 mutations of every real file end in success or in one clear `FormatError`; `make fuzz` makes more."""

import subprocess
import sys
from pathlib import Path

import pytest

MUTATE = Path(__file__).resolve().parents[2] / "fuzz" / "mutate.py"
FILES = ("tw003", "934987a2fc2f", "tpu_inference_2", "worker", "jit_train_step", "after_optimizations", "memory.prof")


@pytest.mark.parametrize("name", FILES)
def test_mutations_are_read_or_refused(name, shared_data):
    command = [sys.executable, str(MUTATE), "--count", "100", "--only", name]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "100 mutations" in result.stdout
