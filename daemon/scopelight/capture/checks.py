"""What capturing needs of this machine, each thing checked and explained."""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.calibrating.calibrator import Calibrator
from scopelight.capture.failures import CaptureFailure
from scopelight.capture.launching.interpreter import ask_interpreter, choose_interpreter
from scopelight.model.devices.table import device_model
from scopelight.model.run.calibration import Calibration
from scopelight.model.run.names import RUNS_FOLDER

DEVICES_TIMEOUT_SECONDS = 120.0
NVIDIA_PARAMETERS = Path("/proc/driver/nvidia/params")

_QUESTION = """
import json, jax, jaxlib
from jax._src import lib
is_loaded = getattr(lib.xla_client, "pjrt_plugin_loaded", lambda name: False)
devices = [{"kind": d.device_kind, "platform": d.platform, "id": str(d.id)} for d in jax.devices()]
print("\\n" + json.dumps({"jax": jax.__version__, "jaxlib": jaxlib.__version__,
    "backend": jax.default_backend(), "devices": devices, "has_tpu_library": is_loaded("tpu")}))
"""


@attrs.frozen
class Check:
    """One thing that was looked at; ``remedy`` says what to do where it is a problem."""

    name: str
    ok: bool
    finding: str
    remedy: str | None = None


def check_all(python: str | None, cwd: Path, environment: Mapping[str, str]) -> list[Check]:
    """Interpreter, jax, devices, permissions, caches, folders. Starts a process that initialises the backend."""
    checks = _check_jax(python, cwd, environment)
    checks.append(check_gpu_permission(NVIDIA_PARAMETERS, is_root=os.geteuid() == 0))
    checks.append(check_kernel_cache(Path(__file__).parents[1], environment))
    checks.append(check_writable("run folder", cwd / RUNS_FOLDER, "start in another folder, or name one with --out"))
    return checks


def _check_jax(python: str | None, cwd: Path, environment: Mapping[str, str]) -> list[Check]:
    try:
        chosen = choose_interpreter(python, environment)
        facts = ask_interpreter(chosen, cwd, None)
    except CaptureFailure as failure:
        return [Check("interpreter", False, failure.sentence, "name an interpreter with --python")]
    version = ".".join(str(part) for part in facts.version)
    checks = [Check("interpreter", True, f"{chosen} (Python {version})")]
    if not facts.has_jax:
        return [*checks, Check("jax", False, "not installed there", f"{chosen} -m pip install jax")]
    try:
        answer = subprocess.run(
            [chosen, "-c", _QUESTION],
            capture_output=True,
            text=True,
            cwd=cwd,
            env=dict(environment),
            timeout=DEVICES_TIMEOUT_SECONDS,
            check=True,
        )
        found: dict[str, Any] = json.loads(answer.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        sentence = f"the backend was not ready after {DEVICES_TIMEOUT_SECONDS:.0f} s"
        return [*checks, Check("devices", False, sentence, "see whether another process holds the accelerator")]
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["no message"])[-1]
        return [*checks, Check("jax", False, f"jax.devices() fails: {last}", "repair the installation of jax")]
    except (OSError, ValueError, IndexError) as error:
        return [*checks, Check("jax", False, f"its answer cannot be read: {error}", "name another interpreter")]
    kinds = [device["kind"] for device in found["devices"]]
    counted = ", ".join(f"{kinds.count(kind)} x {kind}" for kind in dict.fromkeys(kinds))
    return [
        *checks,
        Check("jax", True, f"jax {found['jax']}, jaxlib {found['jaxlib']}"),
        Check("devices", True, f"{found['backend']}: {counted}"),
        check_profiler(found["backend"], has_tpu_library=found["has_tpu_library"]),
        check_peaks(found["backend"], kinds, Calibrator(chosen, cwd, environment).known(found["jax"])),
    ]


