"""What jax is doing in this process, seen without importing or initialising any of it."""

import operator
import os
import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def _bridge() -> Any:  # noqa: ANN401 (a module of the user's jax)
    return sys.modules.get("jax._src.xla_bridge")


def versions() -> dict[str, str | None]:
    """Versions of what has been imported so far; None where it has not been or does not say."""

    def of(*modules: str) -> str | None:
        for each in modules:
            version = getattr(sys.modules.get(each), "__version__", None)
            if isinstance(version, str):
                return version
        return None

    return {
        "python": platform.python_version(),
        "jax": of("jax", "jax.version"),
        "jaxlib": of("jaxlib", "jaxlib.version"),
        "numpy": of("numpy"),
    }


class _WatchedBackends(dict):  # type: ignore[type-arg]
    """jax's table of backends, which tells when the first one is put into it."""

    tell: Callable[[], None]

    def __setitem__(self, key: Any, value: Any) -> None:  # noqa: ANN401
        super().__setitem__(key, value)
        self.tell()


def watch_backends(tell: Callable[[], None]) -> None:
    """Call ``tell`` when a backend exists: at once, else as the script's own first use initialises one.

    ``tell`` may be called more than once, and under jax's own lock: it must not call jax.
    """
    bridge = _bridge()
    backends = getattr(bridge, "_backends", None)
    if not isinstance(backends, dict):
        return
    if backends:
        tell()
        return
    watched = _WatchedBackends()
    watched.tell = tell
    bridge._backends = watched


def wait_until_initialised() -> bool:
    """Wait for the initialisation in progress, which may set up several backends; say whether any exists."""
    bridge = _bridge()
    lock = getattr(bridge, "_backend_lock", None)
    if lock is not None:
        with lock:
            pass
    return bool(getattr(bridge, "_backends", None))


def _default_backend() -> Any:  # noqa: ANN401 (a client of the user's jaxlib)
    bridge = _bridge()
    backends = dict(getattr(bridge, "_backends", None) or {})
    return getattr(bridge, "_default_backend", None) or next(iter(backends.values()), None)


def backend_and_devices() -> tuple[str | None, list[dict[str, Any]]]:
    """The default backend's platform and its devices: those of all processes of the job, as this one describes them.

    ``coords``, ``core_on_chip``, ``slice_index`` and ``local_hardware_id`` are there where a device has them.
    """
    default = _default_backend()
    if default is None:
        return None, []
    devices = [
        {
            "platform": str(device.platform),
            "kind": str(device.device_kind),
            "id": str(device.id),
            "process_index": int(device.process_index),
            **_place(device),
        }
        for device in default.devices()
    ]
    return str(default.platform), devices


def _place(device: Any) -> dict[str, Any]:  # noqa: ANN401 (a device of the user's jaxlib)
    """Where a device is. What it has depends on its platform: an attribute may be missing, None, or raise."""
    place: dict[str, Any] = {}
    with suppress(Exception):
        place["coords"] = [operator.index(each) for each in device.coords]
    for name in ("core_on_chip", "slice_index", "local_hardware_id"):
        with suppress(Exception):
            place[name] = operator.index(getattr(device, name))
    return place


def this_process() -> dict[str, int]:
    """The id of this process, and what jax calls it among those of its job, where the default backend says so."""
    process = {"pid": os.getpid()}
    with suppress(Exception):
        process["process_index"] = operator.index(_default_backend().process_index())
    return process


def local_devices() -> list[Any]:
    """The default backend's devices of this process; none before there is a backend."""
    default = _default_backend()
    return [] if default is None else list(default.local_devices())


def has_tpu_library_alone() -> bool:
    """Whether libtpu is loaded where no TPU is: jax's profiler then ends the process (seen with jax 0.10.2).

    jax loads it where it may choose the platform itself, and to compile for a TPU that is elsewhere.
    """
    client = getattr(sys.modules.get("jax._src.lib"), "xla_client", None)
    is_loaded = getattr(client, "pjrt_plugin_loaded", None)
    backends = getattr(_bridge(), "_backends", None) or {}
    with suppress(Exception):
        return is_loaded is not None and bool(is_loaded("tpu")) and "tpu" not in backends
    return False


def keep_line_numbers_in_the_compilation_cache() -> str:
    """Have the persistent cache tell apart programs that differ in line numbers only; what was done.

    Otherwise it returns an executable compiled from an older source, with the older source's lines.
    """
    config = sys.modules["jax"].config
    try:
        config.update("jax_compilation_cache_include_metadata_in_key", True)
    except (AttributeError, KeyError):
        config.update("jax_enable_compilation_cache", False)
        return "bypassed"
    return "metadata-in-key"


_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")  # noqa: PTH100, PTH118, PTH120


def user_files() -> list[str]:
    """Files of the modules imported so far that are neither installed packages nor the standard library's."""
    main = sys.modules.get("__main__")
    standard = os.path.dirname(os.path.abspath(os.__file__))  # noqa: PTH100, PTH120
    files = set()
    for module in [main, *list(sys.modules.values())]:
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not file.endswith(".py"):
            continue
        parts = file.replace(os.sep, "/").split("/")
        if "site-packages" in parts or "dist-packages" in parts or file.startswith((standard, "<")):
            continue
        if file.startswith(_OURS):
            continue
        files.add(os.path.abspath(file))  # noqa: PTH100
    return sorted(files)
