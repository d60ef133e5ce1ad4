"""`getattr` and `hasattr` of attributes that are there on some paths of staged code only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.maybe import Maybe
from autograph.backends.protocol import Backends, on_missing


def answer_when_missing(backends: Backends, answers: dict[Any, Callable[..., object]]) -> None:
    """Let calls of `getattr` and `hasattr` be answered here once an attribute may be missing.

    Until then Python answers, without a frame of ours.
    """

    def found(*args: Any) -> object:
        value = getattr(*args)
        if type(value) is not Maybe:
            return value
        backend = backends.of(value.defined)
        if len(args) < 3 or backend is None:
            return value.read()
        return backend.builtin("getattr", (value, args[2]), {})

    def has(owner: object, name: str) -> object:
        value = getattr(owner, name, None)
        return value.defined if type(value) is Maybe else hasattr(owner, name)

    on_missing(lambda: answers.update({getattr: found, hasattr: has}))