def check_profiler(backend: str, *, has_tpu_library: bool) -> Check:
    """Whether jax's profiler can be started: it ends the process where libtpu is loaded and no TPU is there."""
    if has_tpu_library and backend != "tpu":
        finding = "libtpu is loaded and there is no TPU: jax's profiler would end the script, so nothing is traced"
        return Check(
            "profiler", False, finding, "name the platform of your scripts in the environment (JAX_PLATFORMS=cpu)"
        )
    return Check("profiler", True, "nothing keeps jax's profiler from starting")


def check_peaks(backend: str, kinds: Sequence[str], calibration: Calibration | None) -> Check:
    """What rates are held against on these devices; nothing that must be mended, for a user may set it."""
    name = "peaks"
    if backend == "cpu":
        if calibration is None:
            return Check(name, True, "this machine is measured after the first run")
        disturbed = ", while other processes took its processors" if calibration.is_disturbed else ""
        return Check(name, True, f"{_rates(calibration.flops_per_s, calibration.bytes_per_s)}, measured{disturbed}")
    known = {kind: device_model(kind) for kind in kinds}
    sentences = [
        f"{kind}: {_rates(model.flops_per_s, model.bytes_per_s.get('main'))} in the table"
        if model is not None
        else f"{kind}: as the profile states them"
        for kind, model in known.items()
    ]
    return Check(name, True, "; ".join(sentences) or "no device")


def _rates(flops_per_s: Mapping[str, float], bytes_per_s: float | None) -> str:
    products = [f"{rate / 1e12:.3g} TFLOP/s of {name}" for name, rate in flops_per_s.items()]
    copies = [] if bytes_per_s is None else [f"{bytes_per_s / 1e9:.3g} GB/s"]
    return ", ".join([*products, *copies])


def check_gpu_permission(parameters: Path, *, is_root: bool) -> Check:
    """Whether GPU kernels may be traced by this user. CPU and TPU need no permission."""
    name = "permissions"
    try:
        text = parameters.read_text(encoding="utf-8")
    except OSError:
        return Check(name, True, "no NVIDIA driver here; tracing CPU and TPU programs needs no permission")
    if "RmProfilingAdminOnly: 1" in text and not is_root:
        return Check(
            name,
            False,
            "the NVIDIA driver lets only administrators read performance counters (RmProfilingAdminOnly is 1);"
            " kernels may be missing from traces",
            "as root, put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into /etc/modprobe.d/ and reboot,"
            " or start the container with CAP_SYS_ADMIN",
        )
    return Check(name, True, "GPU kernels may be traced")


def check_kernel_cache(package: Path, environment: Mapping[str, str]) -> Check:
    """Whether compiled kernels can be kept; otherwise each command compiles them again."""
    folder = Path(environment["NUMBA_CACHE_DIR"]) if environment.get("NUMBA_CACHE_DIR") else package
    # Where the package is read-only they are kept in the user's cache folder.
    candidates = [folder, Path(environment.get("HOME", "/")) / ".cache" / "scopelight"]
    for candidate in candidates:
        if _is_writable(candidate):
            return Check("kernel cache", True, f"compiled kernels are kept below {candidate}")
    return Check(
        "kernel cache",
        False,
        "compiled kernels cannot be kept, so every command takes seconds longer",
        "set NUMBA_CACHE_DIR to a folder that can be written",
    )


def check_writable(name: str, folder: Path, remedy: str) -> Check:
    """Whether files can be made in a folder, or the folder itself where it does not exist."""
    if _is_writable(folder):
        return Check(name, True, f"{folder} can be written")
    return Check(name, False, f"{folder} cannot be written", remedy)


def _is_writable(folder: Path) -> bool:
    existing = next((each for each in (folder, *folder.parents) if each.exists()), None)
    if existing is None or not existing.is_dir():
        return False
    try:
        with tempfile.NamedTemporaryFile(dir=existing, prefix=".scopelight-"):
            return True
    except OSError:
        return False
