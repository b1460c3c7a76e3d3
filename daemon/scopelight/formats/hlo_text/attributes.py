"""What follows the operands of an instruction in the text of a program: ``, dimensions={0}, metadata={...}``.

Attributes that no reader asks for (shardings, configurations of backends, literals) are passed over.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, NoReturn

import attrs

from scopelight.formats.hlo import hlo_pb2

_INTEGER: Final = re.compile(r"-?\d++")
_NAME: Final = re.compile(r"[^\s,{}%]++")
_GROUP: Final = re.compile(r"\{([\d,\s]*+)\}")
_SLICE: Final = re.compile(r"\[\s*(\d+)\s*:\s*(\d+)\s*(?::\s*(\d+)\s*)?\]")
_IOTA_GROUPS: Final = re.compile(r"\[(\d+),(\d+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?")
_MESH: Final = re.compile(r"mesh\[([^\[\]]*+)\](?:\s*\{([^{}]*+)\})?")
_MESH_AXIS: Final = re.compile(r"'([^']*+)'=(\d++)")
_AXIS_PART: Final = re.compile(r"'([^']*+)'(?::\((\d++)\)(\d++))?")
_MESH_DEVICES: Final = re.compile(r"\((?:\[([\d,]++)\]T\(([\d,]++)\)|([\d,]++))\)\s*\{([^{}]*+)\}")
_LABELS: Final = re.compile(r"([^_\s]+)_([^->\s]+)->(\S+)")
_ALIAS: Final = re.compile(r"\{([\d, ]{0,400})\}:\s*\((\d{1,9}),\s*\{([\d, ]{0,400})\}")
_INDEX: Final = re.compile(r"\d{1,9}(?!\d)")
_METADATA: Final = re.compile(r'\b(\w++)=(?:"((?:[^"\\]|\\.)*+)"|(-?\d++))', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_WINDOW: Final = re.compile(r"\b(\w++)=([^\s{}]++)")
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r"}
_FFT_TYPES: Final = ("FFT", "IFFT", "RFFT", "IRFFT")
_LARGEST_64, _LARGEST_32 = 2**63 - 1, 2**31 - 1

LONGEST_CONFIGURATION: Final = 1 << 16
"""A longer configuration of a backend is not kept."""

_ORDER_OF_CALLED: Final = {"condition": 1, "scatter": 1, "false_computation": 1}
"""Where an instruction calls two computations by different names: those that a compiled program lists second."""


@attrs.define(slots=True)
class Attributes:
    """Where the attributes of one instruction go: the message itself, and what is resolved when all is read."""

    message: hlo_pb2.HloInstructionProto
    fail: Callable[..., NoReturn]
    called: list[tuple[int, str]] = attrs.field(factory=list)
    """Names of called computations, each with its place among the instruction's callees."""

    def read(self, name: str, value: str) -> None:
        """Take in the attribute ``name``; one that is not known changes nothing."""
        reader = _READERS.get(name)
        if reader is not None:
            reader(self, value)
        elif name in _CALLING:
            order = _ORDER_OF_CALLED.get(name, 0)
            self.called.extend((order, each) for each in _NAME.findall(value))

    def integers(self, value: str, largest: int = _LARGEST_64) -> list[int]:
        """The integers in ``value``."""
        found = _INTEGER.findall(value)
        if any(len(each) > 20 for each in found):
            self.fail("a number is too large")
        numbers = [int(each) for each in found]
        if any(not -largest <= each <= largest for each in numbers):
            self.fail("a number is too large")
        return numbers

    def integer(self, value: str, largest: int = _LARGEST_64) -> int:
        """The one integer that ``value`` is."""
        numbers = self.integers(value, largest)
        if len(numbers) != 1:
            self.fail("{value!r} is not a number", value=value[:40])
        return numbers[0]


def unescaped(text: str) -> str:
    """The content of a string that XLA wrote with C's escapes: octal ones stand for the bytes of UTF-8."""
    if "\\" not in text:
        return text
    parts: list[bytes] = []
    position = 0
    for found in _ESCAPE.finditer(text):
        parts.append(text[position : found.start()].encode("utf-8", "surrogatepass"))
        octal, hexadecimal, character = found.groups()
        if character is not None:
            parts.append(_ESCAPED.get(character, character).encode("utf-8", "surrogatepass"))
        else:
            parts.append(bytes([int(octal, 8) & 0xFF if octal is not None else int(hexadecimal, 16)]))
        position = found.end()
    parts.append(text[position:].encode("utf-8", "surrogatepass"))
    return b"".join(parts).decode("utf-8", "replace")


def aliases(value: str) -> Iterator[tuple[Sequence[int], int, Sequence[int]]]:
    """``{ {0}: (3, {}, may-alias), {1, 2}: (0, {1}) }``: by output, the number of what it lies in, and which part."""
    for output, number, index in _ALIAS.findall(value):
        yield [*map(int, _INDEX.findall(output))], int(number), [*map(int, _INDEX.findall(index))]


def _output_operand_aliasing(attributes: Attributes, value: str) -> None:
    for output, operand, index in aliases(value):
        attributes.message.output_operand_aliasing.add(
            output_shape_index=output, operand_index=operand, operand_shape_index=index
        )


