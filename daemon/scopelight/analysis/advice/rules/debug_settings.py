"""Debug settings: options of jax and XLA that were left on, and make a script slower."""

from collections.abc import Iterator, Mapping
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.findings import Action

_OPTIONS: Final = (
    "jax_debug_nans",
    "jax_debug_infs",
    "jax_disable_jit",
    "jax_check_tracer_leaks",
    "jax_log_compiles",
    "jax_explain_cache_misses",
)
"""Options of jax that check or tell more, as `jax.config` names them."""
_VARIABLES: Final = {
    "CUDA_LAUNCH_BLOCKING": ("1",),
    "HSA_ENABLE_DEBUG": ("1",),
    "AMD_SERIALIZE_KERNEL": ("1", "2", "3"),
}
_FLAGS: Final = ("--xla_dump_to", "--xla_dump_hlo_as", "--xla_gpu_enable_command_buffer=''")


def debug_settings(observed: Observed) -> Iterator[Advice]:
    """What they cost is not known."""
    capture = observed.profile.capture
    if capture is None:
        return
    on = [name for name in _OPTIONS if is_on(observed, name)]
    on += _of_environment(capture.environment)
    if not on:
        return
    # In the environment options of jax are in capitals.
    places = [
        observed.frame_at_recorded(path, line)
        for path in observed.centre.user_files
        for name in on
        for said in (name, name.upper())
        if (line := observed.sources.line_of_text(path, said)) is not None
    ]
    yield observed.advice(
        "debug-settings",
        places[0] if places else None,
        is_by_text=True,
        confidence="low",
        action=Action("remove-flag", {"flag": on[0]}),
        names=tuple(on),
    )


def is_on(observed: Observed, option: str) -> bool:
    """Whether an option of jax was on while it was traced."""
    capture = observed.profile.capture
    return capture is not None and capture.jax_options.get(option) in ("True", "true", "1")


def _of_environment(environment: Mapping[str, str]) -> Iterator[str]:
    for name, values in _VARIABLES.items():
        if environment.get(name) in values:
            yield name
    for flag in environment.get("XLA_FLAGS", "").split():
        if flag.startswith(_FLAGS):
            yield flag.partition("=")[0]
