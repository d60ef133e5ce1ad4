"""Lowering of effects: prints, checks, exceptions."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, string
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule

_EDGE_ITEMS = 3
_RELATIONS = {
    "==": "Equal",
    "!=": "NotEqual",
    "<": "Less",
    "<=": "LessEqual",
    ">": "Greater",
    ">=": "GreaterEqual",
}


def _text(
    step: GraphDefNodeLowering,
    template: tuple[str | None, ...],
    tensors: list[ValueRef],
    items: int,
) -> ValueRef:
    """Return the text of a template with tensors."""
    if not tensors:
        return step.const("".join(piece or "" for piece in template), "text", string)
    known = "".join(piece or "" for piece in template)
    # A placeholder that does not occur in the user's text.
    gap = next(mark for mark in _marks() if mark not in known)
    text = "".join(gap if piece is None else piece for piece in template)
    found: ValueRef = step.add(
        "StringFormat", tensors, template=text, placeholder=gap, summarize=items
    )
    return found


def _marks() -> Any:
    yield "{}"
    number = 0
    while True:
        yield f"{{{number}}}"
        number += 1


def _print(step: GraphDefNodeLowering) -> Any:
    stream = step.attrs["stream"]
    if not (stream is None or isinstance(stream, str)):
        raise step.unsupported("TensorFlow prints to the standard streams and to files")
    items = step.attrs["summarize"] or _EDGE_ITEMS
    template = step.attrs["template"]
    if step.attrs["bare"]:
        text = _joined(step, template)
    else:
        text = _text(step, template, list(step.inputs), items)
    return step.last("PrintV2", text, output_stream=stream or "stderr", end="")


def _joined(step: GraphDefNodeLowering, template: tuple[str | None, ...]) -> ValueRef:
    """Return a text inserted into its template; a format op would quote it."""
    parts = [
        step.inputs[0] if piece is None else step.const(piece, "text", string) for piece in template
    ]
    found: ValueRef = step.add("StringJoin", parts, separator="")
    return found


def _assert(step: GraphDefNodeLowering) -> Any:
    condition, *tensors = step.inputs
    text = _text(step, step.attrs["template"], tensors, _EDGE_ITEMS)
    return _asserted(step, condition, text)


def _asserted(step: GraphDefNodeLowering, condition: ValueRef, text: ValueRef) -> Any:
    return step.last("Assert", condition, [text], summarize=_EDGE_ITEMS)


def _check(step: GraphDefNodeLowering) -> Any:
    words = f"{step.attrs['error'].__name__}: {step.attrs['message']}"
    return _asserted(step, step.inputs[0], step.const(words, "text", string))


def _raise(step: GraphDefNodeLowering) -> Any:
    """Lower `raise` to a failing Assert: TensorFlow has no exception classes."""
    text = step.const(str(step.attrs["exception"]), "text", string)
    return _asserted(step, step.const(False, "condition", bool_), text)


def _relation(step: GraphDefNodeLowering) -> Any:
    x, y = step.inputs
    relation, message = step.attrs["relation"], step.attrs["message"]
    symbol, _, zero = relation.partition(" ")
    holds = step.add(_RELATIONS[symbol], x, y)
    flat = step.add("Reshape", holds, step.const([-1], "flat"))
    all_ = step.add("All", flat, step.const(np.zeros(1, np.int32), "axes"), keep_dims=False)
    words = f"{message}\n" if message else ""
    words += f"Condition x {relation}{'' if zero else ' y'} did not hold.\nx = "
    text = _text(step, (words, None, "\ny = ", None), [x, y], step.attrs["summarize"])
    return _asserted(step, all_, text)


def _data(step: GraphDefNodeLowering) -> Any:
    condition, *data = step.inputs
    return step.last("Assert", condition, data, summarize=step.attrs["summarize"])


def _checked_shape(step: GraphDefNodeLowering) -> Any:
    raise step.unsupported("shapes that a call decides are not checked there")


def _numerics(step: GraphDefNodeLowering) -> Any:
    return step.last("CheckNumericsV2", step.inputs[0], message=step.attrs["message"])


def _string_format(step: GraphDefNodeLowering) -> Any:
    return _text(step, step.attrs["template"], list(step.inputs), step.attrs["summarize"])


RULES: dict[str, Rule] = {
    "string_format": _string_format,
    "print": _print,
    "assert": _assert,
    "check": _check,
    "refuse": _check,
    "raise": _raise,
    "assert_relation": _relation,
    "assert_data": _data,
    "assert_rank": _checked_shape,
    "assert_shapes": _checked_shape,
    "check_numerics": _numerics,
}
