"""Capture a script, a running job or a file: everything that yields a run directory.

``scopelight.capture`` is also what scripts call to be captured, and stays so where this package is imported.
"""

import sys
from types import ModuleType
from typing import Any


class _CalledByScripts(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 (those of the function)
        from scopelight_agent.interface import capture  # noqa: PLC0415 (the daemon captures nothing in itself)

        return capture(*arguments, **named)


sys.modules[__name__].__class__ = _CalledByScripts
