"""Classes of layers and models by their names, for configs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from runtime.core.argument_checks import by_names, plain_text
from runtime.nn import layers
from runtime.nn.custom_objects import CustomObjectError, known_object

# Models, which are imported when a config first names one, and the name they have in this package.
_MODELS = {"Functional": "Model", "Model": "Model", "Sequential": "Sequential"}


def class_named(name: str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the class of layers or models that has a name: given, registered or of the library.

    Raises:
        ArgumentValueError: there is none.

    >>> class_named("Sequential").__name__, class_named("Functional").__name__
    ('Sequential', 'Model')
    """
    plain_text(name, "the name of a class")
    given = by_names(custom_objects, "custom_objects")
    found = given[name] if name in given else known_object(name)
    if hasattr(found, "from_config"):
        return found
    if name in _MODELS:
        return getattr(sys.modules[__package__], _MODELS[name])
    namespace: ModuleType = layers
    found = getattr(namespace, name, None)
    if isinstance(found, type) and issubclass(found, layers.Layer):
        return found
    raise CustomObjectError(
        f"there is no layer {name!r}: give its class, custom_objects={{{name!r}: ...}}, or put "
        "@keras.saving.register_keras_serializable() in front of it"
    )
