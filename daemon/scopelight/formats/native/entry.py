"""The function around a kernel, which any process can call: it takes numbers and returns through memory.

It is given addresses of numpy's array objects, reads from them where their data are and how long they are, and writes
what the kernel returns to memory. It is written as instructions of LLVM: to have numba compile it takes a fifth of the
time that the kernels themselves take.
"""

from collections.abc import Iterator
from typing import Any, Final

import numba
import numba.core.cgutils
from llvmlite import ir  # type: ignore[import-untyped]

# Their annotations do not know all that is used here.
types: Any = numba.types
cgutils: Any = numba.core.cgutils

ENTRY: Final = "entry"
"""How it is called."""
_HEAD_BYTES: Final = object.__basicsize__
"""What stands before an array's own fields: data, dimensions, shape, strides (``PyArrayObject_fields`` of numpy)."""
_WORD: Final = ir.IntType(64)
_REAL: Final = ir.DoubleType()
_ADDRESS: Final = ir.IntType(8).as_pointer()


def entry_around(kernel: Any) -> ir.Module:  # noqa: ANN401 (what numba compiled)
    """A module with that function alone; the kernel is only declared in it.

    Parameters are as numba's own convention has them: where a result goes, where an exception goes, then the arguments,
    here each a number of 64 bits, and last where the result is written word by word. What it returns tells of errors.
    """
    context, arguments = kernel.target_context, kernel.signature.args
    module = context.create_module(ENTRY)
    parameters = (_ADDRESS, _ADDRESS, *_parameters(arguments), _WORD)
    function = ir.Function(module, ir.FunctionType(ir.IntType(32), parameters), ENTRY)
    builder = ir.IRBuilder(function.append_basic_block())
    given = iter(function.args[2:-1])
    values = [_argument(context, builder, each, given) for each in arguments]
    status, result = context.call_internal_no_propagate(builder, kernel.fndesc, kernel.signature, values)
    for place, word in enumerate(_words(builder, result, kernel.signature.return_type)):
        at = builder.add(function.args[-1], _WORD(8 * place))
        builder.store(word, builder.inttoptr(at, word.type.as_pointer()))
    builder.ret(status.code)
    return module


def _parameters(of_types: Any) -> Iterator[ir.Type]:  # noqa: ANN401 (numba's own)
    for each in of_types:
        if isinstance(each, types.BaseTuple):
            yield from _parameters(each.types)
        else:
            yield _REAL if isinstance(each, types.Float) else _WORD


def _argument(context: Any, builder: ir.IRBuilder, of_type: Any, given: Iterator[ir.Value]) -> ir.Value:  # noqa: ANN401
    """The value of an argument, from as many of the numbers given as it takes."""
    if isinstance(of_type, types.BaseTuple):
        return context.make_tuple(
            builder, of_type, [_argument(context, builder, each, given) for each in of_type.types]
        )
    number = next(given)
    if isinstance(of_type, types.Array):
        return _array_at(context, builder, of_type, number)
    of_value = context.get_value_type(of_type)
    if isinstance(of_type, types.Boolean):
        return builder.icmp_unsigned("!=", number, _WORD(0))
    if of_value == number.type:
        return number
    return builder.fptrunc(number, of_value) if isinstance(of_type, types.Float) else builder.trunc(number, of_value)


def _array_at(context: Any, builder: ir.IRBuilder, of_type: Any, address: ir.Value) -> ir.Value:  # noqa: ANN401
    """The array at the address of numpy's object."""

    def word(at: ir.Value, byte: int) -> ir.Value:
        return builder.load(builder.inttoptr(builder.add(at, _WORD(byte)), _WORD.as_pointer()))

    data, dimensions, strides = (word(address, _HEAD_BYTES + byte) for byte in (0, 16, 24))
    of_items = context.get_data_type(of_type.dtype)
    item_bytes = _WORD(context.get_abi_sizeof(of_items))
    shape = [word(dimensions, 8 * each) for each in range(of_type.ndim)]
    steps = [word(strides, 8 * each) for each in range(of_type.ndim)]
    if of_type.layout == "C":
        # Said to be what they are, so that loops over rows become plain.
        steps = [item_bytes]
        for length in reversed(shape[1:]):
            steps.insert(0, builder.mul(steps[0], length))
    items = shape[0] if shape else _WORD(1)
    for length in shape[1:]:
        items = builder.mul(items, length)
    model = context.data_model_manager[of_type]
    array = model.get_value_type()(None)
    for name, value in (
        ("nitems", items),
        ("itemsize", item_bytes),
        ("data", builder.inttoptr(data, of_items.as_pointer())),
        ("shape", cgutils.pack_array(builder, shape, _WORD)),
        ("strides", cgutils.pack_array(builder, steps, _WORD)),
    ):
        array = builder.insert_value(array, value, model.get_field_position(name))
    return array


def _words(builder: ir.IRBuilder, value: ir.Value, of_type: Any) -> Iterator[ir.Value]:  # noqa: ANN401 (numba's own)
    """What is returned as numbers of 64 bits, in the order of `Shape`."""
    if isinstance(of_type, types.BaseTuple):
        for place, each in enumerate(of_type.types):
            yield from _words(builder, builder.extract_value(value, place), each)
    elif isinstance(of_type, types.Float):
        yield value if value.type == _REAL else builder.fpext(value, _REAL)
    elif not isinstance(of_type, types.NoneType):
        is_signed = isinstance(of_type, types.Integer) and of_type.signed
        widened = builder.sext if is_signed else builder.zext
        yield value if value.type == _WORD else widened(value, _WORD)
