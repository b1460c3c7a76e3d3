"""Compiling kernels to machine code that needs nothing of numba when it runs.

Around a kernel stands a function of whole numbers only: it is given addresses of numpy's array objects, reads from them
where their data are and how long they are, and writes what the kernel returns to memory. Its code refers to nothing
outside of itself, so it can be kept in a file and called by any process.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import FunctionType
from typing import Any, Final

import numba
import numba.core.cgutils
import numba.core.codegen
import numba.np.arrayobj
import numba.np.numpy_support
import numpy as np
from llvmlite import binding, ir  # type: ignore[import-untyped]
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from scopelight.formats.kernels import ForKernels, Kernel
from scopelight.formats.native.linking import linked
from scopelight.formats.native.results import Shape
from scopelight.formats.native.signature import described
from scopelight.formats.native.store import keep, load

# Their annotations do not know all that is used here.
njit: Any = numba.njit
types: Any = numba.types
arrayobj: Any = numba.np.arrayobj
cgutils: Any = numba.core.cgutils
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
_HEAD_BYTES: Final = object.__basicsize__
"""What stands before an array's own fields: data, dimensions, shape, strides (``PyArrayObject_fields`` of numpy)."""
_WORD: Final = ir.IntType(64)


def compile_and_keep(kernel: Kernel[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Compile a kernel for arguments of these types and keep it; None where that cannot be done."""
    if any(described(each) is None for each in arguments):
        return None
    ready_compiler_without_scipy()
    try:
        with _without_machine_code(), _without_optimizing(), _without_garbage():
            entry, result = _compiled([_type_of(each) for each in arguments], _for_numba(kernel))
    except NumbaError:
        # It makes arrays, or does something else that needs numba when it runs.
        return None
    found = linked(_object_of(entry.library.get_llvm_str(), entry.fndesc.mangled_name), entry.fndesc.mangled_name)
    if found is None or not keep(kernel, arguments, found.code, found.start, _shape_of(result)):
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
    optimize = CPUCodeLibrary._optimize_final_module
    CPUCodeLibrary._optimize_final_module = lambda _: None
    try:
        yield
    finally:
        CPUCodeLibrary._optimize_final_module = optimize


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


def _compiled(argument_types: Sequence[Any], dispatcher: Any) -> tuple[Any, Any]:  # noqa: ANN401 (numba's own)
    """The function around a kernel, compiled, and the type of what the kernel returns."""
    dispatcher.compile(tuple(argument_types))
    result = dispatcher.overloads[tuple(argument_types)].signature.return_type
    writer = _Writer(dispatcher)
    call = f"kernel({', '.join([writer.argument(each) for each in argument_types])})"
    writer.store("result", result)
    lines = [f"def entry({', '.join([*writer.parameters, 'into'])}):", f" result = {call}", *writer.stores, " return"]
    exec("\n".join(lines), writer.names)
    entry = njit(**_OPTIONS)(writer.names["entry"])
    signature = (*writer.types, types.int64)
    entry.compile(signature)
    return entry.overloads[signature], result


class _Writer:
    """Writes the source of the function around a kernel."""

    def __init__(self, dispatcher: Any) -> None:  # noqa: ANN401 (numba's own)
        self.names: dict[str, Any] = {"kernel": dispatcher, "put": _put, "np": np}
        self.parameters: list[str] = []
        self.types: list[Any] = []
        self.stores: list[str] = []

    def argument(self, of_type: Any) -> str:  # noqa: ANN401 (numba's own)
        """The expression of an argument, from parameters that are whole or real numbers."""
        if isinstance(of_type, types.BaseNamedTuple):
            inner = ", ".join([self.argument(each) for each in of_type.types])
            name = f"tuple{len(self.names)}"
            self.names[name] = of_type.instance_class
            return f"{name}({inner})"
        parameter = f"p{len(self.parameters)}"
        self.parameters.append(parameter)
        self.types.append(types.float64 if isinstance(of_type, types.Float) else types.int64)
        if isinstance(of_type, types.Array):
            self.names[f"array_{parameter}"] = _array_at(of_type)
            return f"array_{parameter}({parameter})"
        if isinstance(of_type, types.Boolean):
            return f"({parameter} != 0)"
        return parameter if of_type in (types.int64, types.float64) else f"np.{of_type.name}({parameter})"

    def store(self, expression: str, of_type: Any) -> None:  # noqa: ANN401 (numba's own)
        """Write what is returned, word by word."""
        if isinstance(of_type, types.BaseTuple):
            for place, each in enumerate(of_type.types):
                self.store(f"{expression}[{place}]", each)
        elif not isinstance(of_type, types.NoneType):
            word = expression if isinstance(of_type, types.Float) else f"np.int64({expression})"
            self.stores.append(f" put(into + {8 * len(self.stores)}, {word})")


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


def _array_at(of_type: Any) -> Any:  # noqa: ANN401 (numba's own)
    """What makes an array out of the address of numpy's object."""

    def build(_typing_context: object, _address: object) -> object:
        def generate(context: Any, builder: ir.IRBuilder, _signature: object, arguments: list[ir.Value]) -> object:  # noqa: ANN401
            def word(address: ir.Value, byte: int) -> ir.Value:
                pointer = builder.inttoptr(builder.add(address, _WORD(byte)), _WORD.as_pointer())
                return builder.load(pointer)

            data, dimensions, strides = (word(arguments[0], _HEAD_BYTES + byte) for byte in (0, 16, 24))
            of_items = context.get_data_type(of_type.dtype)
            item_bytes = _WORD(context.get_abi_sizeof(of_items))
            shape = [word(dimensions, 8 * each) for each in range(of_type.ndim)]
            steps = [word(strides, 8 * each) for each in range(of_type.ndim)]
            if of_type.layout == "C":
                # Said to be what they are, so that loops over rows become plain.
                steps = [item_bytes]
                for length in reversed(shape[1:]):
                    steps.insert(0, builder.mul(steps[0], length))
            array = arrayobj.make_array(of_type)(context, builder)
            arrayobj.populate_array(
                array,
                data=builder.inttoptr(data, of_items.as_pointer()),
                shape=cgutils.pack_array(builder, shape),
                strides=cgutils.pack_array(builder, steps),
                itemsize=item_bytes,
                meminfo=None,
            )
            return array._getvalue()

        return of_type(types.int64), generate

    return intrinsic(build)


@intrinsic
def _put(_typing_context: object, _address: object, value: Any) -> object:  # noqa: ANN401 (numba's own)
    """Write a number of 64 bits to an address."""

    def generate(context: Any, builder: ir.IRBuilder, _signature: object, arguments: list[ir.Value]) -> object:  # noqa: ANN401
        builder.store(arguments[1], builder.inttoptr(arguments[0], arguments[1].type.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.float64 if isinstance(value, types.Float) else types.int64), generate


def _object_of(text: str, name: str) -> bytes:
    """Machine code of a module of LLVM for any processor of 64 bits, without what the function does not need."""
    module = binding.parse_assembly(text)
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name != name:
            each.linkage = "internal"
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(cpu="x86-64", features="", opt=2, reloc="pic", codemodel="small")
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    options = binding.create_pipeline_tuning_options(2)
    passes.run(module, binding.create_pass_builder(machine, options))
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
