"""Whether anything is to be captured at all: asked by all that scripts and interpreters call, before all else."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_OFF = ("off", "0", "false", "no")


def is_off(environment: "Mapping[str, str]") -> bool:
    """Whether ``SCOPELIGHT_OPTIONS`` says that nothing is to be captured, not even where code asks for it."""
    return environment.get("SCOPELIGHT_OPTIONS", "").strip().lower() in _OFF
