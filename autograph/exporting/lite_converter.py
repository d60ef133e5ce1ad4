"""TensorFlow's converter to TensorFlow Lite models, under its names, and LiteRT's interpreter."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.errors import ExportError
from autograph.exporting.export import FunctionObject, export
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.saved_model.contents import DEFAULT
from autograph.saved_model.loading import load
from runtime.core.argument_checks import plain_text
from runtime.errors import UnimplementedError
from runtime.export.report import ExportReport


class TFLiteConverter:
    """Makes a TensorFlow Lite model of functions, a model or a SavedModel.

    Weights and inputs keep their dtypes: a model is not quantized here.

    Attributes:
        report: the report of the last `convert`; None before it.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> from autograph.compat import tensorflow as tf
        >>> double = ag.function(lambda x: 2.0 * x)
        >>> concrete = double.get_concrete_function(rt.TensorSpec((None,), rt.float32))
        >>> converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
        >>> try:
        ...     data = converter.convert()
        ... except rt.errors.UnimplementedError:
        ...     pass  # No converter is installed.
    """

    __slots__ = ("_signatures", "_what", "report")

    def __init__(self, what: Any, signatures: Mapping[str, Any] | None = None) -> None:
        object.__setattr__(self, "_what", what)
        object.__setattr__(self, "_signatures", signatures)
        object.__setattr__(self, "report", None)

    _signatures: Mapping[str, Any] | None
    _what: Any
    report: ExportReport | None

    @classmethod
    def from_concrete_functions(
        cls, funcs: Sequence[Any], trackable_obj: Any = None
    ) -> TFLiteConverter:
        """Return the converter of concrete functions; several become signatures by their names.

        Args:
            funcs: concrete functions.
            trackable_obj: an object with their variables; not needed here.

        Raises:
            ExportError: one is no concrete function, or two have the same name.
        """
        found: list[Any] = list(funcs) if isinstance(funcs, (list, tuple)) else [funcs]
        for each in found:
            if not isinstance(each, ConcreteFunction):
                raise ExportError(
                    f"from_concrete_functions takes concrete functions, not {each!r}: give "
                    "f.get_concrete_function(...)"
                )
        if len(found) == 1:
            return cls(FunctionObject(found[0]), {DEFAULT: found[0]})
        named = {each.name: each for each in found}
        if len(named) != len(found) or not found:
            raise ExportError("from_concrete_functions takes functions with different names")
        return cls(FunctionObject(*found), named)

    @classmethod
    def from_keras_model(cls, model: Any) -> TFLiteConverter:
        """Return the converter of a built model: its call without training."""
        return cls(model)

    @classmethod
    def from_saved_model(
        cls, saved_model_dir: Any, signature_keys: Any = None, tags: Any = None
    ) -> TFLiteConverter:
        """Return the converter of a SavedModel.

        Args:
            saved_model_dir: its folder.
            signature_keys: the names of the signatures; by default all of them.
            tags: accepted as in TensorFlow; without effect.

        Raises:
            ExportError: it has no such signature.
        """
        loaded = load(saved_model_dir)
        known = dict(loaded.signatures)
        names = [plain_text(each, "a signature key") for each in signature_keys or known]
        missing = [name for name in names if name not in known]
        if missing:
            listed = ", ".join(known) or "none"
            raise ExportError(f"the SavedModel has no signature {missing[0]!r}, only {listed}")
        return cls(loaded, {name: known[name] for name in names})

    def convert(self) -> bytes:
        """Return the bytes of the model.

        Raises:
            UnimplementedError: no converter is installed, or ops have no form in a model.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.tflite")
            report = export(self._what, path, "tflite", self._signatures)
            object.__setattr__(self, "report", report)
            with open(path, "rb") as file:
                return file.read()

    def __setattr__(self, name: str, value: Any) -> None:
        raise ExportError(
            f"a converter has no {name} here: for such options write a SavedModel by "
            "tf.saved_model.save, and give it to TensorFlow's own converter"
        )


def interpreter(*args: Any, **kwargs: Any) -> Any:
    """Return LiteRT's interpreter of a model; the arguments are those of `tf.lite.Interpreter`.

    Raises:
        UnimplementedError: LiteRT is not installed.

    Example:
        >>> from autograph.exporting.lite_converter import interpreter
        >>> try:
        ...     found = interpreter(model_content=b"")
        ... except (UnimplementedError, ValueError):
        ...     pass  # LiteRT is not installed, or refuses these bytes.
    """
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError:
        raise UnimplementedError(
            "tf.lite.Interpreter needs the package ai-edge-litert: "
            "pip install 'autograph-py[tflite]'"
        ) from None
    return Interpreter(*args, **kwargs)
