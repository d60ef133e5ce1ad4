"""Calls, as generated code makes them: `ag__.converted_call(f, args, kwargs, fscope)`.

The result, the order of evaluation and the exceptions are those of `f(*args, **kwargs)`. What
differs is that a function of the user's runs in its converted form, however it is reached, and
that a builtin asked about a tensor is answered by the tensor's backend.

Every call of converted code pays for what is done here, so the usual cases come first and cost a
look-up by identity; between two frames of the user's stands one of ours.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any, Protocol

from autograph.backends.protocol import Backends
from autograph.operators.builtins import Answer, answers_of_builtins
from autograph.operators.introspection import Introspection
from autograph.operators.scope import FunctionScope
from autograph.options import STANDARD, ConversionOptions

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
ConvertedCall = Callable[[Any, Arguments, "Keywords | None", FunctionScope], object]


class Plan(Protocol):
    """How functions with a certain code object are called."""

    def instantiate(self, fn: FunctionType) -> Callable[..., object]:
        """Return what to call in place of `fn`."""


class Functions(Protocol):
    """The conversion of functions, as far as calls need it.

    Attributes:
        plans: by the identity of the code object, for calls with the standard options: None to
            call the function itself, else a plan. Filled as functions are met.
    """

    @property
    def plans(self) -> Mapping[int, Plan | None]: ...

    def plan(self, fn: FunctionType, options: ConversionOptions) -> Plan | None:
        """Decide how `fn` is called, converting it if need be."""

    def remember(self, code: CodeType, plan: Plan) -> None:
        """Call functions with this code in the given way from now on."""


@dataclass(frozen=True, slots=True)
class _Answered:
    """The plan of functions that are answered in place of being called."""

    answer: Callable[[FunctionType], Answer]

    def instantiate(self, fn: FunctionType) -> Callable[..., object]:
        answer = self.answer(fn)
        return lambda *args, **kwargs: answer(args, kwargs)


def calls_through(backends: Backends, functions: Functions) -> ConvertedCall:
    """Return the `converted_call` that takes its backends and conversions from these two."""
    introspection = Introspection()
    prepare = _preparation(functions, introspection)
    convert = functools.partial(_converted, prepare)
    converting = {**answers_of_builtins(backends, convert), **introspection.by_object}
    plain = {**answers_of_builtins(backends, _itself), **introspection.by_object}
    plans = functions.plans

    def converted_call(
        f: Any, args: Arguments, kwargs: Keywords | None, fscope: FunctionScope
    ) -> object:
        kind = type(f)
        options = fscope.options
        if kind is not FunctionType:
            if kind is MethodType:
                if type(f.__func__) is FunctionType:
                    args = (f.__self__, *args)
                    f = f.__func__
            elif kind is BuiltinFunctionType or kind is type:
                answer = (converting if options.recursive else plain).get(f)
                if answer is not None:
                    return answer(args, kwargs or {})
                return f(*args) if kwargs is None else f(*args, **kwargs)
            elif kind is functools.partial and _is_complete(f):
                merged = {**f.keywords, **(kwargs or {})}
                return converted_call(f.func, (*f.args, *args), merged or None, fscope)
            elif (method := method_called(f)) is not None:
                args = (f, *args)
                f = method
        if options.recursive and type(f) is FunctionType:
            plan = plans.get(id(f.__code__), _UNMET)
            if plan is not None:
                if plan is _UNMET or options.optional_features:
                    f = prepare(f, options.call_options())
                else:
                    f = plan.instantiate(f)
        return f(*args) if kwargs is None else f(*args, **kwargs)

    return converted_call


def method_called(value: object) -> FunctionType | None:
    """Return the Python function that runs when the object `value` is called, if one does.

    >>> class Doubler:
    ...     def __call__(self, x):
    ...         return 2 * x
    >>> method_called(Doubler()) is Doubler.__call__
    True
    """
    if isinstance(value, type):
        return None
    for kind in type(value).__mro__:
        if "__call__" in kind.__dict__:
            method = kind.__dict__["__call__"]
            return method if type(method) is FunctionType else None
    return None


_UNMET: Any = object()
_PLACEHOLDER = getattr(functools, "Placeholder", None)


def _is_complete(f: functools.partial[object]) -> bool:
    return _PLACEHOLDER is None or all(arg is not _PLACEHOLDER for arg in f.args)


Prepare = Callable[[FunctionType, ConversionOptions], Callable[..., object]]


def _preparation(functions: Functions, introspection: Introspection) -> Prepare:
    """Return what finds the callable to use for a function met for the first time."""

    def prepare(fn: FunctionType, options: ConversionOptions) -> Callable[..., object]:
        answer = introspection.by_name.get((fn.__module__, fn.__qualname__))
        if answer is not None:
            functions.remember(fn.__code__, _Answered(answer))
            return _Answered(answer).instantiate(fn)
        plan = functions.plan(fn, options)
        return fn if plan is None else plan.instantiate(fn)

    return prepare


def _converted(prepare: Prepare, value: object) -> object:
    """Return the converted form of a callable that a builtin is going to call."""
    if type(value) is FunctionType:
        return prepare(value, STANDARD)
    if type(value) is MethodType and type(value.__func__) is FunctionType:
        return MethodType(prepare(value.__func__, STANDARD), value.__self__)
    return value


def _itself(value: object) -> object:
    return value
