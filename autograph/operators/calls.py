"""Calls, as generated code makes them: `ag__.converted_call(f, args, kwargs, fscope)`.

The result, the order of evaluation and the exceptions are those of `f(*args, **kwargs)`, with two
differences: a user's function runs in its converted form, and the backend of a tensor
computes a builtin that gets the tensor.

Compiled code calls `callee(f)(*args, **kwargs)`: no frame of this package is between the caller and
`f`. Since every call runs `callee`, its common cases come first and take one look-up by identity.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Mapping
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Protocol

from autograph.backends.protocol import Backends
from autograph.operators.builtins import builtin_replacements
from autograph.operators.call_listeners import (
    CACHED_FUNCTION,
    LISTENERS,
    TRACE_INPUTS,
    check_use,
    notify_call,
    result_notified,
)
from autograph.operators.containers import getting, updating
from autograph.operators.frames import code_info_of
from autograph.operators.function_scope import FunctionScope
from autograph.operators.generators import GeneratorProperties
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
from autograph.operators.pure_python_functions import GETTERS, PurePythonFunctions
from autograph.operators.string_formatting import StringFormatting
from autograph.operators.tracebacks import drop_internal_frames
from autograph.operators.user_classes import mro_of, own_attributes
from autograph.options import TEXT_METHODS, ConversionOptions

if TYPE_CHECKING:
    from autograph.operators.generator_references import TailLines

Arguments = tuple[Any, ...]
Keywords = Mapping[str, Any]
Callee = Callable[[Any], Any]
ConvertMethods = Callable[[type, tuple[str, ...]], None]
MakeReplacement = Callable[[FunctionType], Callable[..., object]]
# The replacement of a function: the code and the defaults that it is valid for, then the converted
# form, or a function that makes the replacement for each call.
Replacement = tuple[CodeType | None, object, Callable[..., object] | None, MakeReplacement | None]


class CallPlan(Protocol):
    """The conversion of all functions with one code object."""

    def instantiate(self, fn: FunctionType) -> Callable[..., object]:
        """Return the replacement of `fn`."""


class CallPlanner(Protocol):
    """The conversion of functions, as far as calls need it."""

    def plans(self, options: ConversionOptions) -> Mapping[int, CallPlan | None]:
        """Return the plans so far, by the identity of the code object.

        None stands for calling the function itself.
        """

    def replacements(self, options: ConversionOptions) -> Mapping[int, Replacement]:
        """Return the replacements so far, by the identity of the function."""

    def plan(self, fn: FunctionType, options: ConversionOptions) -> CallPlan | None:
        """Return the plan for `fn`, converting it if need be; None to call `fn` itself."""

    def inverted(self, made: FunctionType) -> tuple[FunctionType, str] | None:
        """Return the form of a context manager's generator that calls the body at its `yield`.

        With it comes the name of the parameter that takes the body. None if the generator does not
        handle exceptions of the body, and needs no such form.
        """

    def consumer_form(
        self, made: FunctionType, returns: bool
    ) -> tuple[FunctionType, tuple[str, ...], GeneratorProperties] | None:
        """Return the form of a generator function that calls a consumer at each `yield`.

        With it come the names of the parameters that take an item, delegate to another iterable,
        and enter a context manager, and the properties of the generator. None if there is none.
        """

    def tails_of(self, code: CodeType, seen: dict[str, Any]) -> TailLines | None:
        """Return the tail positions of the user's function with a code and these globals."""

    def exit_of(self, fn: FunctionType) -> str:
        """Return the way in which the end of a `with` depends on a jump or an exception.

        "alike": it does the same as at the end of the body; "at the end": it acts only at the end
        of the body; "seen": it inspects the exception.

        Args:
            fn: the method `__exit__`, or the generator of a context manager.
        """

    def set_replacement(
        self, fn: FunctionType, make_replacement: MakeReplacement, options: ConversionOptions
    ) -> None:
        """Call `make_replacement(fn)` in place of `fn` from now on."""


