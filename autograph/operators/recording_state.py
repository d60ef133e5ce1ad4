"""The recording state: whether the running code is part of a graph."""

from __future__ import annotations

from autograph.backends.protocol import Backends


class RecordingState:
    """Tells whether a statement may meet values that only a run knows.

    The test of an `if` or `while` decides. A `match` or `try` has none: tensors may be anywhere in
    it, so the form that can be staged is taken once a graph holds anything at all.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends

    def staging(self, *values: object) -> bool:
        """Return whether a backend owns one of the values, or has recorded anything so far."""
        if self._backends.recorder() is None:
            return False
        if self._backends.of_any(values) is not None:
            return True
        return any(each.active() and each.staging() for each in self._backends.backends)
