"""Python state in checkpoints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from runtime.core.lazy_imports import own_names
from runtime.errors import DTypeError


class PythonState(ABC):
    """The base of classes that define their own checkpoint state.

    >>> class Note(PythonState):
    ...     text = "first"
    ...     def serialize(self):
    ...         return self.text
    ...     def deserialize(self, string_value):
    ...         self.text = string_value.decode()
    >>> note = Note()
    >>> state = note.save()
    >>> note.text = "second"
    >>> note.restore(state)
    >>> note.text
    'first'
    """

    @abstractmethod
    def serialize(self) -> str | bytes:
        """Return the state as text."""

    @abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Restore the state from its text."""

    def save(self) -> dict[str, Any]:
        """Return the text of `serialize` for a checkpoint; DTypeError if it is not text."""
        text = self.serialize()
        if not isinstance(text, (str, bytes)):
            raise DTypeError(f"serialize() of {type(self).__name__} returns {text!r}, not text")
        return {"text": text.encode() if isinstance(text, str) else text}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state from `save`; DTypeError for any other."""
        if not isinstance(state, dict) or "text" not in state:
            raise DTypeError(f"restore takes the result of save(), not {state!r}")
        self.deserialize(state["text"])


__dir__ = own_names(__name__)
