"""The captured files that are measured, of as many megabytes as a part asks for."""

import hashlib
import os
import subprocess
from pathlib import Path

from bench import CACHE, ROOT

MAKER = Path(__file__).with_name("make_profile.py")
READ_MEGABYTES = 62
"""A million events."""
TIMELINE_MEGABYTES = 610
"""Ten million events."""


def captured_profile(python: Path, megabytes: int) -> Path:
    """A captured file of at least that size, made once and kept outside the tree until what makes it changes."""
    examples = ROOT / "daemon" / "examples"
    makers = [MAKER, *sorted(examples.glob("*.py"))]
    # Its frames name the files of this checkout.
    made_from = [str(ROOT).encode(), *(each.read_bytes() for each in makers)]
    digest = hashlib.sha256(b"".join(made_from)).hexdigest()[:16]
    folder = CACHE / f"{digest}-{megabytes}"
    path = folder / "transformer.xplane.pb"
    if not path.is_file():
        environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
        subprocess.run([python, MAKER, folder, str(megabytes)], check=True, env=environment)
        # What is still on its way to the disk would slow down what is timed next.
        os.sync()
    return path


def events_of(python: Path, path: Path) -> int:
    """How many events the file holds."""
    count = (
        "import sys, pathlib; from scopelight.formats.xspace.reader import read_xspace;"
        "space = read_xspace(pathlib.Path(sys.argv[1]));"
        "print(sum(len(line.events()) for plane in space.planes for line in plane.lines))"
    )
    return int(subprocess.run([python, "-c", count, path], check=True, capture_output=True, text=True).stdout)
