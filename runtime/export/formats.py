"""The formats of exported programs: a registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from runtime.core.lazy_imports import lazy_import
from runtime.errors import ArgumentValueError
from runtime.export.report import ExportReport


class Format(NamedTuple):
    """A format of exported programs.

    Attributes:
        name: its name.
        write: `write(program, path, strict=False, **options)` writes an `ExportedProgram`, and
            returns the report.
        options: the names of its options.
    """

    name: str
    write: Callable[..., ExportReport]
    options: tuple[str, ...] = ()


_TFLITE = lazy_import("runtime.export.tflite.writing:write_program")
FORMATS: dict[str, Format] = {
    "graph_def": Format(
        "graph_def", lazy_import("runtime.export.graphdef.to_graphdef:write_program")
    ),
    "onnx": Format("onnx", lazy_import("runtime.export.onnx.writing:write_program"), ("opset",)),
    "saved_model": Format(
        "saved_model", lazy_import("runtime.export.saved_model.writer:write_saved_model")
    ),
    "stablehlo": Format(
        "stablehlo", lazy_import("runtime.export.stablehlo.writing:write_program"), ("platforms",)
    ),
    "tflite": Format("tflite", _TFLITE, ("converter",)),
}
_BUILT_IN = frozenset(FORMATS)


def register_format(format: Format) -> None:
    """Make a format known as `ag.export(..., format=format.name)`; it replaces one of that name.

    A path that ends in the name, as "model.listing" does, has this format.

    Raises:
        ArgumentValueError: the name is that of a built-in format, or no identifier.

    >>> from runtime.export.report import ExportReport
    >>> def write_names(program, path, strict=False):
    ...     (signature,) = program.distinct_signatures()
    ...     with open(path, "w") as file:
    ...         file.writelines(f"{node.name}\\n" for node in signature.graph.nodes)
    ...     return ExportReport("names", [path])
    >>> register_format(Format("names", write_names))
    >>> FORMATS.pop("names").name
    'names'
    """
    if format.name in _BUILT_IN:
        raise ArgumentValueError(
            f"a format cannot be called {format.name!r}: that is one of this package"
        )
    if not format.name.isidentifier():
        raise ArgumentValueError(f"the name of a format must be one word, not {format.name!r}")
    FORMATS[format.name] = format
