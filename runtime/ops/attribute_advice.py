"""Advice on attributes of arrays, variables and strings that tensors lack."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import DTypeError, MissingMethodError, NoArrayError

assigned_item = lazy_import("runtime.diagnostics.operand_names:assigned_item")
with_name = lazy_import("runtime.diagnostics.operand_names:with_name")
with_arguments = lazy_import("runtime.diagnostics.operand_names:with_arguments")

INSTEAD = {
    "all": "rt.reduce_all(x)",
    "any": "rt.reduce_any(x)",
    "argmax": "rt.argmax(x)",
    "argmin": "rt.argmin(x)",
    "argsort": "rt.argsort(x)",
    "astype": "rt.cast(x, dtype)",
    "at": "rt.set_item(x, index, value), or x[index] = value in an ag.function",
    "backward": "tape.gradient(x, variables), and compute x in `with rt.GradientTape() as tape:`",
    "clip": "rt.clip_by_value(x, low, high)",
    "clone": "x, since a tensor never changes",
    "compress": "rt.boolean_mask(x, condition)",
    **dict.fromkeys(("conj", "conjugate"), "rt.math.conj(x)"),
    "copy": "rt.identity(x)",
    "cpu": "x.numpy(), or x itself",
    "cuda": "x itself, in `with rt.device(name):`",
    "cumprod": "rt.math.cumprod(x)",
    "cumsum": "rt.cumsum(x)",
    "detach": "rt.stop_gradient(x)",
    "diagonal": "rt.linalg.diag_part(x)",
    "dim": "rt.rank(x)",
    "dot": "x @ y",
    "expand": "rt.broadcast_to(x, shape)",
    "fill": "rt.fill(rt.shape(x), value)",
    "flat": "rt.reshape(x, [-1])",
    "flatten": "rt.reshape(x, [-1])",
    "float": "rt.cast(x, rt.float32)",
    "grad": "tape.gradient(loss, x)",
    "imag": "np.imag(x)",
    "item": "float(x) or int(x)",
    "itemsize": "x.dtype.size",
    "long": "rt.cast(x, rt.int64)",
    "max": "rt.reduce_max(x)",
    "mean": "rt.reduce_mean(x)",
    "min": "rt.reduce_min(x)",
    "nbytes": "rt.size(x) * x.dtype.size",
    "nonzero": "rt.where(x)",
    "permute": "rt.transpose(x, axes)",
    "prod": "rt.reduce_prod(x)",
    "ravel": "rt.reshape(x, [-1])",
    "real": "np.real(x)",
    "repeat": "rt.repeat(x, n)",
    "requires_grad": "tape.watch(x), in `with rt.GradientTape() as tape:`",
    "reshape": "rt.reshape(x, shape)",
    "round": "rt.round(x)",
    "searchsorted": "rt.searchsorted(x, values)",
    "sort": "rt.sort(x)",
    "squeeze": "rt.squeeze(x)",
    "std": "rt.math.reduce_std(x)",
    "sum": "rt.reduce_sum(x)",
    "swapaxes": "rt.transpose(x, axes)",
    "take": "rt.gather(x, indices)",
    "to": "rt.cast(x, dtype), or x itself for a device",
    "tolist": "x.numpy().tolist() of the result",
    "trace": "rt.linalg.trace(x)",
    "transpose": "rt.transpose(x)",
    "unsqueeze": "rt.expand_dims(x, axis)",
    "var": "rt.math.reduce_variance(x)",
    "view": "rt.reshape(x, shape)",
}

INSTEAD_FOR_STRINGS = {
    "count": "rt.size(rt.strings.split(x, part)) - 1",
    "decode": "x.numpy().decode() of the result",
    "encode": "x: a string tensor holds bytes",
    "endswith": 'rt.strings.regex_full_match(x, "(?s).*end")',
    "format": "rt.strings.format(template, inputs)",
    "isdigit": 'rt.strings.regex_full_match(x, "[0-9]+")',
    "join": "rt.strings.join(strings, separator)",
    "lower": "rt.strings.lower(x)",
    "lstrip": 'rt.strings.regex_replace(x, r"^\\s+", "")',
    "replace": "rt.strings.regex_replace(x, pattern, rewrite)",
    "rstrip": 'rt.strings.regex_replace(x, r"\\s+$", "")',
    "split": "rt.strings.split(x, sep)",
    "startswith": 'rt.strings.regex_full_match(x, "(?s)begin.*")',
    "strip": "rt.strings.strip(x)",
    "upper": "rt.strings.upper(x)",
}
# Attributes of NumPy's arrays, for which the advice is the array of the tensor.
OF_ARRAYS = frozenset(name for name in dir(np.ndarray) if not name.startswith("_"))
# Methods of Python strings, for which the advice is a Python function.
_OF_STRINGS = [name for name in dir(str) if not name.startswith("_")]

# Methods of which the advice takes other arguments.
_OF_OTHER_ARGUMENTS = frozenset("diagonal round swapaxes to trace".split())

_OF_VARIABLES = ("assign", "assign_add", "assign_sub")


def attribute_of(tensor: Any, attribute: str) -> Any:
    """Return an attribute that only some tensors have, such as `assign` of the slice `v[1:3]`.

    Raises:
        AttributeError: the error of `refuse_attribute`.
    """
    if attribute == "assign":
        try:
            place = object.__getattribute__(tensor, "_place")
        except AttributeError:
            pass
        else:
            return place.assign
    refuse_attribute(tensor, attribute)


class AttributeAdvice:
    """A descriptor for an attribute that eager tensors lack; its error names the code to write.

    A `__getattr__` could raise the error too, but would slow down every attribute access.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, tensor: Any, owner: type) -> Any:
        if tensor is None:
            raise AttributeError(f"type object {owner.__name__!r} has no attribute {self._name!r}")
        if sys._getframe(1).f_globals.get("__name__", "").startswith("numpy."):
            raise AttributeError(self._name)  # np.sum asks arrays for their own `sum`
        return attribute_of(tensor, self._name)


