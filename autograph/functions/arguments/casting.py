"""Casts arguments to the specs of an existing trace or of an input signature."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from autograph.errors import SignatureError
from autograph.functions.arguments.copies import named_items, refill
from autograph.functions.arguments.key_relations import covers, spec_of
from autograph.functions.arguments.signature import endless
from autograph.functions.arguments.trace_key import CONTAINERS, UNREAD, Key, key_of, sharing_of
from runtime import nest
from runtime.core.dtypes import DType
from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.data.base_types import AnyDataset
from runtime.errors import ArgumentValueError, OpError, OutOfScopeError, with_article
from runtime.ops.constant import convert_to_tensor
from runtime.state.variable import Variable

_as_value = lazy_import("runtime.data.graph_inputs:as_value")
_element_of = lazy_import("runtime.data.graph_inputs:element_of")

_TYPED = (Tensor, Variable, np.ndarray, np.generic)


def _cast(array: np.ndarray, dtype: DType) -> np.ndarray:
    """Return an array in another dtype, by NumPy's casting rule "same_kind".

    Raises:
        ArgumentValueError: the dtype cannot represent a value.
        TypeError: the rule forbids the cast, as from a float to an int.
    """
    with np.errstate(over="ignore"):
        made = array.astype(dtype.np_dtype, casting="same_kind")
    if made.dtype.kind in "iu" and not np.array_equal(made, array):
        raise ArgumentValueError(f"{_first(array[made != array])} does not fit into {dtype.name}")
    if made.dtype.kind == "f":
        _refuse_overflow(array, made, dtype)
    return made


def _refuse_overflow(array: np.ndarray, made: np.ndarray, dtype: DType) -> None:
    lost = np.isinf(made) & ~np.isinf(array)
    if np.any(lost):
        raise ArgumentValueError(f"{_first(array[lost])} does not fit into {dtype.name}")


def _first(values: np.ndarray) -> object:
    return values.flat[0].item()


class CastRefusal(Protocol):
    """Makes the error for a value that does not fit."""

    def __call__(self, message: str) -> Exception: ...


class ArgumentCasting:
    """Casts the arguments of one call to a trace key.

    Args:
        function_name: the function called, for errors.
        refuse: the class of error to raise.
        casts: whether NumPy arrays and scalars may change dtype, as for an input signature. Python
            numbers and weak tensors always may; other tensors never do.

    Attributes:
        tensors: the tensors and variables so far, in the order of the key; datasets as tensors.
    """

    def __init__(self, function_name: str, refuse: CastRefusal, casts: bool) -> None:
        self.tensors: list[Tensor | Variable] = []
        self._objects: list[object] = []
        self._function_name = function_name
        self._refuse = refuse
        self._casts = casts

    @property
    def arrays(self) -> list[Any]:
        """The arrays of the eager tensors, and the variables."""
        given = (each for each in self.tensors if isinstance(each, (EagerTensor, Variable)))
        return [each if isinstance(each, Variable) else each._array for each in given]

    def note(self, value: object, path: str) -> None:
        """Record the mutable containers and variables in an argument, for `shared`."""
        try:
            key_of(value, [], self._objects)
        except RecursionError as error:
            raise endless({path: value}, error) from None
        except (SignatureError, OutOfScopeError):
            pass  # the fitting reports errors; a tensor of a graph is not a container

    @property
    def shared(self) -> Key:
        """The part of the call's key for objects that occur more than once."""
        return sharing_of(self._objects)

    def fit(self, value: Any, key: Key, path: str) -> Any:
        """Return `value` with tensors where `key` has them.

        Raises:
            Exception: the value does not fit the key: an error by `refuse`.
        """
        if key[0] == "tensor":
            return self._tensor(value, key, path)
        if key[0] == "variable":
            return self._variable(value, key, path)
        if key[0] == "dataset":
            return self._dataset(value, key, path)
        if key[0] in CONTAINERS:
            return self._container(value, key, path)
        if key != UNREAD and not self.is_same(value, key):
            raise self._refusal(path, f"is {value!r}, not the value it was traced with")
        return value

    def _tensor(self, value: Any, key: Key, path: str) -> Tensor:
        spec = spec_of(key)
        tensor = self._converted(value, spec.dtype, path)
        if tensor.dtype != spec.dtype:
            raise self._refusal(
                path,
                f"was expected to be {with_article(spec.dtype.name)} tensor but is "
                f"{with_article(tensor.dtype.name)} tensor: "
                f"write rt.cast({path}, rt.{spec.dtype.name})",
            )
        if not spec.shape.is_compatible_with(tensor.shape):
            raise self._refusal(
                path,
                f"was expected to have shape {spec.shape} but has shape {tensor.shape}: "
                "a size that varies is None in the TensorSpec",
            )
        self.tensors.append(tensor)
        return tensor

    def _dataset(self, value: Any, key: Key, path: str) -> AnyDataset:
        wanted = key[1].structure
        if not isinstance(value, AnyDataset):
            raise self._refusal(path, f"was expected to be a Dataset but is {value!r}")
        if _element_of(value) != key[1]:
            raise self._refusal(
                path,
                f"was expected to be a Dataset of {wanted} but is one of {value.element_spec}",
            )
        self.tensors.append(EagerTensor(_as_value(value)))
        return value

    def _variable(self, value: Any, key: Key, path: str) -> Variable:
        spec = spec_of(key)
        if not isinstance(value, Variable):
            raise self._refusal(path, f"was expected to be a Variable but is {value!r}")
        if value.dtype != spec.dtype:
            raise self._refusal(
                path,
                f"was expected to be {with_article(spec.dtype.name)} Variable but is "
                f"{with_article(value.dtype.name)} Variable",
            )
        if value.shape != spec.shape:
            raise self._refusal(
                path, f"was expected to have shape {spec.shape} but has shape {value.shape}"
            )
        if value.trainable is not key[3]:
            raise self._refusal(
                path, f"was expected to have trainable={key[3]} but has {value.trainable}"
            )
        self.tensors.append(value)
        return value

    def _converted(self, value: Any, dtype: DType, path: str) -> Tensor:
        try:
            if isinstance(value, SymbolicTensor) and value.weak:
                return convert_to_tensor(value, dtype=dtype)
            if isinstance(value, (Tensor, Variable)):
                return convert_to_tensor(value)
            if isinstance(value, _TYPED) and not self._casts:
                return convert_to_tensor(value)
            if isinstance(value, _TYPED):
                value = _cast(np.asarray(value), dtype)
            if dtype.is_floating and type(value) is float:
                with np.errstate(over="ignore"):
                    made = np.asarray(value, dtype.np_dtype)
                _refuse_overflow(np.asarray(value), made, dtype)
            return convert_to_tensor(value, dtype=dtype)
        except (OpError, TypeError, ValueError) as error:
            reason = str(error).splitlines()[0]
            what = f"{with_article(dtype.name)} tensor"
            raise self._refusal(path, f"cannot become {what}: {reason}") from None

    def _container(self, value: Any, key: Key, path: str) -> Any:
        self._check_container(value, key, path)
        names, items = named_items(value, key)
        parts = [
            self.fit(item, part, f"{path}/{name}")
            for name, item, part in zip(names, items, key[-1])
        ]
        return refill(value, key, names, parts)

    def _check_container(self, value: Any, key: Key, path: str) -> None:
        kind, wanted = key[0], key[1]
        if kind == "mapping":
            fits = isinstance(value, dict) and set(value) == set(wanted)
            described = f"a dict with the keys {', '.join(map(repr, wanted))}"
        elif kind == "registered":
            fits = nest.is_nested(value) and nest.form_of(value) == wanted
            described = "of the form it was traced with"
        elif kind == "record":
            fits, described = type(value) is wanted, with_article(wanted.__name__)
        else:
            fits = isinstance(value, wanted) and len(value) == len(key[-1])
            described = f"a {kind} of {len(key[-1])}"
        if not fits:
            raise self._refusal(path, f"is {value!r}, not {described}")

    def is_same(self, value: Any, key: Key) -> bool:
        """Return whether a value has the key of the traced Python value."""
        try:
            return covers(key, key_of(value, [], []))
        except OutOfScopeError:  # a tensor of the current graph
            return False

    def _refusal(self, path: str, problem: str) -> Exception:
        return self._refuse(f"{self._function_name}: {path!r} {problem}")
