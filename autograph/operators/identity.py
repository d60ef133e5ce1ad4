"""`a is b` where one of them may be None only on some paths."""

from __future__ import annotations

from autograph.backends.maybe import Maybe
from autograph.backends.protocol import Backends


class Identity:
    """Python's `is`, but for values of which a backend knows more.

    >>> Identity(Backends(())).same(None, None)
    True
    """

    def __init__(self, backends: Backends) -> None:
        self._of, self._recording = backends.of, backends.recording

    def same(self, left: object, right: object) -> object:
        """Return `left is right`."""
        if type(left) is Maybe:
            left = left.read()
        if type(right) is Maybe:
            right = right.read()
        if left is right:
            return True
        if left is None or right is None:
            backend = self._of(left) or self._of(right)
        else:
            backend = self._recording()
        return False if backend is None else backend.same(left, right)

    def differ(self, left: object, right: object) -> object:
        """Return `left is not right`."""
        same = self.same(left, right)
        if same is True or same is False:
            return not same
        backend = self._of(same)
        return not same if backend is None else backend.logical_not(same)
