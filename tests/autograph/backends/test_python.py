"""Python's own backend has every method of the protocol, with the same parameters."""

from __future__ import annotations

import inspect

from autograph.backends.protocol import Backend
from autograph.backends.python import PythonBackend

METHODS = [name for name in vars(Backend) if name[0] != "_" and callable(getattr(Backend, name))]


def _parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_every_method_of_the_protocol_is_there_with_its_parameters() -> None:
    expected = {name: _parameters(getattr(Backend, name)) for name in METHODS}
    found = {name: _parameters(getattr(PythonBackend, name)) for name in METHODS}
    assert expected == found


def test_items_are_deleted_and_repeated_as_in_python() -> None:
    items = [1, 2]
    PythonBackend().delete_item(items, 0)
    assert [2] == items
    assert (3, 3) == PythonBackend().repeat((3,), 2)
