"""A clock of the script's own: at which line each thread stood at every instant, with the standard library alone.

`watch` replaces the code of functions by the same code with a reading of the clock wherever the line changes: before
each statement, where a loop goes back to its head, where a ``with`` ends, and where a function returns or yields. The
time from one reading of a thread to its next belongs to the line of the first; after a return or a yield it belongs
again to the line that had called. What is read is written as JSON to the file that TRUTH_CLOCK names when the script
ends; without TRUTH_CLOCK the functions stay as they are.

Readings stand on the lines that they are of (they take the statement's own line number), and are calls of built-in
functions only, of 0.3 µs together: so they make neither a line nor a frame that a profiler could find time on. They are
kept as one integer each in a deque, which grows by blocks and holds nothing that the garbage collector would look at.

What is not watched counts for the line that called it. A line that a function is left from by an exception keeps the
time until the next reading below it. Statements that span several lines and recursion are not told apart. While a
coroutine waits, whatever its thread does that is not watched is of the line that awaits: watch one of a thread.
"""

import ast
import atexit
import functools
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType

THREAD_BITS = 64
PLACE_BITS = 16
NAMES = {"_read_clock": time.time_ns, "_read_thread": threading.get_ident}
"""What the readings call, among the globals of the functions that are watched; and ``_keep``."""

places: list[tuple[str, str, int, bool]] = []
"""File, function and line that a reading is of, and whether it is of leaving the function."""
readings: deque[int] = deque()


def steps(count: int) -> Iterable[object]:
    """So many steps; where STEPS_UNTIL names a file, as many as there are until it exists, on any machine.

    None of its code is the script's, so that a profiler finds no line here.
    """
    enough = os.environ.get("STEPS_UNTIL")
    return range(count) if enough is None else iter(functools.partial(os.path.exists, enough), True)


def watch(*functions: Callable) -> None:
    """Reads the clock at every line of these functions from now on."""
    if "TRUTH_CLOCK" not in os.environ:
        return
    if not places:
        atexit.register(_write, Path(os.environ["TRUTH_CLOCK"]).absolute())
    for function in functions:
        code = function.__code__
        tree = ast.parse(Path(code.co_filename).read_text(encoding="utf-8"))
        written = next(
            each
            for each in ast.walk(tree)
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and _first_line(each) == code.co_firstlineno
        )
        _Reading(code.co_filename, code.co_name).into(written)
        function.__globals__.update(NAMES, _keep=readings.append)
        function.__code__ = _code_of(compile(tree, code.co_filename, "exec"), code)


def _first_line(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min(each.lineno for each in (function, *function.decorator_list))


def _code_of(compiled: CodeType, like: CodeType) -> CodeType | None:
    """The code of one function in that of its file."""
    if (compiled.co_name, compiled.co_firstlineno) == (like.co_name, like.co_firstlineno):
        return compiled
    inner = (_code_of(each, like) for each in compiled.co_consts if isinstance(each, CodeType))
    return next((each for each in inner if each is not None), None)


class _Reading(ast.NodeTransformer):
    """Puts readings into one function."""

    def __init__(self, path: str, function: str) -> None:
        self.path = path
        self.function = function
        self.loops: list[ast.stmt] = []

    def into(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        documented = isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant)
        head, body = function.body[:documented], function.body[documented:]
        function.body = [*head, *self._read_before(body), ast.Expr(self._reading(body[-1], leaves=True))]
        ast.fix_missing_locations(function)

    def _reading(self, of: ast.stmt, *, leaves: bool = False) -> ast.expr:
        places.append((self.path, self.function, of.lineno, leaves))
        thread = f"(_read_clock() << {THREAD_BITS} | _read_thread())"
        call = ast.parse(f"_keep({thread} << {PLACE_BITS} | {len(places) - 1})", mode="eval").body
        for each in ast.walk(call):
            if isinstance(each, ast.expr):
                ast.copy_location(each, of)
        return call

    def _read(self, of: ast.stmt) -> ast.stmt:
        return ast.copy_location(ast.Expr(self._reading(of)), of)

    def _read_before(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        read: list[ast.stmt] = []
        for each in statements:
            if isinstance(each, ast.Return):
                read += [self._read(each), self._left_with(each)]
            elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Yield):
                # Where the generator goes on it stands at the same line again.
                read += [self._read(each), self._left_with(each.value, each), self._read(each)]
            elif isinstance(each, ast.Continue):
                read += [self._read(self.loops[-1]), each]
            else:
                read += [self._read(each), self.visit(each)]
        return read

    def _left_with(self, leaving: ast.Return | ast.Yield, statement: ast.stmt | None = None) -> ast.stmt:
        """What is returned or yielded is made first, then the clock is read."""
        of = statement or leaving
        value = leaving.value or ast.copy_location(ast.Constant(None), of)
        both = ast.Tuple([value, self._reading(of, leaves=True)], ast.Load())
        leaving.value = ast.Subscript(both, ast.Constant(0), ast.Load())
        for each in (both, leaving.value, leaving.value.slice):
            ast.copy_location(each, of)
        return of

    def visit_For(self, loop: ast.For) -> ast.For:
        return self._loop(loop)

    def visit_AsyncFor(self, loop: ast.AsyncFor) -> ast.AsyncFor:
        return self._loop(loop)

    def visit_While(self, loop: ast.While) -> ast.While:
        return self._loop(loop)

    def _loop(self, loop):
        self.loops.append(loop)
        loop.body = [*self._read_before(loop.body), self._read(loop)]
        self.loops.pop()
        loop.orelse = self._read_before(loop.orelse)
        return loop

    def visit_AsyncWith(self, block: ast.AsyncWith) -> ast.AsyncWith:
        return self.visit_With(block)

    def visit_With(self, block):
        # Its end runs on its own line.
        block.body = [*self._read_before(block.body), self._read(block)]
        return block

    def visit_If(self, choice: ast.If) -> ast.If:
        choice.body = self._read_before(choice.body)
        choice.orelse = self._read_before(choice.orelse)
        return choice

    def visit_Try(self, attempt: ast.Try) -> ast.Try:
        for block in (attempt, *attempt.handlers):
            block.body = self._read_before(block.body)
        attempt.orelse = self._read_before(attempt.orelse)
        attempt.finalbody = self._read_before(attempt.finalbody)
        return attempt

    def visit_FunctionDef(self, inner: ast.FunctionDef) -> ast.FunctionDef:
        return inner

    def visit_AsyncFunctionDef(self, inner: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return inner

    def visit_Lambda(self, inner: ast.Lambda) -> ast.Lambda:
        return inner


def _write(file: Path) -> None:
    thread_mask, place_mask = (1 << THREAD_BITS) - 1, (1 << PLACE_BITS) - 1
    written = {
        "main_thread": threading.main_thread().ident,
        "places": [
            {"path": path, "function": function, "line": line, "leaves": leaves}
            for path, function, line, leaves in places
        ],
        "readings": [
            (each >> THREAD_BITS + PLACE_BITS, each >> PLACE_BITS & thread_mask, each & place_mask)
            # A daemon thread may still be reading.
            for each in tuple(readings)
        ],
    }
    file.write_text(json.dumps(written), encoding="utf-8")
