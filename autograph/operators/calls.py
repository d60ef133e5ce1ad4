"""Calls, as generated code makes them: `ag__.converted_call(f, args, kwargs, fscope)`.

The result, the order of evaluation and the exceptions are those of `f(*args, **kwargs)`. The
difference: a function of the user's runs in its converted form, however it is reached, and a
builtin with a tensor argument is computed by the tensor's backend.

Compiled code calls `callee(f)(*args, **kwargs)`, so that the call is its own. Every call pays for
`callee`: the usual cases come first and cost a look-up by identity.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Mapping
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Protocol

from autograph.backends.protocol import Backends
from autograph.operators.builtins import answers_of_builtins
from autograph.operators.call_listeners import LIFTED, LISTENERS, check_use, tell
from autograph.operators.containers import getting, updating
from autograph.operators.frames import part_of
from autograph.operators.function_scope import FunctionScope
from autograph.operators.generators import Traits
from autograph.operators.introspection import Introspection
from autograph.operators.lists import TAKING_TENSORS, ListMethods, converting_key, extending
from autograph.operators.method_descriptors import KINDS as DESCRIPTOR_KINDS
from autograph.operators.method_descriptors import MethodDescriptors
from autograph.operators.numpy_names import (
    BY_OBJECT,
    WITH_CALLS,
    WITH_METHODS,
    NumpyCalls,
    is_numpys,
)
from autograph.operators.pure_python_functions import PurePythonFunctions
from autograph.operators.string_formatting import Texts
from autograph.operators.user_classes import mro_of, own_attributes
from autograph.options import TEXT_METHODS, ConversionOptions

if TYPE_CHECKING:
    from autograph.operators.generator_holders import TailLines

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
Callee = Callable[[Any], Any]
Meet = Callable[[type, tuple[str, ...]], None]
Stand = Callable[[FunctionType], Callable[..., object]]
# The replacement of a function: the code and the defaults that it is for, then its converted form,
# or a function that makes it anew for every call.
Ready = tuple[CodeType | None, object, Callable[..., object] | None, Stand | None]


class CallPlan(Protocol):
    """The way to call functions with a certain code object."""

    def instantiate(self, fn: FunctionType) -> Callable[..., object]:
        """Return the replacement of `fn`."""


class Functions(Protocol):
    """The conversion of functions, as far as calls need it."""

    def plans(self, options: ConversionOptions) -> Mapping[int, CallPlan | None]:
        """Return a table, filled as functions are met, by the identity of the code object: None
        to call the function itself, else a plan.
        """

    def ready(self, options: ConversionOptions) -> Mapping[int, Ready]:
        """Return a table of replacements, by the identity of the function."""

    def plan(self, fn: FunctionType, options: ConversionOptions) -> CallPlan | None:
        """Return the way to call `fn`, converting it if need be."""

    def turned(self, made: FunctionType) -> tuple[FunctionType, str] | None:
        """Return the generator of a context manager turned inside out, and where it takes the body;
        None if it needs no such form.
        """

    def consuming(
        self, made: FunctionType, returns: bool
    ) -> tuple[FunctionType, tuple[str, ...], Traits] | None:
        """Return the form that hands over a generator's items, the parameters that take them and
        delegate to others, and what is known of it; None if there is no such form of it.
        """

    def tails_of(self, code: CodeType, seen: dict[str, Any]) -> TailLines | None:
        """Return the tail positions of the user's function with a code and these globals."""

    def exit_of(self, fn: FunctionType) -> str:
        """Return the kind of end of a `with` after a jump or an exception.

        The same as at the end of its body, "alike", nothing, "at the end", or it looks at it,
        "seen". `fn` is `__exit__`, or the generator of a context manager.
        """

    def keep(self, fn: FunctionType, stand: Stand, options: ConversionOptions) -> None:
        """Call `stand(fn)` in place of `fn` from now on."""


