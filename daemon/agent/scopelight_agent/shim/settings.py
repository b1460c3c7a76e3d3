"""Settings of a script that change how jax and the devices work: variables of its environment, and options of jax."""

import os
import sys
from contextlib import suppress

_VARIABLES = (
    "JAX_",
    "XLA_",
    "LIBTPU_",
    "TPU_",
    "CUDA_",
    "NCCL_",
    "ROCM_",
    "HIP_",
    "HSA_",
    "AMD_",
    "RCCL_",
    "TF_CPP_",
    "OMP_",
    "OPENBLAS_",
    "MKL_",
    "NUMEXPR_",
    "LD_PRELOAD",
    "PROFILING_",
)
"""Beginnings of their names."""
_OWN = ("JAX_COORDINATOR", "TPU_WORKER")
"""Those that say where a machine is, and nothing of how it works."""
_LONGEST = 2000


def environment() -> dict[str, str]:
    """The variables that are set."""
    return {
        name: value[:_LONGEST]
        for name, value in os.environ.items()
        if name.startswith(_VARIABLES) and not name.startswith(_OWN)
    }


def jax_options() -> dict[str, str]:
    """The options of jax that change speed or memory and have another value than by default."""
    config = getattr(sys.modules.get("jax"), "config", None)
    found: dict[str, str] = {}
    for name, default in _DEFAULTS.items():
        # Not every version has each of them.
        with suppress(Exception):
            value = getattr(config, name)
            if value != default:
                found[name] = str(value)[:_LONGEST]
    return found


_DEFAULTS: dict[str, object] = {
    "jax_check_tracer_leaks": False,
    "jax_debug_infs": False,
    "jax_debug_nans": False,
    "jax_default_matmul_precision": None,
    "jax_disable_jit": False,
    "jax_disable_most_optimizations": False,
    "jax_enable_checks": False,
    "jax_enable_x64": False,
    "jax_log_compiles": False,
    "jax_numpy_dtype_promotion": "standard",
}
"""What they are where nobody sets them."""
