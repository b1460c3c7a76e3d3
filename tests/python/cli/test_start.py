"""What commands import before they do anything, and an interrupt meanwhile."""

import subprocess
import sys

from click.testing import CliRunner

from scopelight.cli import main


def test_a_capture_starts_before_what_reads_profiles_is_imported():
    question = "import sys, scopelight.cli.run; print(sorted({'numba', 'jax', 'google.protobuf'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]", "the script would wait for it"


def test_an_interrupt_while_a_command_is_imported_is_its_exit_code_alone(monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "import_module", interrupted)
    ended = CliRunner().invoke(main.main, ["preflight", "--help"])
    assert (ended.exit_code, ended.output) == (130, "")