class Calls:
    """Calls from converted code.

    Args:
        backends: the backends that may compute builtin functions.
        functions: the conversion of the user's functions.
        meet: `meet(kind, include)` converts the methods of a class that Python calls.
    """

    def __init__(
        self, backends: Backends, functions: Functions, meet: Meet = lambda *_: None
    ) -> None:
        self._backends = backends
        self._meet = meet
        self._functions = functions
        self._introspection = Introspection(backends)
        self._numpy = NumpyCalls(backends)
        self._callees: dict[ConversionOptions, Callee] = {}

    def converted_call(
        self, f: Any, args: Arguments, kwargs: Keywords | None, fscope: FunctionScope
    ) -> object:
        """Return `f(*args, **kwargs)`, with `f` converted."""
        callee = self.callee_under(fscope.options.call_options())(f)
        return callee(*args) if kwargs is None else callee(*args, **kwargs)

    def turned(self, generator: FunctionType) -> tuple[FunctionType, str] | None:
        """Return the generator of a context manager turned inside out, and where it takes the body.

        None if it needs no such form.
        """
        return self._functions.turned(generator)

    def consuming(
        self, generator: FunctionType, returns: bool = False
    ) -> tuple[FunctionType, tuple[str, ...], Traits] | None:
        """Return the form that hands over a generator's items, the parameters that take them and
        delegate to others, and what is known of it; None if Python iterates over it.
        """
        return self._functions.consuming(generator, returns)

    def tails_of(self, code: CodeType, seen: dict[str, Any]) -> TailLines | None:
        """Return the tail positions of the user's function with a code and these globals.

        None if its source is not available.
        """
        return self._functions.tails_of(code, seen)

    def exit_of(self, fn: FunctionType) -> str:
        """Return the kind of end of a `with` after a jump or an exception."""
        return self._functions.exit_of(fn)

    def _around(self, made: Any) -> Any:
        """Return the replacement of a function."""
        if type(made) is FunctionType and made.__code__.co_flags & CO_GENERATOR:
            return self._backends.generator_replacement_of(made)
        return self._backends.replacement_of(made)

    def callee_under(self, options: ConversionOptions) -> Callee:
        """Return a function that maps a callable to its replacement.

        Args:
            options: the options for the functions that are reached.
        """
        known = self._callees.get(options)
        if known is None:
            known = self._callees[options] = self._make_callee(options)
        return known

    def _make_callee(self, options: ConversionOptions) -> Callee:
        recursive = options.internal_convert_user_code
        looking = self._introspection.by_object
        in_python = PurePythonFunctions(self._backends, lambda f: callee(f))
        convert = self._conversion(options, in_python.by_name) if recursive else _itself
        compiled = in_python.function_for if recursive else _itself
        descriptors = MethodDescriptors(self._backends, lambda f: callee(f))
        plans, ready = self._functions.plans(options), self._functions.ready(options)
        met, meet = self._classes_met(options)
        texts = Texts(self._backends)
        method_of_text = texts.method_of_text
        numpys, numpys_answer = self._numpy.callee, self._numpy.answer
        around, backend_of, met_as = self._around, self._backends.of, self._backends.operand

        def instead(made: Any) -> Any:
            if LIFTED and type(made) is FunctionType and part_of(made.__code__) is None:
                return _wary(made, self._backends, around)
            return around(made)

        def function_for(f: FunctionType) -> Callable[..., object]:
            plan = plans.get(id(f.__code__), _UNMET)
            if plan is None:
                return instead(f)
            return instead(convert(f) if plan is _UNMET else plan.instantiate(f))

        def callee(f: Any) -> Any:
            if LISTENERS:
                tell(f)
            kind = type(f)
            if kind is FunctionType:
                known = ready.get(id(f))
                if known is not None:
                    code, defaults, made, stand = known
                    if stand is not None:
                        return stand(f)
                    if code is f.__code__ and defaults is f.__defaults__:
                        return instead(made)
                # As `function_for`, written out for speed.
                plan = plans.get(id(f.__code__), _UNMET)
                if plan is None:
                    return instead(f)
                return instead(convert(f) if plan is _UNMET else plan.instantiate(f))
            if kind is type:
                if id(f) not in met:
                    meet(f)
                if LIFTED and f not in answers:
                    return _wary(f, self._backends)
                return answers.get(f, f)
            if kind is MethodType:
                function = f.__func__
                if type(function) is not FunctionType:
                    return numpys(f)
                found = callee(function)
                if found is not function:
                    f = MethodType(found, f.__self__)
                if function.__name__ in TEXT_METHODS:
                    return texts.joining(f)
                if found is not function:
                    return f
                if f.__name__ not in _GOING_OVER or backend_of(f.__self__) is None:
                    return f
                is_sort = f.__name__ == "sort"
                return converting_key(f, in_place_of) if is_sort else extending(f, self._backends)
            if kind is BuiltinFunctionType:
                if type(f.__self__) is str:
                    return method_of_text(f)
                if (
                    isinstance(f.__self__, _CHANGING)
                    and (owner := met_as(f.__self__)) is not f.__self__
                ):
                    return callee(getattr(owner, f.__name__))
                if type(f.__self__) is dict and f.__name__ == "update":
                    return updating(f, self._backends)
                if type(f.__self__) is dict and f.__name__ == "get":
                    return getting(f, self._backends)
                if f.__name__ in TAKING_TENSORS and _is_list_or_tuple(f.__self__):
                    return list_methods.method(f)
                if f.__name__ in _EXTENDING and type(f.__self__) is deque:
                    return extending(f, self._backends)
                if type(f.__self__) in WITH_METHODS:
                    return numpys_answer(f)
                if f in looking:
                    return looking[f](f)
                made = answers.get(f) or compiled(f)
                return _wary(f, self._backends) if LIFTED and made is f else made
            if issubclass(kind, type):
                meet(f)
                making = _call_of(kind)
                return f if making is None else MethodType(function_for(making), f)
            if kind in DESCRIPTOR_KINDS:
                return descriptors.callee(f)
            backend = backend_of(f)
            if backend is not None:
                return backend.callable_of(f, callee)
            if kind is functools.partial and _is_complete(f):
                function = callee(f.func)
                if function is f.func:
                    return f
                return functools.partial(function, *f.args, **f.keywords)
            method = None if kind in WITH_CALLS else method_called(f)
            if method is None:
                return numpys(f)
            function = function_for(method)
            return f if function is method else MethodType(function, f)

        def in_place_of(value: object) -> object:
            is_known = type(value) in _GIVEN or method_called(value) is not None
            return callee(value) if is_known else value

        answers = answers_of_builtins(self._backends, in_place_of if recursive else _itself)
        list_methods = ListMethods(self._backends, answers[sorted])
        staged = not PRINTING.isdisjoint(options.optional_features)
        answers.update((each, numpys_answer(each)) for each in BY_OBJECT)
        answers[print] = texts.printing(print, staged)
        return callee

    def _classes_met(
        self, options: ConversionOptions
    ) -> tuple[Mapping[int, object], Callable[[type], object]]:
        """Return the known classes, by identity, and the function that adds one."""
        if not options.internal_convert_user_code:
            return {}, lambda kind: None
        if options.include:
            return {}, lambda kind: self._meet(kind, options.include)
        return self._backends.by_type, self._backends.register_type

    def _conversion(
        self, options: ConversionOptions, library: Mapping[tuple[str, str], Any]
    ) -> Callable[[FunctionType], Callable[..., object]]:
        """Return a function that finds the replacement of a callable at its first call."""
        functions, by_name = self._functions, {**self._introspection.by_name, **library}

        def convert(fn: FunctionType) -> Callable[..., object]:
            answer = by_name.get((fn.__module__, fn.__qualname__))
            if answer is not None:
                functions.keep(fn, answer, options)
                return answer(fn)
            if is_numpys(fn):
                functions.keep(fn, self._numpy.answer, options)
                return self._numpy.answer(fn)
            try:
                plan = functions.plan(fn, options)
            except RecursionError:
                return fn  # the stack is nearly full; a later call decides
            return fn if plan is None else plan.instantiate(fn)

        return convert


