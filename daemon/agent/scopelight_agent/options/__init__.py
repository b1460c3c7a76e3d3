"""What a job that begins by itself is to be captured with, from the variables of its environment.

``read(os.environ)`` answers with `Options`, or with None where no variable asks for anything or one says off, and
raises `OptionsError`, whose sentence is for the user.
"""

from .errors import OptionsError
from .options import Options
from .reading import MINDSPORE_VARIABLE, VARIABLE, read

__all__ = ["MINDSPORE_VARIABLE", "VARIABLE", "Options", "OptionsError", "read"]