def _metadata(attributes: Attributes, value: str) -> None:
    metadata = attributes.message.metadata
    for name, text, number in _METADATA.findall(value):
        if name in ("op_type", "op_name", "source_file", "deduplicated_name", "scheduling_name"):
            setattr(metadata, name, unescaped(text))
        elif name in ("source_line", "source_end_line", "source_column", "source_end_column", "stack_frame_id"):
            setattr(metadata, name, attributes.integer(number, _LARGEST_32))


def _window(attributes: Attributes, value: str) -> None:
    columns = {name: text.split("x") for name, text in _WINDOW.findall(value)}
    rank = max(map(len, columns.values()), default=0)
    if any(len(column) != rank for column in columns.values()):
        attributes.fail("{value!r} is a window of several ranks", value=value[:60])
    window = attributes.message.window
    window.SetInParent()
    for row in range(rank):
        dimension = window.dimensions.add(size=1, stride=1, window_dilation=1, base_dilation=1)
        for name, column in columns.items():
            numbers = attributes.integers(column[row].replace("_", " "))
            if name == "pad" and len(numbers) == 2:
                dimension.padding_low, dimension.padding_high = numbers
            elif name in _WINDOW_FIELDS and len(numbers) == 1:
                setattr(dimension, _WINDOW_FIELDS[name], numbers[0])
            elif name == "rhs_reversal" and len(numbers) == 1:
                dimension.window_reversal = bool(numbers[0])
            else:
                attributes.fail("{value!r} is not a window", value=value[:60])


_WINDOW_FIELDS: Final = {
    "size": "size",
    "stride": "stride",
    "lhs_dilate": "base_dilation",
    "rhs_dilate": "window_dilation",
}


def _labels(attributes: Attributes, value: str) -> None:
    found = _LABELS.fullmatch(value)
    if found is None:
        attributes.fail("{value!r} does not label the dimensions of a convolution", value=value[:60])
    numbers = attributes.message.convolution_dimension_numbers
    lhs, rhs, output = (
        _labelled(attributes, labels, names) for labels, names in zip(found.groups(), ("bf", "io", "bf"), strict=True)
    )
    numbers.input_batch_dimension, numbers.input_feature_dimension = lhs[0]
    numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension = rhs[0]
    numbers.output_batch_dimension, numbers.output_feature_dimension = output[0]
    numbers.input_spatial_dimensions.extend(lhs[1])
    numbers.kernel_spatial_dimensions.extend(rhs[1])
    numbers.output_spatial_dimensions.extend(output[1])


def _labelled(attributes: Attributes, labels: str, names: str) -> tuple[tuple[int, int], list[int]]:
    """Positions of the two named dimensions, and of the spatial ones by their digits."""
    positions = {label: position for position, label in enumerate(labels) if label != "?"}
    spatial = [str(digit) for digit in range(10) if str(digit) in positions]
    if not {*names} <= positions.keys() or len(spatial) + 2 != len(labels) - labels.count("?"):
        attributes.fail("{labels!r} does not label the dimensions of an array", labels=labels[:20])
    return (positions[names[0]], positions[names[1]]), [positions[digit] for digit in spatial]


def _padding(attributes: Attributes, value: str) -> None:
    for dimension in value.split("x") if value else ():
        edges = attributes.integers(dimension.replace("_", " "))
        if len(edges) not in (2, 3):
            attributes.fail("{value!r} is not a padding", value=value[:60])
        attributes.message.padding_config.dimensions.add(
            edge_padding_low=edges[0], edge_padding_high=edges[1], interior_padding=edges[2] if len(edges) > 2 else 0
        )


def _slice(attributes: Attributes, value: str) -> None:
    for start, limit, stride in _SLICE.findall(value):
        attributes.message.slice_dimensions.add(
            start=attributes.integer(start), limit=attributes.integer(limit), stride=attributes.integer(stride or "1")
        )


def _replica_groups(attributes: Attributes, value: str) -> None:
    if value.startswith("{"):
        for group in _GROUP.findall(value[1:-1]):
            attributes.message.replica_groups.add(replica_ids=attributes.integers(group))
        return
    iota = _IOTA_GROUPS.match(value)
    if iota is None:
        _mesh_groups(attributes, value)
        return
    groups = attributes.message.collective_device_list.iota_replica_group_list
    groups.num_replica_groups = attributes.integer(iota[1])
    groups.num_devices_per_group = attributes.integer(iota[2])
    groups.iota_reshape_dims.extend(attributes.integers(iota[3]))
    groups.iota_transpose_perm.extend(attributes.integers(iota[4] or "", _LARGEST_32))


def _mesh_groups(attributes: Attributes, value: str) -> None:
    """``mesh['data'=2,'model'=4] {'model'}``; between the two parts may be an attribute, the devices' ids."""
    groups = attributes.message.mesh_axes_replica_group_list
    # A form of later versions leaves a mesh without axes, which says that groups are there and unknown.
    groups.SetInParent()
    found = _MESH.fullmatch(value)
    if found is None:
        return
    for name, size in _MESH_AXIS.findall(found[1]):
        groups.mesh.axes.add(name=name, size=attributes.integer(size))
    _mesh_axes(attributes, found[2] or "")


