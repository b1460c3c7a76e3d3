"""Lines of a script that ask which device is there, and so may go another way than on a TPU."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from scopelight.model.run.prediction import PreflightMode

_ASKS_DEVICE = re.compile(
    r"\.(?:platform|device_kind)\b\s*(?:[!=]=|\bin\b|\.lower|\.startswith)|\bget_default_device\("
)
_ASKS_BACKEND = re.compile(r"\bdefault_backend\(|\bget_backend\(")
MOST_FILE_BYTES = 8 << 20


def asking_lines(files: Sequence[Path], mode: PreflightMode) -> Iterator[tuple[Path, int]]:
    """File and number of each line that looks at a device of jax's, which is a CPU's.

    What `jax.default_backend` says is the TPU's where the script runs dry.
    """
    for file in files:
        try:
            if file.stat().st_size > MOST_FILE_BYTES:
                continue
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            code = line.partition("#")[0]
            if _ASKS_DEVICE.search(code) or (mode == "observe" and _ASKS_BACKEND.search(code)):
                yield file, number
