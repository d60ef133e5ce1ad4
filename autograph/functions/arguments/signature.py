"""Signatures of Python functions, and arguments bound in their order.

`f(x)`, `f(x, 1)`, `f(x, y=1)` and `f(y=1, x=x)` are the same call of `def f(x, y=1)`: binding gives
one value per parameter, in source order, and the same tuple for all four.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from inspect import Parameter, Signature
from keyword import iskeyword
from types import FunctionType
from typing import Any

from autograph.errors import SignatureError
from autograph.functions.arguments.key_relations import keys_of, without_values
from autograph.functions.arguments.trace_key import Arrays, Key, MutableDefault, Objects
from autograph.functions.effect_analysis.parameter_uses import (
    changes_parameter,
    read_locals,
    unread_parameters,
)
from runtime.core.fork_safety import cached_property
from runtime.core.lazy_imports import lazy_import, loaded_classes
from runtime.core.nesting_depth import depth_error
from runtime.errors import ArgumentValueError

did_you_mean = lazy_import("runtime.core.name_suggestions:did_you_mean")

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_CHANGEABLE = (list, dict, set, deque)
_ANYTHING = Signature(
    [Parameter("args", Parameter.VAR_POSITIONAL), Parameter("kwargs", Parameter.VAR_KEYWORD)]
)


class CallSignature:
    """The signature of one Python function.

    Args:
        name: the function's name, for errors.
        signature: its parameters, without a bound `self`.
        function: the function itself, if its code may be inspected.

    Attributes:
        parameters: the parameters, in order.
        plain: the number of positional arguments that need no binding; -1 if some parameter is of
            another kind.
    """

    def __init__(
        self, name: str, signature: Signature, function: Callable[..., object] | None = None
    ) -> None:
        self.name = name
        self.function = function
        self.signature = signature
        self.parameters = tuple(signature.parameters.values())
        is_plain = all(p.kind in _POSITIONAL for p in self.parameters)
        self.plain = len(self.parameters) if is_plain else -1
        self._binder: Callable[..., tuple[object, ...]] | None = None

    @staticmethod
    def of(function: Callable[..., object], name: str) -> CallSignature:
        """Return the signature of a callable; one without a signature takes `*args, **kwargs`."""
        try:
            return CallSignature(name, inspect.signature(function, follow_wrapped=False), function)
        except (TypeError, ValueError):
            return CallSignature(name, _ANYTHING)

    def without_first(self) -> CallSignature:
        """Return the signature without its first parameter (`self`)."""
        if not self.parameters or self.parameters[0].kind not in _POSITIONAL:
            return self
        rest = self.signature.replace(parameters=self.parameters[1:])
        return CallSignature(self.name, rest, self.function)

    @cached_property
    def unread(self) -> frozenset[int]:
        """The positions of the parameters that the function never reads."""
        if all(map(_used_locals(self.function).__contains__, self._names())):
            return frozenset()  # most functions
        names = unread_parameters(self.function)
        return frozenset(at for at, each in enumerate(self.parameters) if each.name in names)

    def _names(self) -> list[str]:
        return [each.name for each in self.parameters]

    def bind(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> tuple[object, ...]:
        """Return one value per parameter; a tuple for `*args`, and a dict for `**kwargs`.

        Raises:
            SignatureError: Python would not accept these arguments.
        """
        if not kwargs and len(args) == self.plain:
            return args
        if self._binder is None:
            defaults = [default_of(self.function, each) for each in self.parameters]
            self._binder = _binder_of(self.parameters, defaults)
        try:
            return self._binder(*args, **kwargs)
        except TypeError:
            pass  # `_bind_slowly` raises an error that names the function
        return self._bind_slowly(args, kwargs)

    def call_arguments(
        self, values: tuple[object, ...]
    ) -> tuple[tuple[object, ...], dict[str, object]]:
        """Return the `args` and `kwargs` of a Python call with bound values."""
        args: list[object] = []
        kwargs: dict[str, object] = {}
        for parameter, value in zip(self.parameters, values):
            if type(value) is MutableDefault:
                value = value.value
            if parameter.kind is Parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            elif parameter.kind is Parameter.VAR_POSITIONAL:
                args.extend(value)  # type: ignore[arg-type]
            elif parameter.kind is Parameter.VAR_KEYWORD:
                kwargs.update(value)  # type: ignore[call-overload]
            else:
                args.append(value)
        return tuple(args), kwargs

    def named(self, values: tuple[object, ...]) -> Iterator[tuple[Parameter, object]]:
        """Pair every parameter with its bound value."""
        return zip(self.parameters, values)

    def bind_specs(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> tuple[Any, ...]:
        """Bind with specs in place of symbolic tensors.

        Raises:
            SignatureError: Python would not accept these arguments, or one contains itself or nests
                too deep.
        """
        values = self.bind(args, kwargs)
        try:
            return tuple(map(without_values, values))
        except ArgumentValueError as error:
            raise self._endless(values, error) from None

    def keys_of(self, values: tuple[Any, ...], arrays: Arrays, objects: Objects) -> tuple[Key, ...]:
        """Return the keys of bound values, by `key_relations.keys_of`.

        Raises:
            SignatureError: one of them contains itself or nests too deep.
        """
        try:
            return keys_of(values, self.unread, arrays, objects)
        except RecursionError as error:
            raise self._endless(values, error) from None

    def _endless(self, values: tuple[object, ...], error: Exception) -> Exception:
        return endless({each.name: value for each, value in self.named(values)}, error)

    def _bind_slowly(
        self, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> tuple[object, ...]:
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            instead = self._keyword_meant(kwargs) if "unexpected keyword" in str(error) else ""
            if "too many positional" in str(error):
                instead = f", {len(args)} are given{self._self_advice()}"
            raise SignatureError(f"{self.name}{self.signature}: {error}{instead}") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _self_advice(self) -> str:
        """Return advice for a method without `self`, whose first parameter is the object."""
        code = getattr(self.function, "__code__", None)
        names = () if code is None else code.co_varnames[: code.co_argcount]
        if not names or names[0] in ("self", "cls", *self._names()):
            return ""
        return f": {names[0]} is the object, so write def {self.name}(self, {names[0]})"

    def _keyword_meant(self, kwargs: Mapping[str, object]) -> str:
        known = self.signature.parameters
        return str(did_you_mean(next(each for each in kwargs if each not in known), known))


def endless(arguments: Mapping[str, object], error: Exception) -> Exception:
    """Return the error for arguments one of which contains itself or nests too deep.

    Args:
        arguments: the arguments by the names of the parameters.
        error: the error of the traversal, which is returned if no argument explains it.

    >>> loop = []
    >>> loop.append(loop)
    >>> endless({"x": 1, "rows": loop}, RecursionError())
    SignatureError("the argument 'rows' holds itself (a list), so that it has no end: ...")
    """
    for name, value in arguments.items():
        what = f"the argument {name!r}"
        refused: Exception = depth_error(value, what, error, SignatureError, attributes=True)
        if refused is not error:
            return refused
    return error


def _used_locals(function: object) -> Set[object]:
    """Return the names of the local variables that the code of a function reads or deletes."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return frozenset() if code is None else read_locals(code).union(code.co_cellvars)


