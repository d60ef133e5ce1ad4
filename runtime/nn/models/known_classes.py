"""Classes of layers and models by their names, for configs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn import layers
from runtime.settings import by_names

# Classes of the user's, by the names that configs call them by.
_KNOWN: dict[str, Any] = {}
# Models, which are imported when a config first names one, and the name they have in this package.
_MODELS = {"Functional": "Model", "Model": "Model", "Sequential": "Sequential"}


def register_keras_serializable(package: str = "Custom", name: str | None = None) -> Any:
    """Decorate a class of layers so that `from_config` and `model_from_json` know it by its name.

    >>> @register_keras_serializable()
    ... class ExampleOfLayers(layers.Layer): ...
    >>> class_named("ExampleOfLayers") is ExampleOfLayers
    True
    """

    def registered(kind: Any) -> Any:
        called = name or kind.__name__
        _KNOWN.update(dict.fromkeys((called, f"{package}>{called}"), kind))
        return kind

    return registered


@contextmanager
def custom_object_scope(custom_objects: Mapping[str, Any]) -> Iterator[None]:
    """Let configs know classes by these names, too, inside of a `with`.

    >>> class ExampleInAScope(layers.Layer): ...
    >>> with custom_object_scope({"Example": ExampleInAScope}):
    ...     class_named("Example") is ExampleInAScope
    True
    """
    given = dict(by_names(custom_objects, "custom_objects"))
    before = {name: _KNOWN[name] for name in given if name in _KNOWN}
    _KNOWN.update(given)
    try:
        yield
    finally:
        for name in given:
            _KNOWN.pop(name, None)
        _KNOWN.update(before)


def class_named(name: str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the class of layers or models that has a name: given, registered or of the library.

    Raises:
        ArgumentValueError: there is none.

    >>> class_named("Sequential").__name__, class_named("Functional").__name__
    ('Sequential', 'Model')
    """
    for known in (by_names(custom_objects, "custom_objects"), _KNOWN):
        if name in known:
            return known[name]
    if name in _MODELS:
        return getattr(sys.modules[__package__], _MODELS[name])
    namespace: ModuleType = layers
    found = getattr(namespace, name, None)
    if isinstance(found, type):
        return found
    raise ArgumentValueError(
        f"there is no layer {name!r}: give its class, custom_objects={{{name!r}: ...}}"
    )
