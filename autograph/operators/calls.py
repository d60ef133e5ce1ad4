"""Calls, as generated code makes them: `ag__.converted_call(f, args, kwargs, fscope)`.

The result, the order of evaluation and the exceptions are those of `f(*args, **kwargs)`. What
differs is that a function of the user's runs in its converted form, however it is reached, and
that a builtin asked about a tensor is answered by the tensor's backend.

Compiled code says `callee(f)(*args, **kwargs)`, so that the call is its own. Every call pays for
what `callee` does: the usual cases come first and cost a look-up by identity.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any, Protocol

from autograph.backends.protocol import Backends
from autograph.operators.builtins import answers_of_builtins
from autograph.operators.introspection import Introspection
from autograph.operators.kinds import mro_of, own_attributes
from autograph.operators.scope import FunctionScope
from autograph.options import ConversionOptions

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
Callee = Callable[[Any], Any]


class Plan(Protocol):
    """How functions with a certain code object are called."""

    def instantiate(self, fn: FunctionType) -> Callable[..., object]:
        """Return what to call in place of `fn`."""


class Functions(Protocol):
    """The conversion of functions, as far as calls need it."""

    def plans(self, options: ConversionOptions) -> Mapping[int, Plan | None]:
        """Return a table, filled as functions are met, by the identity of the code object: None
        to call the function itself, else a plan.
        """

    def plan(self, fn: FunctionType, options: ConversionOptions) -> Plan | None:
        """Decide how `fn` is called, converting it if need be."""

    def remember(self, code: CodeType, plan: Plan, options: ConversionOptions) -> None:
        """Call functions with this code in the given way from now on."""


@dataclass(frozen=True, slots=True)
class _Answered:
    """The plan of functions that are answered in place of being called."""

    instantiate: Callable[[FunctionType], Callable[..., object]]


class Calls:
    """How converted code calls.

    Args:
        backends: who answers for builtin functions.
        functions: the conversion of the user's.
    """

    def __init__(self, backends: Backends, functions: Functions) -> None:
        self._backends = backends
        self._functions = functions
        self._introspection = Introspection()
        self._callees: dict[ConversionOptions, Callee] = {}

    def converted_call(
        self, f: Any, args: Arguments, kwargs: Keywords | None, fscope: FunctionScope
    ) -> object:
        """Return `f(*args, **kwargs)`, with `f` converted."""
        callee = self.callee_under(fscope.options.call_options())(f)
        return callee(*args) if kwargs is None else callee(*args, **kwargs)

    def callee_under(self, options: ConversionOptions) -> Callee:
        """Return what takes a callable to what is called in its place.

        Args:
            options: those of the functions that are reached.
        """
        known = self._callees.get(options)
        if known is None:
            known = self._callees[options] = self._make_callee(options)
        return known

    def _make_callee(self, options: ConversionOptions) -> Callee:
        recursive = options.internal_convert_user_code
        looking = self._introspection.by_object
        convert = self._conversion(options) if recursive else None
        plans = self._functions.plans(options)
        met, meet = self._backends.by_type, self._backends.meet

        def function_for(f: FunctionType) -> Callable[..., object]:
            plan = plans.get(id(f.__code__), _UNMET)
            if plan is None or convert is None:
                return f
            return convert(f) if plan is _UNMET else plan.instantiate(f)

        def callee(f: Any) -> Any:
            kind = type(f)
            if kind is FunctionType:
                # As `function_for`, written out for speed.
                plan = plans.get(id(f.__code__), _UNMET)
                if plan is None or convert is None:
                    return f
                return convert(f) if plan is _UNMET else plan.instantiate(f)
            if kind is type:
                if id(f) not in met:
                    meet(f)
                return answers.get(f, f)
            if kind is MethodType:
                if type(f.__func__) is not FunctionType:
                    return f
                function = function_for(f.__func__)
                return f if function is f.__func__ else MethodType(function, f.__self__)
            if kind is BuiltinFunctionType:
                if f in looking:
                    return looking[f](f)
                return answers.get(f, f)
            if isinstance(f, type):
                meet(f)
                return f
            if kind is functools.partial and _is_complete(f):
                function = callee(f.func)
                if function is f.func:
                    return f
                return functools.partial(function, *f.args, **f.keywords)
            method = method_called(f)
            if method is None:
                return f
            function = function_for(method)
            return f if function is method else MethodType(function, f)

        def in_place_of(value: object) -> object:
            return callee(value) if type(value) in (FunctionType, MethodType) else value

        answers = answers_of_builtins(self._backends, in_place_of if recursive else _itself)
        return callee

    def _conversion(
        self, options: ConversionOptions
    ) -> Callable[[FunctionType], Callable[..., object]]:
        """Return what finds the callable to use for a function met for the first time."""
        functions, by_name = self._functions, self._introspection.by_name

        def convert(fn: FunctionType) -> Callable[..., object]:
            answer = by_name.get((fn.__module__, fn.__qualname__))
            if answer is not None:
                functions.remember(fn.__code__, _Answered(answer), options)
                return answer(fn)
            try:
                plan = functions.plan(fn, options)
            except RecursionError:
                return fn  # with hardly any stack left; it is decided when there is more
            return fn if plan is None else plan.instantiate(fn)

        return convert


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
    for kind in mro_of(type(value)):
        attributes = own_attributes(kind)
        if "__call__" in attributes:
            method = attributes["__call__"]
            return method if type(method) is FunctionType else None
    return None


_UNMET: Any = object()
_PLACEHOLDER = getattr(functools, "Placeholder", None)


def _is_complete(f: functools.partial[object]) -> bool:
    return _PLACEHOLDER is None or all(arg is not _PLACEHOLDER for arg in f.args)


def _itself(value: object) -> object:
    return value
