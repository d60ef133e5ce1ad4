"""`x[i] = v` as generated code calls it."""

from __future__ import annotations

from autograph.backends.protocol import Backend, Backends
from autograph.operators.tracebacks import drop_internal_frames


class Slices:
    """Item assignment that rebinds its variable, so that values without one can have it too."""

    def __init__(self, backends: Backends) -> None:
        self._owner, self._of_any = backends.owner, backends.of_any

    def is_rebound(self, target: object) -> bool:
        """Tell whether assigning an item of `target` means giving its variable another value."""
        return self._owner(target) is not None

    def set_item(self, value: object, target: object, index: object) -> object:
        """Do `target[index] = value` and return what the variable then holds.

        The value comes first because Python evaluates it first.
        """
        try:
            backend = self._owner(target) or self._picker(target, index)
            if backend is not None:
                return backend.set_item(target, index, value)
            target[index] = value  # type: ignore[index]
            return target
        except BaseException as error:
            drop_internal_frames(error)
            raise

    def _picker(self, target: object, index: object) -> Backend | None:
        """Return the backend that owns the index under which an item of a list is assigned."""
        if type(target) is not list:
            return None
        parts = (index.start, index.stop, index.step) if type(index) is slice else (index,)
        return self._of_any(parts)

    slice_ = staticmethod(slice)
