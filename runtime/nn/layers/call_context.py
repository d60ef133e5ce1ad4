"""What a call of a layer knows of the calls around it: whether they train."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

_UNSAID = object()
# What the outermost call around says of training, and which layer that is a call of.
_AROUND: ContextVar[tuple[Any, Any]] = ContextVar("layer_call", default=(None, None))


class calling:
    """Make what a layer calls know whether it trains.

    Args:
        layer: what is called.
        training: True, False, a tensor, or None if the call does not say.
    """

    __slots__ = ("_layer", "_token", "_training", "is_outermost")

    def __init__(self, layer: Any, training: Any) -> None:
        self._layer, self._training = layer, training
        self.is_outermost = _AROUND.get()[0] is None

    def __enter__(self) -> calling:
        entry = self._layer if self.is_outermost else _AROUND.get()[0]
        self._token = _AROUND.set((entry, self._training))
        return self

    def __exit__(self, *exception: object) -> None:
        _AROUND.reset(self._token)


def training_around() -> Any:
    """Return what the calls around say of training, None if nothing."""
    return _AROUND.get()[1]
