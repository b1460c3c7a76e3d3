"""Runs a capture as the command does, and says on standard error when the window closed."""

import json
import os
import sys
from pathlib import Path

from scopelight.capture.failures import CaptureFailure
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec
from scopelight.model.run.information import WindowOptions

settings = json.loads(sys.argv[1])
try:
    source = LaunchSource(
        script=Script(settings["name"], tuple(settings["arguments"]), settings["is_module"]),
        python=settings["python"],
        cwd=Path.cwd(),
        environment=os.environ,
        on_window=lambda run: print(f"window: {run.information.window.kind}", file=sys.stderr, flush=True),
    )
    spec = LaunchSpec(
        window=WindowOptions(**settings["options"]),
        out=Path(settings["out"]),
        watches_memory=settings["watches_memory"],
        records_host=settings.get("records_host", True),
        resources_seconds=settings.get("resources_seconds"),
    )
    result = source.capture(spec)
except CaptureFailure as failure:
    print(failure.sentence, file=sys.stderr)
    sys.exit(failure.exit_code)
if result.failure is not None:
    print(result.failure, file=sys.stderr)
sys.exit(result.exit_code or 0)
