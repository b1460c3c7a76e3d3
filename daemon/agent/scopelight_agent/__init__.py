"""What Scopelight needs inside a JAX program: the shim that is launched with it, capture by a variable and from code.

Standard library alone. Nothing is imported before it is asked for: an interpreter that a variable asks passes here.
"""

TYPE_CHECKING = False
"""As that of ``typing``, whose import takes longer than all of this."""

if TYPE_CHECKING:
    from .interface import Callback as Callback
    from .interface import CaptureError as CaptureError
    from .interface import capture as capture
    from .interface import data as data
    from .interface import epoch as epoch
    from .interface import start as start
    from .interface import step as step
    from .interface import steps as steps
    from .interface import stop as stop

__version__ = "0.1.0"

__all__ = ["Callback", "CaptureError", "capture", "data", "epoch", "start", "step", "steps", "stop"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (a tenth of what this may take)

    return getattr(import_module(f"{__name__}.interface"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