def _mesh_axes(attributes: Attributes, value: str) -> None:
    groups = attributes.message.mesh_axes_replica_group_list
    places = {each.name: place for place, each in enumerate(groups.mesh.axes)}
    for name, pre_size, size in _AXIS_PART.findall(value):
        part = groups.axes.add(mesh_axis_index=places.get(name, -1))
        if size:
            part.sub_axis_info.pre_size = attributes.integer(pre_size)
            part.sub_axis_info.size = attributes.integer(size)


def _mesh_devices(attributes: Attributes, value: str) -> None:
    """``(3,2,1,0) {'model'}`` or ``([4,2]T(1,0)) {'model'}`` after the axes of a mesh."""
    groups = attributes.message.mesh_axes_replica_group_list
    found = _MESH_DEVICES.fullmatch(value)
    if found is None:
        groups.Clear()
        groups.SetInParent()
        return
    if found[3]:
        groups.mesh.device_ids.extend(attributes.integers(found[3]))
    else:
        groups.mesh.iota_transform.reshape_dims.extend(attributes.integers(found[1]))
        groups.mesh.iota_transform.transpose_perm.extend(attributes.integers(found[2]))
    _mesh_axes(attributes, found[4])


def _pairs(attributes: Attributes, value: str) -> None:
    for group in _GROUP.findall(value[1:-1]):
        pair = attributes.integers(group)
        if len(pair) == 2:
            attributes.message.source_target_pairs.add(source=pair[0], target=pair[1])


def _backend_config(attributes: Attributes, value: str) -> None:
    # Kernels are kept in here, by the megabyte; what readers look for is short.
    if len(value) <= LONGEST_CONFIGURATION:
        text = unescaped(value[1:-1]) if value.startswith('"') else value
        attributes.message.backend_config = text.encode("utf-8", "surrogatepass")


def _fft_type(attributes: Attributes, value: str) -> None:
    if value not in _FFT_TYPES:
        attributes.fail("there is no kind of FFT named {value!r}", value=value[:20])
    attributes.message.fft_type = _FFT_TYPES.index(value)


def _global_ids(attributes: Attributes, value: str) -> None:
    attributes.message.use_global_device_ids = value == "true"


def _text(field: str) -> Callable[[Attributes, str], None]:
    def read(attributes: Attributes, value: str) -> None:
        setattr(attributes.message, field, unescaped(value[1:-1]) if value.startswith('"') else value)

    return read


def _number(field: str) -> Callable[[Attributes, str], None]:
    def read(attributes: Attributes, value: str) -> None:
        setattr(attributes.message, field, attributes.integer(value))

    return read


def _numbers(field: str) -> Callable[[Attributes, str], None]:
    def read(attributes: Attributes, value: str) -> None:
        attrgetter(field)(attributes.message).extend(attributes.integers(value))

    return read


def _contraction(field: str) -> Callable[[Attributes, str], None]:
    def read(attributes: Attributes, value: str) -> None:
        message = attributes.message
        is_ragged = message.opcode == "ragged-dot"
        dot = message.ragged_dot_dimension_numbers.dot_dimension_numbers if is_ragged else message.dot_dimension_numbers
        getattr(dot, field).extend(attributes.integers(value))

    return read


_CALLING: Final = frozenset(
    (
        *("calls", "to_apply", "body", "condition", "select", "scatter", "branch_computations"),
        *("true_computation", "false_computation", "called_computations"),
    )
)

_READERS: Final[Mapping[str, Callable[[Attributes, str], None]]] = {
    "metadata": _metadata,
    "output_to_operand_aliasing": _output_operand_aliasing,
    "window": _window,
    "dim_labels": _labels,
    "padding": _padding,
    "slice": _slice,
    "replica_groups": _replica_groups,
    "device_ids": _mesh_devices,
    "source_target_pairs": _pairs,
    "use_global_device_ids": _global_ids,
    "backend_config": _backend_config,
    "lhs_ragged_dims": _numbers("ragged_dot_dimension_numbers.lhs_ragged_dimensions"),
    "rhs_group_dims": _numbers("ragged_dot_dimension_numbers.rhs_group_dimensions"),
    "fft_type": _fft_type,
    "fft_length": _numbers("fft_length"),
    "dimensions": _numbers("dimensions"),
    "iota_dimension": _numbers("dimensions"),
    "index": _number("tuple_index"),
    "channel_id": _number("channel_id"),
    "feature_group_count": _number("feature_group_count"),
    "batch_group_count": _number("batch_group_count"),
    "kind": _text("fusion_kind"),
    "custom_call_target": _text("custom_call_target"),
    "lhs_contracting_dims": _contraction("lhs_contracting_dimensions"),
    "rhs_contracting_dims": _contraction("rhs_contracting_dimensions"),
    "lhs_batch_dims": _contraction("lhs_batch_dimensions"),
    "rhs_batch_dims": _contraction("rhs_batch_dimensions"),
}
