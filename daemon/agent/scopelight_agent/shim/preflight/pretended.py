"""What a script is told so that it goes the way that it would go on a TPU, where nothing runs and there is none."""

import sys
from collections.abc import Callable
from typing import Any


def pretend(tell: Callable[[str], None]) -> None:
    """Have jax say that its devices are a TPU's where a script asks by name, and that it is one process.

    ``tell`` is called with ``distributed`` where the script would have joined other processes.
    """
    jax: Any = sys.modules["jax"]
    _stay_on_cpu(jax)
    jax.default_backend = lambda: "tpu"

    def initialize(*_arguments: Any, **_options: Any) -> None:  # noqa: ANN401 (as jax has it)
        tell("distributed")

    jax.distributed.initialize = initialize


def _stay_on_cpu(jax: Any) -> None:  # noqa: ANN401
    """A script that asks for TPUs by name has the devices that stand for them."""
    update = jax.config.update

    def update_but_for_platforms(name: str, value: Any) -> None:  # noqa: ANN401
        wants_tpu = name in ("jax_platforms", "jax_platform_name") and "tpu" in str(value)
        update(name, "cpu" if wants_tpu else value)

    jax.config.update = update_but_for_platforms
    # The script may have said it by a variable of its environment before jax was imported.
    update("jax_platforms", "cpu")
    bridge: Any = sys.modules["jax._src.xla_bridge"]
    get_backend = bridge.get_backend

    def get_backend_or_stand_in(platform: Any = None) -> Any:  # noqa: ANN401
        return get_backend("cpu" if platform == "tpu" else platform)

    # jax empties this cache when the script ends, where it has one.
    stand_in: Any = get_backend_or_stand_in
    if hasattr(get_backend, "cache_clear"):
        stand_in.cache_clear = get_backend.cache_clear
    bridge.get_backend = stand_in


def present_devices() -> int | None:
    """How many devices the script has; None where it has asked for none so far."""
    bridge: Any = sys.modules.get("jax._src.xla_bridge")
    if bridge is None or not getattr(bridge, "_backends", None):
        return None
    return len(sys.modules["jax"].devices())
