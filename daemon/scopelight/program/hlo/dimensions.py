"""The dimensions that dots, convolutions, windows and transforms name, from the bytes' messages to the nouns."""

import json
import math
import re
from itertools import chain
from typing import Any, NoReturn

from google.protobuf.message import DecodeError

from scopelight.formats.errors import FormatError
from scopelight.formats.hlo import hlo_pb2
from scopelight.phrase import Phrase
from scopelight.program.hlo.nouns import ConvolutionDimensions, DotDimensions, WindowDimension

MAXIMUM_ELEMENTS = 2**62
"""More elements than this in one array is not a shape that any memory holds."""

MAXIMUM_RANK = 64
"""More dimensions than this no array of a compiled program has."""

MAXIMUM_CONFIGURATION_BYTES = 1 << 16
"""A longer configuration of a library call is not read."""

_DOT_LISTS = ("lhs_contracting", "rhs_contracting", "lhs_batch", "rhs_batch")
_CONVOLUTION_SINGLE = (
    *("input_batch", "input_feature", "kernel_input_feature", "kernel_output_feature"),
    *("output_batch", "output_feature"),
)
_CONVOLUTION_LISTS = ("input_spatial", "kernel_spatial", "output_spatial")

# The generated classes carry no annotations for their submessages.
_Message = Any
_MOST_TRIPS = 2**53
_ESTIMATED_CYCLES = re.compile(rb'"estimated_cycles":"(\d{1,19})"')
_MOST_CYCLES = 2**53
_LONGEST_SCALAR = 128
"""Bytes that a literal of one number takes at most, with its shape."""


def fail(where: str, cause: str, **values: object) -> NoReturn:
    """Refuse the module read from ``where``; ``cause`` is a clause, or the template of one for ``values``."""
    raise FormatError(Phrase(cause, **values), path=where, kind="HLO module")


def dot_dimensions(where: str, proto: _Message) -> DotDimensions | None:
    """Of a dot, a ragged dot or a library call that is a dot; None for any other instruction."""
    if proto.HasField("dot_dimension_numbers"):
        return _dot(where, proto, proto.dot_dimension_numbers)
    if proto.opcode == "ragged-dot" and proto.HasField("ragged_dot_dimension_numbers"):
        numbers = proto.ragged_dot_dimension_numbers
        ragged, group = tuple(numbers.lhs_ragged_dimensions), tuple(numbers.rhs_group_dimensions)
        return _dot(where, proto, numbers.dot_dimension_numbers, ragged, group)
    if proto.custom_call_target.startswith("__cublas$"):
        return _dot_of_library_call(proto.backend_config)
    return None


def trip_count(proto: _Message) -> int | None:
    """How often a loop runs its body, as the compiler says; None where it does not, or says what cannot be."""
    if len(proto.backend_config) > MAXIMUM_CONFIGURATION_BYTES:
        return None
    try:
        count = int(json.loads(proto.backend_config)["known_trip_count"]["n"])
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return None
    return count if 0 <= count <= _MOST_TRIPS else None


def estimated_cycles(proto: _Message) -> int | None:
    """What the compiler for a TPU expects an execution to take; None where it does not say."""
    # Programs have instructions by the ten thousand, each with a configuration that holds more than this.
    found = _ESTIMATED_CYCLES.search(proto.backend_config) if proto.backend_config else None
    cycles = int(found[1]) if found is not None else 0
    return cycles if 0 < cycles <= _MOST_CYCLES else None


def whole_number(proto: _Message) -> int | None:
    """The value of a constant that is one whole number of 32 or 64 bits; None for any other."""
    if len(proto.literal) > _LONGEST_SCALAR:
        return None
    literal = hlo_pb2.LiteralProto()
    try:
        literal.ParseFromString(proto.literal)
    except DecodeError:
        return None
    values = (*literal.s32s, *literal.s64s, *literal.u32s, *literal.u64s)
    return int(values[0]) if len(values) == 1 and not proto.shape.dimensions else None


def _dot_of_library_call(backend_config: bytes) -> DotDimensions | None:
    """The dimensions that XLA:GPU writes into the configuration of a cuBLAS (or hipBLAS) call; None if it does not."""
    if len(backend_config) > MAXIMUM_CONFIGURATION_BYTES:
        return None
    try:
        numbers = json.loads(backend_config)["gemm_backend_config"]["dot_dimension_numbers"]
        # Protobuf writes 64-bit integers as strings.
        lists = [tuple(map(int, numbers.get(f"{name}_dimensions", ()))) for name in _DOT_LISTS]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return None if any(each < 0 for dimensions in lists for each in dimensions) else DotDimensions(*lists)


def fft_length(where: str, proto: _Message) -> tuple[int, ...]:
    """Sizes that an FFT transforms; none for any other instruction."""
    length = tuple(proto.fft_length)
    if length and not is_possible(length):
        fail(where, "{name!r} has an impossible length of its transform", name=proto.name)
    return length


def _dot(
    where: str, proto: _Message, numbers: _Message, ragged: tuple[int, ...] = (), group: tuple[int, ...] = ()
) -> DotDimensions:
    lists = {name: tuple(getattr(numbers, f"{name}_dimensions")) for name in _DOT_LISTS}
    dot = DotDimensions(**lists, lhs_ragged=ragged, rhs_group=group)
    named = (*chain.from_iterable(lists.values()), *ragged, *group)
    if min(named, default=0) < 0:
        fail(where, "{name!r} contracts a dimension with a negative number", name=proto.name)
    return dot


def convolution_dimensions(where: str, proto: _Message) -> ConvolutionDimensions:
    """The dimension numbers of a convolution."""
    numbers = proto.convolution_dimension_numbers
    single = {name: getattr(numbers, f"{name}_dimension") for name in _CONVOLUTION_SINGLE}
    lists: dict[str, Any] = {name: tuple(getattr(numbers, f"{name}_dimensions")) for name in _CONVOLUTION_LISTS}
    if min(*single.values(), *chain.from_iterable(lists.values())) < 0:
        fail(where, "{name!r} has a dimension with a negative number", name=proto.name)
    return ConvolutionDimensions(**single, **lists)


def window_dimensions(where: str, proto: _Message) -> tuple[WindowDimension, ...]:
    """The window of a convolution, reduce-window or select-and-scatter."""
    window = tuple(
        WindowDimension(
            size=each.size,
            stride=max(1, each.stride),
            padding_low=each.padding_low,
            padding_high=each.padding_high,
            window_dilation=max(1, each.window_dilation),
            base_dilation=max(1, each.base_dilation),
        )
        for each in proto.window.dimensions
    )
    if not is_possible(tuple(each.size for each in window)):
        fail(where, "{name!r} has an impossible window", name=proto.name)
    return window


def is_possible(sizes: tuple[int, ...]) -> bool:
    """Whether an array may have these sizes."""
    return len(sizes) <= MAXIMUM_RANK and min(sizes, default=0) >= 0 and math.prod(sizes) <= MAXIMUM_ELEMENTS
