"""Runs whose views are compared: predicted ones, and recorded ones of a GPU and of a TPU."""

import pytest

from made.predictions import SCAN, UNROLLED
from made.recorded import DATA
from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile

RUNS = (UNROLLED, SCAN, DATA / "mi300x-conv", DATA / "tpu-v6e-host-offload")


def opened(path):
    """The run of a directory; skips where the recorded profiles are absent."""
    if not path.is_dir():
        pytest.skip("../shared/data is absent")
    files = sorted(path.glob("*.xplane.pb"))
    return Subject.of(open_profile(files[0] if files else path))


@pytest.fixture(scope="module", params=RUNS, ids=lambda path: path.name)
def run(request):
    return opened(request.param)
