"""Scopelight: time, waste and memory of a JAX program, on the source lines that caused them.

``run = scopelight.open(PATH)`` opens a run; ``run.lines()``, ``run.ops()`` and so on are its views, each a record with
``.to_pandas()``. Nothing is imported before it is asked for.
"""

from importlib import import_module

__version__ = "0.1.0"

__all__ = ["OptionError", "ProfileError", "Run", "open"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'scopelight' has no attribute {name!r}")
    return getattr(import_module("scopelight.api"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
