"""Imported by every interpreter at its start where a variable asks for a capture: ``scopelight-agent.pth`` does it.

Whatever fails here, the program runs as without Scopelight.
"""

import os
import sys

from .off import is_off


def _enter() -> None:
    # A script that `scopelight run` launched has its agent from there.
    if "SCOPELIGHT_SHIM_CONTROL" in os.environ or is_off(os.environ):
        return
    from .entrance import begin_by_variables  # noqa: PLC0415

    begin_by_variables()


try:
    _enter()
except Exception as _error:
    sys.stderr.write(f"scopelight: the capture could not be prepared and the program runs without it: {_error}\n")
