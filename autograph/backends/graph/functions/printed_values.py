"""Arguments of `rt.print` and `rt.assert_` that only a run knows, converted to their texts.

    rt.print("failed:", error)     plain: failed: ValueError('bad')

The library would print the stand-in of an exception that is caught at run time, of a staged list,
or of an object whose `__repr__` shows a tensor. So it gets a text that is made at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.containers.display_copies import is_staged_builtin
from autograph.backends.graph.containers.staged_dict import has_optional_items
from autograph.backends.graph.control.assertions import staged_assert
from autograph.backends.graph.control.case_dispatch import dispatch_any, has_alternatives
from autograph.backends.graph.functions.strings import (
    OPENS,
    as_text_item,
    is_text,
    join_strings,
    mark,
    refuse_tensor_names,
    staged_text,
    text_of,
    texts_in,
)
from runtime.diagnostics.exceptions import CaughtPlaceholder
from runtime.ops.convert import is_tensor_like
from runtime.ops.python.formatting import TemplateField, format_values
from runtime.ops.text.print_format import EDGE_ITEMS, brackets, entries

# Python's and NumPy's types whose values the library prints as they are.
_PLAIN = (bool, int, float, complex, bytes, type(None), np.generic, rt.DType, range)


def printing(print_: Callable[..., Any], /, *values: Any, **options: Any) -> Any:
    """Call `rt.print`, with texts in place of values that only the run knows."""
    if not any(_is_unready(value) for value in values):
        return print_(*values, **options)
    summarize = options.get("summarize", EDGE_ITEMS)
    if len(values) > 1:
        parts = [_top(value, summarize) for value in values]
        values = (join_strings(options.pop("sep", " "), parts),)
    elif not is_text(values[0]):
        values = (_top(values[0], summarize),)
    return print_(*values, **options)


def asserting(assert_: Callable[..., Any], /, condition: Any, message: Any = None) -> None:
    """Call `rt.assert_`, which prints its message as `rt.print` does."""
    if not _is_unready(message):
        return assert_(condition, message)
    if isinstance(condition, bool) and condition:
        return None
    return staged_assert(rt.convert_to_tensor(condition), lambda: _top(message, EDGE_ITEMS))


def _is_unready(value: Any) -> bool:
    """Return whether the library may print a value otherwise than Python would at run time."""
    if isinstance(value, str):
        return OPENS in value
    if (
        has_alternatives(value)
        or is_staged_builtin(value)
        or has_optional_items(value)
        or isinstance(value, CaughtPlaceholder)
    ):
        return True
    if is_text(value):
        return True
    if isinstance(value, (rt.TensorShape, *_PLAIN)) or is_tensor_like(value):
        return False
    if type(value) in (list, tuple):
        return any(map(_is_unready, value))
    if isinstance(value, Mapping):
        return any(map(_is_unready, value.values()))
    return not isinstance(value, type)


def _top(value: Any, summarize: int) -> Any:
    """Return the text of an argument; a string argument itself."""
    if isinstance(value, str):
        return staged_text(value)
    if is_text(value):
        return value
    if has_alternatives(value):
        return dispatch_any(value, lambda each: _top(each, summarize), "the text")
    return staged_text(_nested(value, summarize))


def _nested(value: Any, summarize: int) -> str:
    """Return the text of a value inside of a container, with marks for tensors."""
    if is_text(value):
        return repr(text_of(value))
    if has_alternatives(value):
        text = dispatch_any(value, lambda each: staged_text(_nested(each, summarize)), "the text")
        return text if isinstance(text, str) else _marked(text)
    if is_staged_builtin(value) and type(value) is list:
        items = texts_in(value, lambda each: as_text_item(staged_text(_nested(each, summarize))))
        return f"[{_marked(rt.strings.reduce_join(items, separator=', '))}]"
    if is_tensor_like(value):
        return _marked(rt.strings.format("{}", [value], summarize=summarize))
    if type(value) in (list, tuple) or isinstance(value, Mapping) and not has_optional_items(value):
        opening, closing = brackets(value)
        parts = (f"{key}{_nested(item, summarize)}" for key, item in entries(value))
        return f"{opening}{', '.join(parts)}{closing}"
    return refuse_tensor_names(
        str(value) if isinstance(value, np.generic) else repr(text_of(value))
    )


def _marked(text: rt.Tensor) -> str:
    """Return the mark of a string tensor, printed as Python's strings are."""
    return mark(format_values((TemplateField(0, "", (), "python"),), [text]), "", "")