class CallOperators:
    """Calls from converted code.

    Args:
        backends: the backends that may compute builtin functions.
        functions: the conversion of the user's functions.
        convert_methods: `convert_methods(kind, include)` converts the methods of a class that
            Python calls.
    """

    def __init__(
        self,
        backends: Backends,
        functions: CallPlanner,
        convert_methods: ConvertMethods = lambda *_: None,
    ) -> None:
        self._backends = backends
        self._convert_methods = convert_methods
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

    def inverted(self, generator: FunctionType) -> tuple[FunctionType, str] | None:
        """Return the inverted form of a context manager's generator, as in `CallPlanner`."""
        return self._functions.inverted(generator)

    def consumer_form(
        self, generator: FunctionType, returns: bool = False
    ) -> tuple[FunctionType, tuple[str, ...], GeneratorProperties] | None:
        """Return the form of a generator function that calls a consumer, as in `CallPlanner`."""
        return self._functions.consumer_form(generator, returns)

    def tails_of(self, code: CodeType, seen: dict[str, Any]) -> TailLines | None:
        """Return the tail positions of the user's function with a code and these globals.

        None if the source is not available.
        """
        return self._functions.tails_of(code, seen)

    def exit_of(self, fn: FunctionType) -> str:
        """Return how the end of a `with` depends on an exception; see `CallPlanner`."""
        return self._functions.exit_of(fn)

    def _replacement(self, made: Any) -> Any:
        """Return the replacement of a converted function in the current trace."""
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
        by_object = self._introspection.by_object
        pure_python = PurePythonFunctions(self._backends, lambda f: callee(f))
        convert = self._conversion(options, pure_python.by_name) if recursive else _itself
        compiled = pure_python.function_for if recursive else _itself
        descriptors = MethodDescriptors(self._backends, lambda f: callee(f))
        plans, replacements = self._functions.plans(options), self._functions.replacements(options)
        known_classes, convert_methods = self._class_conversion(options)
        texts = StringFormatting(self._backends)
        method_of_text = texts.method_of_text
        numpy_callee, numpy_replacement = self._numpy.callee, self._numpy.answer
        around, backend_of, operand_of = (
            self._replacement,
            self._backends.of,
            self._backends.operand,
        )

        def replacement_of(made: Any) -> Any:
            if TRACE_INPUTS and type(made) is FunctionType and code_info_of(made.__code__) is None:
                return _checked(made, self._backends, around)
            return around(made)

        def function_for(f: FunctionType) -> Callable[..., object]:
            plan = plans.get(id(f.__code__), _UNKNOWN)
            if plan is None:
                return replacement_of(f)
            return replacement_of(convert(f) if plan is _UNKNOWN else plan.instantiate(f))

        def of_builtin(f: BuiltinFunctionType) -> Callable[..., Any]:
            owner: Any = f.__self__
            if type(owner) is dict and f.__name__ == "update":
                return updating(f, self._backends)
            if type(owner) is dict and f.__name__ == "get":
                return getting(f, self._backends)
            if f.__name__ in TAKING_TENSORS and _is_list_or_tuple(owner):
                return list_methods.method(f)
            if f.__name__ in _EXTENDING and type(owner) is deque:
                return extending(f, self._backends)
            if type(owner) in WITH_METHODS:
                return numpy_replacement(f)
            if f in by_object:
                return by_object[f](f)
            made = builtins.get(f) or compiled(f)
            return _checked(f, self._backends) if TRACE_INPUTS and made is f else made

        def method_when_called(
            f: BuiltinFunctionType, method: Callable[..., Any]
        ) -> Callable[..., Any]:
            """Return a method of a container; the arguments may have left it to the graph.

            Python reads `c.insert` before it computes `c.pop() if x > 1 else 2`.
            """

            def call(*args: Any, **kwargs: Any) -> Any:
                owner = operand_of(f.__self__)
                now = method if owner is f.__self__ else callee(getattr(owner, f.__name__))
                try:
                    return now(*args, **kwargs)
                except BaseException as error:
                    drop_internal_frames(error)  # a `with` around may be Python's own
                    raise

            return call

        def callee(f: Any) -> Any:
            if LISTENERS:
                notify_call(f)
            kind = type(f)
            if kind is FunctionType:
                known = replacements.get(id(f))
                if known is not None:
                    code, defaults, made, make_replacement = known
                    if make_replacement is not None:
                        return make_replacement(f)
                    if code is f.__code__ and defaults is f.__defaults__:
                        return replacement_of(made)
                # The same as `function_for(f)`, inlined for speed.
                plan = plans.get(id(f.__code__), _UNKNOWN)
                if plan is None:
                    return replacement_of(f)
                return replacement_of(convert(f) if plan is _UNKNOWN else plan.instantiate(f))
            if kind is type:
                if id(f) not in known_classes:
                    convert_methods(f)
                if TRACE_INPUTS and f not in builtins:
                    return _checked(f, self._backends)
                return builtins.get(f, f)
            if kind is MethodType:
                function = f.__func__
                if type(function) is not FunctionType:
                    return numpy_callee(f)
                found = callee(function)
                if found is not function:
                    f = MethodType(found, f.__self__)
                if function.__name__ in TEXT_METHODS:
                    return texts.joining(f)
                if found is not function:
                    return f
                if f.__name__ not in _ITERATING_METHODS or backend_of(f.__self__) is None:
                    return f
                is_sort = f.__name__ == "sort"
                return (
                    converting_key(f, converted_argument)
                    if is_sort
                    else extending(f, self._backends)
                )
            if kind is BuiltinFunctionType:
                if type(f.__self__) is str:
                    return method_of_text(f)
                if not isinstance(f.__self__, _MUTABLE_TYPES):
                    return of_builtin(f)
                owner = operand_of(f.__self__)
                if owner is not f.__self__:
                    return callee(getattr(owner, f.__name__))
                return method_when_called(f, of_builtin(f))
            if issubclass(kind, type):
                convert_methods(f)
                making = _call_of(kind)
                return f if making is None else MethodType(function_for(making), f)
            if kind in DESCRIPTOR_KINDS:
                return descriptors.callee(f)
            backend = backend_of(f)
            if backend is not None:
                return backend.call("callable_of", (f, callee), {})
            if kind is functools.partial and _is_complete(f):
                function = callee(f.func)
                if function is f.func:
                    return f
                return functools.partial(function, *f.args, **f.keywords)
            if kind is CACHED_FUNCTION and LISTENERS:
                return result_notified(f)
            if kind in GETTERS and recursive:
                f = pure_python.getter_for(f)
            method = None if kind in WITH_CALLS else method_called(f)
            if method is None:
                return numpy_callee(f)
            function = function_for(method)
            return f if function is method else MethodType(function, f)

        def converted_argument(value: object) -> object:
            is_known = type(value) in _CALLABLE_TYPES or method_called(value) is not None
            return callee(value) if is_known else value

        builtins = builtin_replacements(
            self._backends, converted_argument if recursive else _itself
        )
        list_methods = ListMethods(self._backends, builtins[sorted])
        staged = not PRINTING.isdisjoint(options.optional_features)
        builtins.update((each, numpy_replacement(each)) for each in BY_OBJECT)
        builtins[print] = texts.printing(print, staged)
        return callee

    def _class_conversion(
        self, options: ConversionOptions
    ) -> tuple[Mapping[int, object], Callable[[type], object]]:
        """Return the classes whose methods are converted, by identity, and the converter of one."""
        if not options.internal_convert_user_code:
            return {}, lambda kind: None
        if options.include:
            return {}, lambda kind: self._convert_methods(kind, options.include)
        return self._backends.by_type, self._backends.register_type

    def _conversion(
        self, options: ConversionOptions, library: Mapping[tuple[str, str], Any]
    ) -> Callable[[FunctionType], Callable[..., object]]:
        """Return a function that finds the replacement of a callable at its first call."""
        functions, by_name = self._functions, {**self._introspection.by_name, **library}

        def convert(fn: FunctionType) -> Callable[..., object]:
            answer = by_name.get((fn.__module__, fn.__qualname__))
            if answer is not None:
                functions.set_replacement(fn, answer, options)
                return answer(fn)
            if is_numpys(fn):
                functions.set_replacement(fn, self._numpy.answer, options)
                return self._numpy.answer(fn)
            try:
                plan = functions.plan(fn, options)
            except RecursionError:
                return fn  # the stack is nearly full; a later call converts it
            return fn if plan is None else plan.instantiate(fn)

        return convert


