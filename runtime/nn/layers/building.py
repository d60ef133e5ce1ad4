"""What goes around the `build` of a layer, whoever calls it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from runtime.core.creation_hooks import lifted
from runtime.nn.modules import names


def building(build: Callable[..., None]) -> Callable[..., None]:
    """Return a `build` that makes weights outside of any graph and notes that they are made."""

    @wraps(build)
    def built(self: Any, *args: Any, **kwargs: Any) -> None:
        own = self._own
        if own.building:  # A subclass calls the one of its base.
            build(self, *args, **kwargs)
            return
        own.building = True
        own.path = names.scoped(self.name)
        try:
            with lifted(build, self), names.scope(self.name):
                build(self, *args, **kwargs)
        finally:
            own.building = False
        own.built = True
        own.build_shape = next(iter((*args, *kwargs.values())), None)

    return built
