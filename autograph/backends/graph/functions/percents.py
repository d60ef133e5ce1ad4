"""`template % values`, where tensors are among the values: text made when the graph runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import runtime as rt
from autograph.backends.graph.functions.strings import (
    OPENS,
    added,
    joined,
    one_gap,
    text_of,
    without_names,
)
from autograph.backends.graph.program.places import user_place
from autograph.errors import StagingError
from runtime.ops.python.formatting import Gap, form_of, format_values

_NONE: Any = object()
_DIRECTIVE = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d+))?"
    r"[hlL]?(?P<kind>[diouxXeEfFgGcrsa%])"
)


def percent(template: str, values: Any) -> Any:
    """Return `template % values`, where a tensor is among the values."""
    tensors: list[rt.Tensor] = []
    pieces: list[str | Gap] = []
    arguments = iter(values if isinstance(values, tuple) else (values,))
    end, used = 0, 0
    for found in _DIRECTIVE.finditer(template):
        pieces.append(template[end : found.start()])
        pieces.append(_filled_directive(found, values, arguments, tensors))
        end, used = found.end(), used + (found["kind"] != "%" and not found["key"])
    pieces.append(template[end:])
    if next(arguments, _NONE) is not _NONE and not isinstance(values, Mapping):
        raise TypeError("not all arguments converted during string formatting")
    return format_values(tuple(pieces), tensors)


def _filled_directive(
    found: re.Match[str], values: Any, arguments: Any, tensors: list[rt.Tensor]
) -> str | Gap:
    if found["kind"] == "%":
        return "%"
    if "*" in (found["width"], found["digits"]):
        raise StagingError("`*` in a % format of tensors: write the width itself", user_place())
    value = values[found["key"]] if found["key"] is not None else next(arguments, _NONE)
    if value is _NONE:
        raise TypeError("not enough arguments for format string")
    directive = found.group().replace(f"({found['key']})", "") if found["key"] else found.group()
    if not isinstance(value, (rt.SymbolicTensor, rt.Variable)):
        shown = directive % (text_of(value),)
        shown = without_names(shown)
        return shown if OPENS not in shown else one_gap(joined(shown), tensors)
    tensor = rt.convert_to_tensor(value)
    return Gap(added(tensor, tensors), "%", (directive,), form_of(tensor))