def _itself(value: Any) -> Any:
    return value


def _checked(function: Any, backends: Backends, of_ours: Callee = _itself) -> Any:
    """Return an unconverted function or class with a check of its arguments.

    A call is refused if it would see containers whose contents only the graph has.

    Args:
        function: the function or class.
        backends: the possible owners of the arguments.
        of_ours: returns the replacement of a function of this library, which needs no check.
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
                    raise backend.refusal(
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
    """Return the `__call__` of a class, if it is a Python function."""
    for each in mro_of(kind):
        attributes = own_attributes(each)
        if "__call__" in attributes:
            method = attributes["__call__"]
            return method if type(method) is FunctionType else None
    return None


# The features with which `print` of a tensor is staged.
PRINTING = frozenset({"ALL", "BUILTIN_FUNCTIONS"})
_UNKNOWN: Any = object()
# Containers that may have a stand-in by now: its method replaces a bound method taken before.
_MUTABLE_TYPES = (list, dict, deque)
# Methods of a stand-in for a list that take a function, or an iterable of a backend.
_EXTENDING = ("extend", "extendleft")
_ITERATING_METHODS = ("sort", *_EXTENDING)
_CALLABLE_TYPES = (FunctionType, MethodType, BuiltinFunctionType, type, functools.partial, *GETTERS)
_PLACEHOLDER = getattr(functools, "Placeholder", None)


def _is_list_or_tuple(value: object) -> bool:
    return type(value) is list or issubclass(type(value), tuple)


def _is_complete(f: functools.partial[object]) -> bool:
    return _PLACEHOLDER is None or all(arg is not _PLACEHOLDER for arg in f.args)
