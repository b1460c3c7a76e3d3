"""Frames: where in the source an op came from."""

import attrs


@attrs.frozen(slots=True)
class Frame:
    """One position of a source stack, as recorded.

    ``path`` is the file as the program named it (absolute or not; never resolved here), ``line`` is 1-based,
    0 where only the file is known. ``function`` is the qualified name of the enclosing function, empty where
    the source form has none (``source_file``/``source_line`` and the ``source`` stat).
    """

    path: str
    line: int
    function: str = ""


Stack = tuple[Frame, ...]
"""Frames from the innermost to the outermost; empty where nothing is known."""
