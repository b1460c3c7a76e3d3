"""An instruction as HLO text, written as XLA writes it."""

from collections.abc import Iterator

from scopelight.program.hlo.nouns import HloModule, Instruction, Layout, Shape
from scopelight.program.hlo.tiling import COMBINED

_MOST_PARTS = 16
_DEEPEST_PARTS = 2
_MOST_OPERANDS = 64
"""A person reads no more."""
_FUSION_KINDS = ("kLoop", "kInput", "kOutput", "kCustom")


def expression(module: HloModule, instruction: Instruction) -> str:
    """``%add.1 = f32[8]{0} add(f32[8]{0} %x, f32[8]{0} %y), metadata={op_name="..."}``, on one line.

    Without the attributes that a module does not keep: sharding, backend configuration, literals.
    """
    operands = [
        f"{shape_with_layout(each.shape)} %{each.name}"
        for each in map(module.instructions.__getitem__, instruction.operands[:_MOST_OPERANDS])
    ]
    if len(instruction.operands) > _MOST_OPERANDS:
        operands.append(f"… {len(instruction.operands) - _MOST_OPERANDS} more")
    if instruction.parameter_number is not None:
        operands = [str(instruction.parameter_number)]
    attributes = "".join(f", {each}" for each in _attributes(module, instruction))
    shape = shape_with_layout(instruction.shape)
    return f"%{instruction.name} = {shape} {instruction.opcode}({', '.join(operands)}){attributes}"


def shape_with_layout(shape: Shape, depth: int = 0) -> str:
    """``f32[8,128]{1,0:T(8,128)}``, a tuple as its parts in brackets; nothing deeper than theirs."""
    if shape.tuple_shapes:
        if depth >= _DEEPEST_PARTS:
            return "(…)"
        parts = [shape_with_layout(part, depth + 1) for part in shape.tuple_shapes[:_MOST_PARTS]]
        if len(shape.tuple_shapes) > _MOST_PARTS:
            parts.append(f"… {len(shape.tuple_shapes) - _MOST_PARTS} more")
        return f"({', '.join(parts)})"
    if shape.element_type == "tuple":
        return "()"
    return f"{shape.element_type}[{_list(shape.dimensions)}]{layout_text(shape.layout)}"


def layout_text(layout: Layout | None) -> str:
    """``{1,0:T(8,128)S(5)}``; empty where there is none, or where it says no more than that an array is a scalar."""
    if layout is None:
        return ""
    tiles = "".join(f"({','.join('*' if each == COMBINED else str(each) for each in tile)})" for tile in layout.tiles)
    details = [
        f"T{tiles}" if tiles else "",
        f"L({layout.tail_padding_elements})" if layout.tail_padding_elements != 1 else "",
        f"E({layout.element_size_bits})" if layout.element_size_bits else "",
        f"S({layout.memory_space})" if layout.memory_space else "",
    ]
    detail = "".join(details)
    if not layout.minor_to_major and not detail:
        return ""
    return f"{{{_list(layout.minor_to_major)}{':' if detail else ''}{detail}}}"


def _attributes(module: HloModule, instruction: Instruction) -> Iterator[str]:
    opcode = instruction.opcode
    if instruction.window and (instruction.convolution is not None or "window" in opcode or opcode == "convolution"):
        yield f"window={{{_window(instruction)}}}"
    if instruction.dimensions:
        yield f"dimensions={{{_list(instruction.dimensions)}}}"
    if instruction.tuple_index is not None and opcode == "get-tuple-element":
        yield f"index={instruction.tuple_index}"
    if instruction.dot is not None:
        yield from _dot(instruction)
    if instruction.convolution is not None:
        yield f"dim_labels={_dimension_labels(instruction)}"
    if instruction.feature_group_count > 1:
        yield f"feature_group_count={instruction.feature_group_count}"
    if instruction.batch_group_count > 1:
        yield f"batch_group_count={instruction.batch_group_count}"
    if opcode == "fusion" and instruction.fusion_kind in _FUSION_KINDS:
        yield f"kind={instruction.fusion_kind}"
    yield from _called(module, instruction)
    if instruction.custom_call_target:
        yield f'custom_call_target="{_quoted(instruction.custom_call_target)}"'
    if instruction.op_name:
        yield f'metadata={{op_name="{_quoted(instruction.op_name)}"}}'


def _called(module: HloModule, instruction: Instruction) -> Iterator[str]:
    names = [f"%{module.computations[row].name}" for row in instruction.called[:_MOST_PARTS]]
    opcode = instruction.opcode
    if not names:
        return
    if opcode == "while" and len(names) == 2:
        # Bodies come first in the serialized form, as in XLA's own order of called computations.
        body, condition = names
        yield f"condition={condition}"
        yield f"body={body}"
    elif opcode == "conditional":
        yield f"branch_computations={{{', '.join(names)}}}"
    elif opcode in ("fusion", "async-start", "async-update", "async-done"):
        yield f"calls={names[0]}" if len(names) == 1 else f"calls={{{', '.join(names)}}}"
    elif opcode == "select-and-scatter" and len(names) == 2:
        yield f"select={names[0]}"
        yield f"scatter={names[1]}"
    else:
        yield f"to_apply={names[0]}" if len(names) == 1 else f"called_computations={{{', '.join(names)}}}"


def _dot(instruction: Instruction) -> Iterator[str]:
    dot = instruction.dot
    assert dot is not None
    for name, dimensions in (
        ("lhs_batch_dims", dot.lhs_batch),
        ("lhs_contracting_dims", dot.lhs_contracting),
        ("rhs_batch_dims", dot.rhs_batch),
        ("rhs_contracting_dims", dot.rhs_contracting),
    ):
        if dimensions:
            yield f"{name}={{{_list(dimensions)}}}"


def _window(instruction: Instruction) -> str:
    window = instruction.window
    parts = [f"size={'x'.join(str(each.size) for each in window)}"]
    if any(each.stride != 1 for each in window):
        parts.append(f"stride={'x'.join(str(each.stride) for each in window)}")
    if any(each.padding_low or each.padding_high for each in window):
        parts.append(f"pad={'x'.join(f'{each.padding_low}_{each.padding_high}' for each in window)}")
    if any(each.base_dilation != 1 for each in window):
        parts.append(f"lhs_dilate={'x'.join(str(each.base_dilation) for each in window)}")
    if any(each.window_dilation != 1 for each in window):
        parts.append(f"rhs_dilate={'x'.join(str(each.window_dilation) for each in window)}")
    return " ".join(parts)


def _dimension_labels(instruction: Instruction) -> str:
    """``bf01_oi01->bf01``: which dimension of input, kernel and output is what."""
    numbers = instruction.convolution
    assert numbers is not None
    return (
        f"{_labels({'b': numbers.input_batch, 'f': numbers.input_feature}, numbers.input_spatial)}_"
        f"{_labels({'i': numbers.kernel_input_feature, 'o': numbers.kernel_output_feature}, numbers.kernel_spatial)}->"
        f"{_labels({'b': numbers.output_batch, 'f': numbers.output_feature}, numbers.output_spatial)}"
    )


def _labels(named: dict[str, int], spatial: tuple[int, ...]) -> str:
    places = [(place, label) for label, place in named.items()]
    places.extend((place, str(number)) for number, place in enumerate(spatial))
    return "".join(label for _, label in sorted(places))


def _list(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
