"""Texts that are joined, split, compared and converted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.dtypes import int64, string
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.text_templates import Gap, template_pieces


def _string_join(step: OnnxNodeLowering) -> Any:
    """Join texts one after another, with the separator between them."""
    first, *others = step.inputs
    separator = step.attrs["separator"].decode()
    for each in others:
        if separator:
            first = step.op("StringConcat", first, step.like(separator, first))
        first = step.op("StringConcat", first, each)
    return first


def _format(step: OnnxNodeLowering) -> Any:
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


def _gap(step: OnnxNodeLowering, gap: Gap) -> Any:
    value, dtype = step.inputs[gap.operand], step.spec(gap.operand).dtype
    if dtype.is_bool:
        return step.op("Where", value, *(step.const(each, string) for each in ("True", "False")))
    return value if dtype.is_string else step.cast(value, string)


_NO_NUMBER = "a text that is not a number gives some number, or ends the run: Python raises here"


def _reduce_join(step: OnnxNodeLowering) -> Any:
    """Join the texts along axes, one place after another."""
    x, rank = step.inputs[0], step.rank()
    given = step.attrs["axis"]
    axes = range(rank) if given is None else [axis % rank for axis in given]
    kept = [axis for axis in range(rank) if axis not in axes]
    moved = step.op("Transpose", x, perm=[*axes, *kept])
    sizes = step.shape(moved)
    count, shape = (step.op("Slice", sizes, *map(step.ints, part)) for part in _parts(axes, rank))
    iterations = step.op("ReduceProd", count)
    rows = step.op("Reshape", moved, step.op("Concat", iterations, shape, axis=0), allowzero=1)
    first = step.op("Expand", step.const("", string), shape)
    separator = step.attrs["separator"].decode()

    def joined(iteration: Any, held: list[Any]) -> tuple[None, list[Any]]:
        (text,) = held
        if separator:
            is_first = step.op("Equal", iteration, step.number(0))
            between = step.where(is_first, step.const("", string), step.const(separator, string))
            text = step.op("StringConcat", text, between)
        return None, [step.op("StringConcat", text, step.op("Gather", rows, iteration))]

    (found,) = step.repeated(step.op("Reshape", iterations, step.const([], int64)), [first], joined)
    if not step.attrs["keepdims"]:
        return found
    return step.op("Unsqueeze", found, step.ints(*axes)) if axes else found


def _parts(axes: Sequence[int], rank: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where the sizes of axes that are moved to the front start and end, and the others."""
    return (0, len(axes)), (len(axes), rank)


def _letters(action: str) -> Rule:
    """Return the rule of lower and upper letters; engines change vectors of at least one text."""

    def rule(step: OnnxNodeLowering) -> Any:
        if step.attrs["encoding"]:
            raise step.unsupported("engines change the letters of ASCII alone in the same way")
        x = step.inputs[0]
        flat = step.op("Reshape", x, step.ints(-1))
        padded = step.op("Concat", flat, step.const([""], string), axis=0)
        attrs = {"case_change_action": action, "locale": "C", "is_case_sensitive": 1}
        made = step.op("StringNormalizer", padded, **attrs)
        return step.op(
            "Reshape", step.op("Slice", made, step.ints(0), step.ints(-1)), step.shape(x)
        )

    return rule


def _regex_full_match(step: OnnxNodeLowering) -> Any:
    return step.op("RegexFullMatch", step.inputs[0], pattern=step.attrs["pattern"])


def _split(step: OnnxNodeLowering) -> Any:
    """Split a text; engines return no part of an empty one, which is one part here."""
    mark, most = step.attrs["sep"].decode(), step.attrs["maxsplit"]
    if not mark:
        raise step.unsupported("engines split at blanks alone, not at tabs and line ends: give sep")
    text = step.op("Reshape", step.inputs[0], step.const([], int64))
    attrs = {"delimiter": mark, **({"maxsplit": most} if most >= 0 else {})}
    parts, count = step.ops("StringSplit", 2, text, **attrs)
    padded = step.op("Concat", parts, step.const([""], string), axis=0)
    size = step.op("Max", step.op("Reshape", count, step.ints(1)), step.ints(1))
    return step.op("Slice", padded, step.ints(0), size)


def _as_string(step: OnnxNodeLowering) -> Any:
    dtype, form = step.spec().dtype, step.attrs
    if form.get("width", -1) > 0 or not (dtype.is_integer or dtype.is_bool or dtype.is_string):
        raise step.unsupported("engines write numbers with a fraction in another form")
    if dtype.is_bool:
        words = [step.const(each, string) for each in ("true", "false")]
        return step.op("Where", step.inputs[0], *words)
    return step.cast(step.inputs[0], string)


def _to_number(step: OnnxNodeLowering) -> Any:
    if step.attrs.get("as_python"):
        raise step.unsupported("engines read other numbers than Python, such as 1_000")
    step.omit("to_number", _NO_NUMBER)
    return step.cast(step.inputs[0], step.dtype)


RULES: dict[str, Rule] = {
    "as_string": _as_string,
    "reduce_join": _reduce_join,
    "regex_full_match": _regex_full_match,
    "string_lower": _letters("LOWER"),
    "string_split": _split,
    "string_upper": _letters("UPPER"),
    "to_number": _to_number,
    "string_join": _string_join,
    "format_values": _format,
}
