"""How quickly hosts of a large job are compared: 16,384 devices that meet 600 times, in a process of its own."""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import attrs
import numpy as np

TESTS = Path(__file__).parents[2] / "python"
DEVICES = 16_384
MEETINGS = 600
SLOW_HOST = 1_234


@attrs.frozen
class HostsFigures:
    """``seconds`` are of the processor, from the columns to what five hosts cost; ``peak_bytes`` of the process.

    ``is_right``: the host that was made slow costs most.
    """

    seconds: float
    peak_bytes: int
    is_right: bool


def measure(python: Path) -> HostsFigures:
    """Compare the hosts of a simulated job."""
    ran = subprocess.run([python, __file__], check=True, capture_output=True, text=True)
    return HostsFigures(**json.loads(ran.stdout))


def main() -> None:
    """Print the figures as JSON."""
    sys.path.insert(0, str(TESTS))
    from analysis.hosts.simulation import DEVICES_OF_HOST, MS_PS, simulated  # noqa: PLC0415
    from scopelight.analysis.device_time.collective_waits import collective_waits  # noqa: PLC0415
    from scopelight.analysis.hosts.replay import Replay  # noqa: PLC0415

    # Kernels that are not compiled yet are compiled here.
    compare(*simulated(64, 4, per_run=2, slow_host=1, excess_ps=MS_PS, side=8), collective_waits, Replay, 4)
    job = simulated(DEVICES, MEETINGS, per_run=300, slow_host=SLOW_HOST, excess_ps=MS_PS // 2)
    start = time.process_time()
    first = compare(*job, collective_waits, Replay, DEVICES_OF_HOST)
    figures = HostsFigures(
        time.process_time() - start,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        first == SLOW_HOST,
    )
    print(json.dumps(attrs.asdict(figures)))


def compare(instances, runs, collective_waits, replay_of, devices_of_host) -> int:
    """The host that costs most."""
    collective_waits(instances).by_device()
    replay = replay_of(instances, runs)
    host = (np.arange(instances.devices) // devices_of_host).astype(np.int32)
    excess_ps = replay.excess_ps(host, int(host.max()) + 1)
    suspects = np.argsort(-excess_ps, kind="stable")[:5].tolist()
    return max(suspects, key=lambda each: replay.cost_of(host == each).total_ps)


if __name__ == "__main__":
    main()
