"""Templates of strings in exported programs, with placeholders for integers, bools and strings.

Other engines write floats, arrays and quoted texts in other forms than Python.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from runtime.core.spec import TensorSpec
from runtime.graph.node import Node
from runtime.ops.python.formatting import TemplateField

# Specifications of whole numbers: `d`, `4d`, `>4`, `04d`, and of `%`: `%d`, `%04d`.
_WIDTH = re.compile(r"(?:>?(?P<width>[1-9]\d*)|0(?P<zeros>\d+))?d?")
_PERCENT = re.compile(r"%(?:(?P<width>[1-9]\d*)|0(?P<zeros>\d+))?[di]")


class Gap(NamedTuple):
    """A replacement field of a template.

    Attributes:
        operand: the index of the operand, a scalar.
        width: the least number of characters of a whole number.
        fill: the character before a shorter number: a blank or 0.
    """

    operand: int
    width: int = 0
    fill: str = " "


def template_pieces(node: Node) -> list[str | Gap] | None:
    """Return the texts and gaps of a node that formats values, or None if a gap is another value.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph()
    >>> n = graph.add_input(TensorSpec((), "int32"), "n")
    >>> with graph.recording():
    ...     text = rt.ops.python.formatting.format_values(("n = ", TemplateField(0)), [n])
    >>> template_pieces(text.node)
    ['n = ', Gap(operand=0, width=0, fill=' ')]
    """
    template: Any = node.attrs["template"]
    found: list[str | Gap] = []
    for piece in template.pieces:
        if isinstance(piece, str):
            found.append(piece)
            continue
        spec = node.inputs[piece.index].spec
        gap = _gap(piece, spec)
        if gap is None:
            return None
        before, after = _around(piece, spec)
        found += [each for each in (before, gap, after) if each]
    return found


def _is_text_of(field: TemplateField) -> bool:
    """Return whether the gap is `str(x)`, not `format(x)`."""
    return field.conversion == "s" or (field.conversion, field.spec) == ("%", ("%s",))


def _around(field: TemplateField, spec: TensorSpec) -> tuple[str, str]:
    """Return the texts around a value: a tensor's `str` has its shape and dtype."""
    if field.form != "tensor" or not _is_text_of(field):
        return "", ""
    return "rt.Tensor(", f", shape=(), dtype={spec.dtype.name})"


def _gap(field: TemplateField, spec: TensorSpec) -> Gap | None:
    if spec.shape.rank != 0 or not all(isinstance(each, str) for each in field.spec):
        return None
    words = "".join(map(str, field.spec))
    if spec.dtype.is_string:
        is_plain = field.form == "python" and field.conversion != "r"
        return Gap(field.index) if is_plain and words in ("", "%s") else None
    if field.conversion == "r" and field.form != "python":
        return None
    if words in ("", "%s") and (spec.dtype.is_integer or spec.dtype.is_bool):
        return Gap(field.index)
    pattern = _PERCENT if field.conversion == "%" else _WIDTH
    matched = pattern.fullmatch(words)
    if matched is None or not spec.dtype.is_integer or field.conversion in ("r", "s"):
        return None
    zeros = matched["zeros"]
    return Gap(field.index, int(zeros or matched["width"] or 0), "0" if zeros else " ")
