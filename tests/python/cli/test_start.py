"""What commands import before they do anything."""

import subprocess
import sys


def test_a_capture_starts_before_what_reads_profiles_is_imported():
    question = "import sys, scopelight.cli.run; print(sorted({'numba', 'jax', 'google.protobuf'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]", "the script would wait for it"
