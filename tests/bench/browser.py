"""What scripts of the benchmark measure in a browser."""

import json
import subprocess
from typing import Any

from bench import ROOT


def printed_figures(script: str, *arguments: str) -> list[dict[str, Any]]:
    """One object for each line of JSON that a script prints."""
    command = ["npm", "run", "--silent", script, "--", *arguments]
    printed = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def editor_figures(script: str, *arguments: str) -> dict[str, float]:
    """What a script of the benchmark measures in a real VS Code, or in a page of its own, times in milliseconds."""
    return printed_figures(script, *arguments)[-1]
