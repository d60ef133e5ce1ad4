"""Lookup of initializers by identifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.tensor import TensorLike
from runtime.nn.initializers.constants import Constant, Identity, Ones, Zeros
from runtime.nn.initializers.initializer import Initializer
from runtime.nn.initializers.random import (
    GlorotNormal,
    GlorotUniform,
    HeNormal,
    HeUniform,
    LecunNormal,
    LecunUniform,
    Orthogonal,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    VarianceScaling,
)
from runtime.nn.modules.names import snake_case
from runtime.nn.registry import Identifier, ObjectRegistry
from runtime.ops.convert import is_tensor_like

_KINDS: tuple[type[Initializer], ...] = (
    *(Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity, LecunNormal),
    *(LecunUniform, Ones, Orthogonal, RandomNormal, RandomUniform, TruncatedNormal),
    *(VarianceScaling, Zeros),
)
_CATALOGUE = ObjectRegistry(
    "initializer",
    Initializer,
    {
        **{kind.__name__: kind for kind in _KINDS},
        **{snake_case(kind.__name__): kind for kind in _KINDS},
        "IdentityInitializer": Identity,
        "normal": RandomNormal,
        "one": Ones,
        "uniform": RandomUniform,
        "zero": Zeros,
    },
)


def get(identifier: Identifier | TensorLike | None) -> Any:
    """Return the initializer of an identifier: a name, a class, an object or a tensor.

    >>> get("zeros")
    Zeros()
    """
    if is_tensor_like(identifier):
        return Constant(identifier)  # type: ignore[arg-type]
    return _CATALOGUE.get(identifier)


def serialize(initializer: Identifier) -> Any:
    """Return the name or config from which `get` makes the same initializer.

    >>> serialize(Zeros())
    {'class_name': 'Zeros', 'config': {}}
    """
    return _CATALOGUE.config_of(initializer)


def deserialize(
    config: Mapping[str, object], custom_objects: Mapping[str, Any] | None = None
) -> Any:
    """Return the initializer for a name or config from `serialize`.

    Args:
        custom_objects: more classes and functions by name.

    >>> deserialize({"class_name": "Ones", "config": {}})
    Ones()
    """
    known = _CATALOGUE.with_custom(custom_objects)
    return get(config) if known is _CATALOGUE else known.get(config)
