"""Input signatures, `function(input_signature=[...])`: one trace for all calls."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter
from types import FunctionType
from typing import Any

from autograph.errors import SignatureError
from autograph.functions.arguments.casting import ArgumentCasting
from autograph.functions.arguments.key_relations import specs_to_tensors
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.trace_key import Key, key_of
from runtime import nest
from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.data.element_spec import DatasetSpec


class InputSignature:
    """Specs for the leading parameters of a function; the others keep their defaults.

    Args:
        specs: a list or tuple, one (possibly nested) TensorSpec per parameter.
        signature: the function's parameters, without a bound `self`.

    Attributes:
        keys: the trace key of every parameter.
        values: the spec of each parameter, or its default.

    Raises:
        SignatureError: when specs and parameters do not match.
    """

    def __init__(self, specs: Sequence[Any], signature: CallSignature) -> None:
        self._signature = signature
        self.values = tuple(_values(tuple(specs), signature))
        self.keys: tuple[Key, ...] = tuple(
            specs_to_tensors(key_of(value, [], [])) for value in self.values
        )

    def fit(self, values: tuple[object, ...]) -> tuple[tuple[object, ...], ArgumentCasting]:
        """Cast bound arguments to the specs.

        Raises:
            SignatureError: an argument does not fit; it names the parameter.
        """
        casting = ArgumentCasting(self._signature.name, SignatureError, casts=True)
        fitted = tuple(
            casting.fit(value, key, parameter.name)
            for (parameter, value), key in zip(self._signature.named(values), self.keys)
        )
        return fitted, casting


def checked_specs(specs: object) -> tuple[Any, ...]:
    """Return the specs as a tuple.

    Raises:
        SignatureError: they are no list or tuple of specs.
    """
    if not isinstance(specs, (list, tuple)):
        raise SignatureError(
            f"input_signature must be a list or tuple of TensorSpecs, not {specs!r}; "
            "put it in a list"
        )
    for leaf in nest.flatten(list(specs)):
        if not isinstance(leaf, (TensorSpec, DatasetSpec)):
            advice = f": write rt.TensorSpec(shape, {leaf!r})" if isinstance(leaf, DType) else ""
            raise SignatureError(
                f"input_signature holds {leaf!r}, which is not a TensorSpec{advice}"
            )
    return tuple(specs)


def _values(specs: tuple[Any, ...], signature: CallSignature) -> list[object]:
    values: list[object] = []
    rest = list(specs)
    for parameter in signature.parameters:
        if parameter.kind is Parameter.VAR_POSITIONAL:
            values.append(tuple(rest))
            rest.clear()
        elif parameter.kind is Parameter.VAR_KEYWORD:
            values.append({})
        elif rest and parameter.kind is not Parameter.KEYWORD_ONLY:
            values.append(rest.pop(0))
        else:
            values.append(_default(parameter, signature))
    if rest:
        raise SignatureError(
            f"input_signature has {len(rest)} spec(s) more than {signature.name} has parameters"
        )
    return values


def _default(parameter: Parameter, signature: CallSignature) -> object:
    if parameter.default is Parameter.empty:
        raise SignatureError(
            f"input_signature has no spec for {parameter.name!r} of {signature.name}; "
            "add one, or give the parameter a default"
        )
    return parameter.default


def fixed_trace(
    specs: tuple[Any, ...] | None, signature: CallSignature, python_function: Any
) -> InputSignature | None:
    """Return the input signature; None without specs, or for a method that is not bound yet."""
    if specs is None or (_is_in_class(python_function) and _fits(specs, signature.without_first())):
        return None
    return InputSignature(specs, signature)


def _is_in_class(python_function: Any) -> bool:
    if not isinstance(python_function, FunctionType):
        return False
    scope = python_function.__qualname__.rpartition(".")[0]
    return scope != "" and not scope.endswith("<locals>")


def _fits(specs: tuple[Any, ...], signature: CallSignature) -> bool:
    try:
        InputSignature(specs, signature)
    except SignatureError:
        return False
    return True
