"""The object graph of a checkpoint: named children and their values.

Children are the items of lists, tuples and dicts, and the attributes of objects: of modules,
layers, optimizers, checkpoints and of a user's classes. Values are variables, and the state of
objects with `save()`, which returns numbers, texts and arrays in lists and dicts, and
`restore(state)`, such as iterators over datasets.

    class Clock:
        def save(self): return {"ticks": self.ticks}
        def restore(self, state): self.ticks = state["ticks"]
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.stored_attributes import stored_attributes
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.errors import ArgumentValueError
from runtime.state.variable import Variable

_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
_PLAIN = (str, bytes, int, float, complex, np.ndarray, np.generic, DType, TensorShape, TensorSpec)
# Objects of these modules hold no program state, except those in `_OURS`.
_LIBRARIES = frozenset((*sys.stdlib_module_names, "autograph", "numpy", "runtime"))
_OURS = (
    "runtime.state.asset",
    "runtime.state.generator",
    "runtime.state.tables",
    "runtime.nn",
    "runtime.train",
)
VALUE = "VARIABLE_VALUE"


@dataclass
class TrackedObject:
    """An object in the graph of a checkpoint.

    Attributes:
        path: the names on the first path found from the root.
        parts: the indices of its parts in the list of all objects, by their names.
    """

    value: Any
    path: tuple[str, ...]
    parts: dict[str, int] = field(default_factory=dict)

    @property
    def has_value(self) -> bool:
        """True if a checkpoint stores a value for the object itself."""
        return isinstance(self.value, Variable) or keeps_state(self.value)

    @property
    def key(self) -> str:
        """The key of the value in a file."""
        names = (name.replace(".", "..").replace("/", ".S") for name in self.path)
        return "/".join((*names, ".ATTRIBUTES", VALUE))


def objects_in(root: Mapping[str, Any]) -> list[TrackedObject]:
    """Return the reachable objects, nearest first; the root is the first.

    >>> found = objects_in({"steps": [Variable(1)], "name": "x"})
    >>> [each.key for each in found if each.has_value]
    ['steps/0/.ATTRIBUTES/VARIABLE_VALUE']
    """
    first = TrackedObject(root, ())
    found, places = [first], {id(root): 0}
    for each in found:
        for name, part in parts_of(each.value):
            if id(part) not in places:
                places[id(part)] = len(found)
                found.append(TrackedObject(part, (*each.path, name)))
            each.parts[name] = places[id(part)]
    return found


def parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and values of the parts of an object that may hold state."""
    if isinstance(value, Variable) or keeps_state(value):
        return
    for name, part in _all_parts(value):
        if is_tracked(part):
            yield name, part


def is_tracked(value: Any) -> bool:
    """Return whether a checkpoint tracks a value."""
    if value is None or isinstance(value, (*_CODE, *_PLAIN, Tensor)):
        return False
    if isinstance(value, (Variable, list, tuple, Mapping)) or keeps_state(value):
        return True
    if any(str(kind.__module__).startswith(_OURS) for kind in type(value).__mro__):
        return True
    module = str(type(value).__module__)
    return hasattr(value, "__dict__") and module.partition(".")[0] not in _LIBRARIES


def keeps_state(value: Any) -> bool:
    """Return whether an object has methods that save and restore its state."""
    kind = type(value)
    if isinstance(value, _CODE) or hasattr(kind, "checkpoint_parts"):
        return False
    return callable(getattr(kind, "save", None)) and callable(getattr(kind, "restore", None))


def _all_parts(value: Any) -> Iterator[tuple[str, Any]]:
    named = getattr(type(value), "checkpoint_parts", None)
    if named is not None:
        yield from named(value).items()
    elif isinstance(value, Mapping):
        yield from ((str(key), value[key]) for key in list(value))
    elif isinstance(value, (list, tuple)):
        yield from ((str(at), part) for at, part in enumerate(value))
    # A list of a user's class may have attributes, too.
    for name, part in list(stored_attributes(value).items() if named is None else ()):
        if not name.startswith("__"):
            yield name, part


def value_of(value: Any, arrays: dict[str, Array], key: str) -> Any:
    """Return the written form of an object that has a value: the arrays go into `arrays`."""
    if isinstance(value, Variable):
        arrays[key] = value._array
        return None
    return _written(value.save(), arrays, key)


def _written(state: Any, arrays: dict[str, Array], key: str) -> Any:
    if isinstance(state, dict):
        if not all(isinstance(name, str) for name in state):
            raise ArgumentValueError(
                f"'{key}': the keys of a state must be texts, not {list(state)}"
            )
        return {name: _written(part, arrays, f"{key}/{name}") for name, part in state.items()}
    if isinstance(state, (list, tuple)):
        return [_written(part, arrays, f"{key}/{at}") for at, part in enumerate(state)]
    if isinstance(state, bytes):
        return {"bytes:": base64.b64encode(state).decode()}
    if isinstance(state, (np.ndarray, np.generic, EagerTensor)):
        array = np.asarray(state._array if isinstance(state, EagerTensor) else state)
        as_dtype(array.dtype)
        arrays[key] = array
        return {"array:": key}
    if state is None or isinstance(state, (str, bool, int, float)):
        return state
    raise ArgumentValueError(
        f"'{key}': a state must be numbers, strings and arrays, not {type(state).__name__}"
    )


def state_of(written: Any, arrays: Mapping[str, Array]) -> Any:
    """Return the state that `value_of` has written."""
    if isinstance(written, list):
        return [state_of(part, arrays) for part in written]
    if not isinstance(written, dict):
        return written
    if list(written) == ["bytes:"]:
        return base64.b64decode(written["bytes:"])
    if list(written) == ["array:"]:
        return arrays[written["array:"]].copy()
    return {name: state_of(part, arrays) for name, part in written.items()}
