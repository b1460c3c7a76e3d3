"""What is known of a job that began by itself, from what its agent tells when it comes."""

import platform
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from scopelight import __version__
from scopelight.capture.launching.launch_source import git_state
from scopelight.model.run.information import RecordedSource, RunInformation, WindowOptions


def described(
    told: Mapping[str, Any],
    window: WindowOptions,
    *,
    watches_memory: bool = True,
    records_host: bool = True,
    reads_resources: bool = False,
) -> RunInformation:
    """The run of a job, of which ``window`` is to be captured; ``told`` is its agent's ``joined``."""
    script = [str(each) for each in told["script"]]
    is_module = script[:1] == ["-m"]
    name, arguments = (script[1:2], script[2:]) if is_module else (script[:1], script[1:])
    python, cwd = str(told["python"]), str(told["cwd"])
    return RunInformation(
        state="running",
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        command=(python, *script),
        script=name[0] if name else None,
        is_module=is_module,
        args=tuple(arguments),
        cwd=cwd,
        python=python,
        platform=platform.platform(),
        versions={"scopelight": __version__},
        devices=(),
        options=window,
        source=RecordedSource(kind="attach"),
        watches_memory=watches_memory,
        records_host=records_host,
        reads_resources=reads_resources,
        calibrates=False,
        git=git_state(Path(cwd)),
    )
