"""The standard converter, with the backend for the graphs of `runtime`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.graph import GraphBackend
from autograph.backends.protocol import Backends
from autograph.conversion.converter import FunctionConverter, do_not_convert
from autograph.converters.pipeline import convert_function

__all__ = [
    "STANDARD_CONVERTER",
    "conversion_reason",
    "convert",
    "compiled_code",
    "converted",
    "do_not_convert",
    "explain",
    "is_converted",
    "to_code",
    "to_graph",
]

STANDARD_CONVERTER = FunctionConverter(Backends((GraphBackend(),)), convert_function)

convert = STANDARD_CONVERTER.convert
compiled_code = STANDARD_CONVERTER.compiled_code
conversion_reason = STANDARD_CONVERTER.conversion_reason
explain = STANDARD_CONVERTER.explain
is_converted = STANDARD_CONVERTER.is_converted
to_code = STANDARD_CONVERTER.to_code
to_graph = STANDARD_CONVERTER.to_graph
called = STANDARD_CONVERTER.called


def converted(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return the converted form of `fn` for a trace; a `do_not_convert` function itself.

    Raises:
        SourceError: the source of `fn` cannot be found.
        ConversionError: `fn` is not a Python function, or uses a form that cannot be converted.

    >>> converted(lambda x: x + 1)(2)
    3
    """
    return STANDARD_CONVERTER.to_stage(fn)
