"""Capture from code: windows that a script opens itself, and marks of its steps, epochs and data.

All of it does nothing where ``SCOPELIGHT_OPTIONS`` says off, and imports nothing but the standard library.
"""

from .callbacks import Callback
from .input_data import data
from .marks import epoch, step, steps
from .windows import CaptureError, capture, start, stop

__all__ = ["Callback", "CaptureError", "capture", "data", "epoch", "start", "step", "steps", "stop"]
