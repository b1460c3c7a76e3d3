"""One file of what the compiler dumped of a program: with the cycles that it expects, and with its plan of memory.

The dump after code generation has the cycles, in the configuration of instructions; that after optimization has the
buffer assignment. The instructions are the same, by the same names (seen with libtpu 0.0.51).
"""

from collections.abc import Iterable
from pathlib import Path

from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo.reader import read_hlo_file

_PLANNED = ".after_optimizations.hlo.pb"
_GENERATED = ".after_codegen.hlo.pb"


def keep_program(dump: Path, file: Path) -> bool:
    """Write the program that a dump is of to ``file``; whether there was one.

    Raises `FormatError` where what was dumped cannot be read, and `OSError`.
    """
    planned = _largest(dump.glob(f"*{_PLANNED}"))
    if planned is None:
        return False
    program = read_hlo_file(planned)
    generated = planned.with_name(planned.name.removesuffix(_PLANNED) + _GENERATED)
    if generated.is_file():
        _take_configurations(program, read_hlo_file(generated))
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.partial")
    partial.write_bytes(program.SerializeToString())
    partial.replace(file)
    return True


def _largest(files: Iterable[Path]) -> Path | None:
    """Of a program's dump its own: small helpers may be compiled beside it."""
    return max(files, key=lambda each: each.stat().st_size, default=None)


def _take_configurations(program: hlo_pb2.HloProto, generated: hlo_pb2.HloProto) -> None:
    known = {
        each.name: each.backend_config
        for computation in generated.hlo_module.computations
        for each in computation.instructions
        if each.backend_config
    }
    for computation in program.hlo_module.computations:
        for each in computation.instructions:
            if each.name in known:
                each.backend_config = known[each.name]