_NAMES = {*INSTEAD, *_OF_VARIABLES, *_OF_STRINGS, *OF_ARRAYS} - set(dir(EagerTensor))
MISSING = {name: AttributeAdvice(name) for name in _NAMES}


def dir_of(tensor: Any) -> list[str]:
    """Return the names of the attributes that a tensor has."""
    return [name for name in object.__dir__(tensor) if name not in MISSING]


def refuse_assignment(tensor: Any, key: object, value: object) -> NoReturn:
    """Raise the error for an assignment of an item of an eager tensor.

    Raises:
        DTypeError: always, since a tensor never changes; the message says what to write.
    """
    place, index, new = assigned_item() or ("x", "index", "value")
    raise DTypeError(
        f"{type(tensor).__name__!r} object does not support item assignment, since a tensor never "
        f"changes: write {place} = rt.set_item({place}, {index}, {new}), or use an rt.Variable"
    )


def refuse_deletion(tensor: Any, key: object) -> NoReturn:
    """Raise the error for a deletion of an item; DTypeError always."""
    raise DTypeError(
        f"{type(tensor).__name__!r} object does not support item deletion, since a tensor keeps "
        "its shape: write x = rt.concat([x[:i], x[i + 1 :]], 0) to leave row i out"
    )


def refuse_attribute(tensor: Any, attribute: str) -> NoReturn:
    """Raise the error for an attribute that tensors do not have.

    Raises:
        MissingMethodError: an array, variable or string has the attribute; the message says what to
            write.
        NoArrayError: the attribute is `numpy`, and the tensor has no value yet.
        AttributeError: Python's own error, for any other attribute.
    """
    if attribute == "numpy" and isinstance(tensor, SymbolicTensor):
        # An AttributeError, so that `hasattr` is False.
        raise NoArrayError(
            f".numpy() was called on {tensor}, but while tracing it has no value yet: use "
            f"{with_name(tensor, 'rt.print(x)', attribute)}, or return it and look outside",
            caller_origin(),
        )
    words = f"{type(tensor).__name__!r} object has no attribute {attribute!r}"
    # The size is an attribute if it is known.
    instead = "rt.size(x)" if attribute == "size" else INSTEAD.get(attribute)
    if instead is None and attribute in OF_ARRAYS:
        call = "()" if callable(getattr(np.ndarray, attribute)) else ""
        instead = f"x.numpy().{attribute}{call}, outside of graphs"
    if attribute in _OF_VARIABLES:
        instead = f"v.{attribute}(...) on each path; where two paths join, a variable is its value"
    if attribute in _OF_STRINGS and tensor.dtype.is_string:
        over_python = f"x.numpy().decode().{attribute}(...), outside of graphs"
        instead = INSTEAD_FOR_STRINGS.get(attribute, over_python)
    if instead is None:
        raise AttributeError(words)
    filled = with_name if attribute in _OF_OTHER_ARGUMENTS else with_arguments
    advice = filled(tensor, instead, attribute)
    raise MissingMethodError(f"{words}: write {advice}", caller_origin())


_OF_EACH_ELEMENT = {
    "float": "rt.cast(x, rt.float32)",
    "format": "np.round(x, 2)",
    "int": "rt.cast(x, rt.int32)",
    "round": "rt.round(x)",
}


def not_one_element(tensor: Any, what: str) -> str:
    """Return the message for a tensor of several elements where Python takes one.

    Args:
        what: the function that takes it, or the kind of value that it makes.

    >>> from runtime.ops.constant import constant
    >>> not_one_element(constant([1.0, 2.0]), "round")
    'round takes one element, and x has shape (2,): write rt.round(x)'
    """
    told = with_name(tensor, f"{what} takes one element, and x has shape ", what)
    instead = _OF_EACH_ELEMENT.get("format" if what.startswith("the format ") else what)
    advice = "" if instead is None else f": write {with_name(tensor, instead, what)}"
    return f"{told}{tensor.shape}{advice}"
