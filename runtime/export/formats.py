"""The formats of exported programs: a registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from runtime.core.lazy_imports import lazy_import
from runtime.export.report import ExportReport


class Format(NamedTuple):
    """A format of exported programs.

    Attributes:
        name: its name.
        write: writes an `ExportedProgram` to a path, and returns the report.
        options: the names of its options.
    """

    name: str
    write: Callable[..., ExportReport]
    options: tuple[str, ...] = ()


_TFLITE = lazy_import("runtime.export.tflite.writing:write_program")
FORMATS: Mapping[str, Format] = {
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
