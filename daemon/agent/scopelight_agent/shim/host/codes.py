"""The frames of threads, and the code objects that were seen in them: whose they are, the user's or a library's."""

import _thread
import inspect
import os
import sys
import sysconfig
from types import CodeType, FrameType

Stack = tuple[int, ...]
MOST_FRAMES = 128
_INSTALLED = ("site-packages", "dist-packages")
_CELLS = ("<ipython-input", "<stdin>")
"""Beginnings of the names of files that are none, and the user's all the same."""
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120


def _library_folders() -> tuple[str, ...]:
    known = {os.path.dirname(os.path.abspath(os.__file__)), _OWN}  # noqa: PTH100, PTH120
    paths = sysconfig.get_paths()
    known.update(paths[each] for each in ("stdlib", "platstdlib", "purelib", "platlib") if each in paths)
    return tuple(each.rstrip(os.sep) + os.sep for each in known if each)


class Codes:
    """Code objects by their ``id``, which stays theirs as long as they are kept here."""

    def __init__(self) -> None:
        self.by_id: dict[int, CodeType] = {}
        self._folders = _library_folders()
        self._is_users: dict[str, bool] = {}

    def is_users(self, code: CodeType) -> bool:
        """Whether code is of a file of the user's: of no installed package, nor of Python itself or ours."""
        name = code.co_filename
        known = self._is_users.get(name)
        if known is None:
            known = self._is_users[name] = self._is_file_of_the_user(name)
        return known

    @staticmethod
    def is_ours(code: CodeType) -> bool:
        """Whether code is what captures the script: calls that it watches pass through it."""
        return code.co_filename.startswith(_OWN + os.sep)

    def _is_file_of_the_user(self, name: str) -> bool:
        if name.startswith("<"):
            return name.startswith(_CELLS)
        if name.startswith(self._folders):
            return False
        parts = name.replace(os.sep, "/").split("/")
        return not any(each in parts for each in _INSTALLED)


def frames_of_others() -> dict[int, FrameType]:
    """The innermost frame of each thread but this one, by ident.

    One's own would hold them all, and itself: what the script's frames hold would stay until garbage is collected, and
    be cleared by that while others may look into it.
    """
    frames = sys._current_frames()
    del frames[_thread.get_ident()]
    return frames


def stack_of(frame: FrameType | None, codes: Codes) -> Stack:
    """The stack of a frame, innermost first: by turns the id of a code object and the offset of its instruction."""
    by_id = codes.by_id
    found: list[int] = []
    while frame is not None and len(found) < 2 * MOST_FRAMES:
        code = frame.f_code
        key = id(code)
        if key not in by_id:
            by_id[key] = code
        found += (key, frame.f_lasti)
        frame = frame.f_back
    return tuple(found)


def line_at(code: CodeType, offset: int) -> int:
    """The line of an instruction; of one without, such as a jump back to the head of a loop, that of the one before."""
    found = code.co_firstlineno
    for begin, _end, line in code.co_lines():
        if begin > offset:
            break
        found = line or found
    return found


def name_of(code: CodeType) -> str:
    """Its qualified name, where code has one."""
    return code.co_qualname if sys.version_info >= (3, 11) else code.co_name


def gives_way(code: CodeType) -> bool:
    """Whether it is a coroutine's: others run while it waits."""
    return bool(code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR))


def described(codes: Codes, ids: list[int]) -> list[tuple[str, str, int, bool, bool]]:
    """Of code objects by id their file, qualified name, first line, and whether they are the user's and generators."""
    found = []
    for each in ids:
        code = codes.by_id[each]
        is_generator = bool(code.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR))
        found.append((code.co_filename, name_of(code), code.co_firstlineno, codes.is_users(code), is_generator))
    return found