def _binder_of(
    parameters: Sequence[Parameter], defaults: Sequence[Any]
) -> Callable[..., tuple[object, ...]]:
    """Return a function with the same parameters that returns their values: a call of it binds."""
    names = [parameter.name for parameter in parameters]
    if not all(name.isidentifier() and not iskeyword(name) for name in names):
        return _refusing
    # Annotations and defaults are left out, since they may be any objects.
    bare = [p.replace(annotation=Parameter.empty, default=_nothing(p)) for p in parameters]
    written = str(Signature(bare))
    binder: Any = eval(f"lambda {written[1:-1]}: ({''.join(f'{name}, ' for name in names)})")
    given = [pair for pair in zip(parameters, defaults) if pair[0].default is not Parameter.empty]
    binder.__defaults__ = tuple(default for p, default in given if p.kind in _POSITIONAL)
    binder.__kwdefaults__ = {
        p.name: default for p, default in given if p.kind is Parameter.KEYWORD_ONLY
    }
    return binder


def _nothing(parameter: Parameter) -> object:
    return Parameter.empty if parameter.default is Parameter.empty else None


def _refusing(*args: object, **kwargs: object) -> tuple[object, ...]:
    raise TypeError("parameters without names that can be written")


def default_of(function: Callable[..., object] | None, parameter: Parameter) -> Any:
    """Return the default of a parameter; a `MutableDefault` if the function changes it.

    >>> def count(n=[0], m=[0]):
    ...     n[0] += m[0]
    >>> import inspect
    >>> n, m = inspect.signature(count).parameters.values()
    >>> type(default_of(count, n)).__name__, default_of(count, m)
    ('MutableDefault', [0])
    """
    inner: Any = getattr(function, "__func__", function)
    default = parameter.default
    if not isinstance(inner, FunctionType):
        return default
    if isinstance(default, loaded_classes("runtime.state.tensor_array:TensorArray")):
        return MutableDefault(default)  # each method changes it
    if type(default) not in _CHANGEABLE:
        return default
    return MutableDefault(default) if changes_parameter(inner, parameter.name) else default
