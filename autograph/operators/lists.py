"""`l.append(x)` and `l.pop()` as generated code calls them."""

from __future__ import annotations

from collections.abc import Callable


class Lists:
    """List methods; objects of other types get an ordinary converted call of their method."""

    def __init__(self, call_method: Callable[..., object]) -> None:
        self._call_method = call_method

    def list_append(self, target: object, item: object) -> object:
        """Do `target.append(item)` and return what that returns."""
        if type(target) is list:
            return target.append(item)  # type: ignore[func-returns-value]
        return self._call_method(target.append, item)  # type: ignore[attr-defined]

    def list_pop(self, target: object, *index: object) -> object:
        """Do `target.pop(*index)` and return what that returns."""
        if type(target) is list:
            return target.pop(*index)  # type: ignore[arg-type]
        return self._call_method(target.pop, *index)  # type: ignore[attr-defined]
