"""Where the recorded profiles are."""

from pathlib import Path

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
"""The folder of recorded profiles beside the checkout; may be absent."""

PROFILES = tuple(
    str(path.relative_to(DATA))
    for path in sorted(DATA.rglob("*"))
    if path.name.endswith((".xplane.pb", ".hlo.pb.xz", ".hlo.txt", ".prof")) and path.parent.name != "corrupt"
)
"""All that opens as a profile, relative to that folder; of an absent one nothing."""
FILE_OF_BACKEND = {
    "tpu": "tpu-v6e-host-offload/tpu_inference_2.xplane.pb",
    "amd": "mi300x-conv/tw003.xplane.pb",
    "nvidia": "v100-tensorflow/worker.xplane.pb",
}
"""One recorded profile of each kind of device, below that folder."""
