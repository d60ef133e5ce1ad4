"""Ops without a form in ONNX, with the reasons."""

from __future__ import annotations

from types import MappingProxyType

UNSUPPORTED = MappingProxyType(
    {
        "try_except": "nothing in a model catches an error",
    }
)
