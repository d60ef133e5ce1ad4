"""Texts that are joined, and those of the values in a template."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import string
from runtime.export.onnx.node_lowering import NodeLowering, Rule
from runtime.export.text_templates import Gap, template_pieces


def _string_join(step: NodeLowering) -> Any:
    """Join texts one after another, with the separator between them."""
    first, *others = step.inputs
    separator = step.attrs["separator"].decode()
    for each in others:
        if separator:
            first = step.op("StringConcat", first, step.like(separator, first))
        first = step.op("StringConcat", first, each)
    return first


def _format(step: NodeLowering) -> Any:
    """Join the texts of a template and those of the values in its gaps."""
    pieces = template_pieces(step.node)
    if pieces is None or any(isinstance(piece, Gap) and piece.width for piece in pieces):
        raise step.unsupported("it makes texts as Python does")
    texts = [
        step.const(piece, string) if isinstance(piece, str) else _gap(step, piece)
        for piece in pieces
    ]
    first, *others = texts or [step.const("", string)]
    for each in others:
        first = step.op("StringConcat", first, each)
    return first


def _gap(step: NodeLowering, gap: Gap) -> Any:
    value, dtype = step.inputs[gap.operand], step.spec(gap.operand).dtype
    if dtype.is_bool:
        return step.op("Where", value, *(step.const(each, string) for each in ("True", "False")))
    return value if dtype.is_string else step.cast(value, string)


RULES: dict[str, Rule] = {
    "string_join": _string_join,
    "format_values": _format,
}
