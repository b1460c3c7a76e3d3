"""Scopelight: time, waste and memory of a JAX program, on the source lines that caused them.

``run = scopelight.open(PATH)`` opens a run; ``run.lines()``, ``run.ops()`` and so on are its views, each a record with
``.to_pandas()``. ``with scopelight.capture():`` captures what a script does, and ``scopelight.step()`` marks its steps:
what a script asks for comes from `scopelight_agent`. Nothing is imported before it is asked for.
"""

from importlib import import_module

__version__ = "0.1.0"

_OF_RUNS = ["OptionError", "ProfileError", "QueryError", "Run", "compare", "open"]

__all__ = ["OptionError", "ProfileError", "QueryError", "Run", "compare", "open"]
__all__ += ["Callback", "CaptureError", "capture", "data", "epoch", "start", "step", "steps", "stop"]


def __getattr__(name: str) -> object:
    if name == "load_ipython_extension":
        # What %load_ext asks for.
        return getattr(import_module("scopelight_agent.notebook"), name)
    if name not in __all__:
        raise AttributeError(f"module 'scopelight' has no attribute {name!r}")
    home = "scopelight.api" if name in _OF_RUNS else "scopelight_agent.interface"
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
