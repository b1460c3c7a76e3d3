"""Compiling kernels to machine code that needs nothing of numba when it runs.

Around a kernel stands a function of numbers only (`entry`). The code refers to nothing outside of itself, so it can be
kept in a file and called by any process.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import FunctionType
from typing import Any, Final

import numba
import numba.core.codegen
import numba.np.numpy_support
import numpy as np
from llvmlite import binding  # type: ignore[import-untyped]
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from scopelight.formats.kernels import ForKernels, Kernel
from scopelight.formats.native.entry import ENTRY, entry_around
from scopelight.formats.native.linking import linked
from scopelight.formats.native.results import Shape
from scopelight.formats.native.signature import described
from scopelight.formats.native.store import keep, load

# Their annotations do not know all that is used here.
njit: Any = numba.njit
types: Any = numba.types
CPUCodeLibrary: Any = numba.core.codegen.CPUCodeLibrary
from_dtype: Any = numba.np.numpy_support.from_dtype

_OPTIONS: Final = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    # Nothing is counted: arrays belong to the caller for as long as a kernel runs, and none makes any.
    "_nrt": False,
}


def compile_and_keep(kernel: Kernel[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Compile a kernel for arguments of these types and keep it; None where that cannot be done."""
    if any(described(each) is None for each in arguments):
        return None
    ready_compiler_without_scipy()
    try:
        with _without_machine_code(), _without_optimizing(), _without_garbage():
            compiled = _compiled([_type_of(each) for each in arguments], _for_numba(kernel))
    except NumbaError:
        # It makes arrays, or does something else that needs numba when it runs.
        return None
    found = linked(_object_of(compiled), ENTRY)
    shape = _shape_of(compiled.signature.return_type)
    if found is None or not keep(kernel, arguments, found.code, found.start, shape):
        return None
    return load(kernel, arguments)


@contextmanager
def _without_machine_code() -> Iterator[None]:
    """While numba lowers a kernel it makes no machine code, which nobody would run, of it and all that it calls."""
    codegen = cpu_target.target_context.codegen()
    # What is asked for the address of a variable in it is made, too.
    codegen.set_env = lambda *_: None
    codegen._engine.finalize_object = lambda: None
    try:
        yield
    finally:
        del codegen.set_env, codegen._engine.finalize_object


@contextmanager
def _without_optimizing() -> Iterator[None]:
    """While numba lowers a kernel its code stays as it is: it is optimized where it is made machine code of."""
    optimize = (CPUCodeLibrary._optimize_functions, CPUCodeLibrary._optimize_final_module)
    CPUCodeLibrary._optimize_functions = lambda *_: None
    CPUCodeLibrary._optimize_final_module = lambda _: None
    try:
        yield
    finally:
        CPUCodeLibrary._optimize_functions, CPUCodeLibrary._optimize_final_module = optimize


@contextmanager
def _without_garbage() -> Iterator[None]:
    """While numba compiles no garbage is looked for: it makes a million objects, and few of them are cycles."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_enabled:
            gc.enable()


def _type_of(argument: Any) -> Any:  # noqa: ANN401 (whatever a kernel takes, and a type of numba)
    if isinstance(argument, np.ndarray):
        layout = "C" if argument.flags.c_contiguous else "A"
        return types.Array(from_dtype(argument.dtype), argument.ndim, layout, readonly=not argument.flags.writeable)
    if isinstance(argument, tuple):
        return types.NamedTuple(tuple(_type_of(each) for each in argument), type(argument))
    if isinstance(argument, np.generic):
        return from_dtype(argument.dtype)
    return {bool: types.boolean, int: types.int64, float: types.float64}[type(argument)]


_dispatchers: dict[Kernel[..., Any], Any] = {}


def _for_numba(kernel: Kernel[..., Any]) -> Any:  # noqa: ANN401 (a dispatcher of numba)
    """The kernel as a function that numba compiles, with those that it calls."""
    if kernel not in _dispatchers:
        _dispatchers[kernel] = njit(**_OPTIONS)(with_numbas(kernel.function, _for_numba))
    return _dispatchers[kernel]


def with_numbas(function: FunctionType, made: Callable[[Kernel[..., Any]], Any]) -> FunctionType:
    """The function with kernels of its module as ``made`` makes them."""
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        if isinstance(names.get(name), Kernel):
            names[name] = made(names[name])
        elif isinstance(names.get(name), ForKernels):
            names[name] = names[name].make()
    copied = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    copied.__qualname__, copied.__module__ = function.__qualname__, function.__module__
    return copied


def _compiled(argument_types: Sequence[Any], dispatcher: Any) -> Any:  # noqa: ANN401 (numba's own)
    """What numba makes of a kernel."""
    dispatcher.compile(tuple(argument_types))
    return dispatcher.overloads[tuple(argument_types)]


def _shape_of(result: Any) -> Shape:  # noqa: ANN401 (numba's own)
    if isinstance(result, types.NoneType):
        return None
    if isinstance(result, types.BaseTuple):
        name = result.instance_class.__name__ if isinstance(result, types.BaseNamedTuple) else ""
        return [name, *(_shape_of(each) for each in result.types)]
    if isinstance(result, types.Boolean):
        return "b"
    if isinstance(result, types.Float):
        return "f"
    return "i"


def _object_of(kernel: Any) -> bytes:  # noqa: ANN401 (what numba compiled)
    """Machine code of a kernel and the function around it for any processor of 64 bits, and of nothing else."""
    module = binding.parse_assembly(kernel.library.get_llvm_str())
    module.link_in(binding.parse_assembly(str(entry_around(kernel))))
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name != ENTRY:
            each.linkage = "internal"
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(cpu="x86-64", features="", opt=2, reloc="pic", codemodel="small")
    # More than the first level makes no kernel quicker and takes longer.
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(1))
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def ready_compiler_without_scipy() -> None:
    """Import what compiling needs: numba would import scipy for its BLAS, which no kernel here uses."""
    if "scipy.linalg" in sys.modules:
        return
    held: dict[str, Any] = sys.modules
    held["scipy.linalg"] = None
    try:
        import_module("numba.np.arraymath")
    finally:
        del held["scipy.linalg"]
