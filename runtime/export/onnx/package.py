"""Imports of the optional packages onnx (the extra `onnx`) and onnxruntime."""

from __future__ import annotations

from typing import Any

from runtime.errors import UnimplementedError


def onnx_package() -> Any:
    """Return the package onnx, imported on first use.

    Raises:
        UnimplementedError: it is not installed.

    >>> onnx_package().__name__
    'onnx'
    """
    try:
        import onnx
    except ImportError:
        raise UnimplementedError(
            "write_onnx needs the package onnx: pip install 'autograph-py[onnx]'"
        ) from None
    return onnx


def onnxruntime_package() -> Any:
    """Return the package onnxruntime, or None if it is not installed."""
    try:
        import onnxruntime
    except ImportError:
        return None
    return onnxruntime
