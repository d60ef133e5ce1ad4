"""The converters that make TensorFlow Lite models, each in a process of its own."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.export.tflite.converter_process import ConversionRequest, ConversionResult

_PROGRAM = "runtime.export.tflite.converter_process"


class ModelConverter(NamedTuple):
    """A converter.

    Attributes:
        package: the package that it is.
        extra: the extra of this project that installs it.
    """

    package: str
    extra: str

    @property
    def is_installed(self) -> bool:
        """True if its package is installed."""
        return importlib.util.find_spec(self.package) is not None


CONVERTERS: Mapping[str, ModelConverter] = MappingProxyType(
    {
        "litert": ModelConverter("litert_converter", "tflite"),
        "tensorflow": ModelConverter("tensorflow", "tensorflow"),
    }
)
"""The converters by name, the preferred one first."""


def chosen_converter(name: str | None) -> str:
    """Return the name of a converter that is installed: the given one, or the preferred one.

    Raises:
        ArgumentValueError: there is no such converter.
        UnimplementedError: its package is not installed.
    """
    if name is None:
        found = next((name for name, each in CONVERTERS.items() if each.is_installed), None)
        if found is not None:
            return found
        name = "litert"
    if name not in CONVERTERS:
        known = " or ".join(map(repr, CONVERTERS))
        raise ArgumentValueError(f"converter must be {known}, not {name!r}")
    if not CONVERTERS[name].is_installed:
        raise UnimplementedError(
            f"a TensorFlow Lite model needs the package {CONVERTERS[name].package}: "
            f"pip install 'autograph-py[{CONVERTERS[name].extra}]'"
        )
    return name


def converted(
    request: ConversionRequest, refused: Callable[[ConversionResult], UnimplementedError]
) -> bytes:
    """Return the model that a converter makes of a program.

    Args:
        request: the program.
        refused: returns the error for an answer without a model.

    Raises:
        UnimplementedError: the converter refuses the program, or its process ends.
    """
    answer = _answer(request)
    if "model" not in answer:
        raise refused(answer)
    return base64.b64decode(answer["model"])


def _answer(request: ConversionRequest) -> ConversionResult:
    path = os.pathsep.join([each or os.getcwd() for each in sys.path])
    done = subprocess.run(
        [sys.executable, "-m", _PROGRAM],
        input=json.dumps(request).encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    if done.returncode or not done.stdout:
        return ConversionResult(
            error=f"its process ended without an answer (status {done.returncode})"
        )
    found: ConversionResult = json.loads(done.stdout)
    return found
