"""The recording state: whether the running code is part of a graph."""

from __future__ import annotations

from autograph.backends.protocol import Backends


class RecordingState:
    """Tells whether a `match`, `try` or comprehension may get values that only a run knows.

    An `if` or `while` is staged because of its test. These have none: tensors may be anywhere in
    them, so they take the staged form once a graph has any inputs or nodes.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends

    def staging(self, *values: object) -> bool:
        """Return whether a backend owns one of the values, or has recorded anything so far."""
        if self._backends.recorder() is None:
            return False
        if self._backends.of_any(values) is not None:
            return True
        each = self._backends.recording()
        return each is not None and each.staging()