def _itself(value: Any) -> Any:
    return value


def _wary(function: Any, backends: Backends, of_ours: Callee = _itself) -> Any:
    """Return a function that is not converted, with a check that refuses lists of the graph.

    Args:
        function: the function, or class.
        backends: find values of the graph.
        of_ours: returns the replacement of a function of the library.
    """
    if str(getattr(function, "__module__", "")).partition(".")[0] in ("runtime", "autograph"):
        return of_ours(function)

    def call(*args: Any, **kwargs: Any) -> object:
        check_use(function, (*args, *kwargs.values()))
        for each in (*args, *kwargs.values()):
            for part in each if type(each) is tuple else (each,):
                backend = None if backends.operand(part) is part else backends.of(part)
                if backend is not None:
                    name = getattr(function, "__qualname__", repr(function))
                    raise backend.refused_use(
                        f"{name}() is not converted, and would see one item in the place of those "
                        "that only the graph knows"
                    )
        return function(*args, **kwargs)

    return call


def method_called(value: object) -> FunctionType | None:
    """Return the Python function that runs when the object `value` is called, if there is one.

    >>> class Doubler:
    ...     def __call__(self, x):
    ...         return 2 * x
    >>> method_called(Doubler()) is Doubler.__call__
    True
    """
    return None if issubclass(type(value), type) else _call_of(type(value))


def _call_of(kind: type) -> FunctionType | None:
    """Return the callee of a call with an object of a class, if it is a Python function."""
    for each in mro_of(kind):
        attributes = own_attributes(each)
        if "__call__" in attributes:
            method = attributes["__call__"]
            return method if type(method) is FunctionType else None
    return None


# The features under which `print` of a tensor is a part of the program.
PRINTING = frozenset({"ALL", "BUILTIN_FUNCTIONS"})
_UNMET: Any = object()
# Types whose methods, passed to a builtin, may stand for something else: such a method may have
# been taken before the graph came to know the contents.
_CHANGING = (list, dict, deque)
# Methods of a stand-in for a list that take a function, or iterate where Python could not.
_EXTENDING = ("extend", "extendleft")
_GOING_OVER = ("sort", *_EXTENDING)
_GIVEN = (FunctionType, MethodType, BuiltinFunctionType, type, functools.partial)
_PLACEHOLDER = getattr(functools, "Placeholder", None)


def _is_list_or_tuple(value: object) -> bool:
    return type(value) is list or issubclass(type(value), tuple)


def _is_complete(f: functools.partial[object]) -> bool:
    return _PLACEHOLDER is None or all(arg is not _PLACEHOLDER for arg in f.args)
