"""The converter: converts functions, for one set of backends.

    converter.to_graph(f)      the converted form of f
    converter.to_code(f)       its source
    @converter.convert()       a decorator; the function converts when it is first called

The argument may be a method, a partial or an object: they find the function in it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import CellType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from autograph.backends.protocol import Backends
from autograph.conversion.functions import FunctionConversions, Pipeline, is_generated
from autograph.conversion.included_modules import checked_include
from autograph.conversion.rules import SUSPENDING, Verdict, function_behind, is_staged, name_of
from autograph.conversion.special_methods import SpecialMethods
from autograph.conversion.to_code import code_text, compiled_text, convertible
from autograph.conversion.wrappers import (
    LazilyConverted,
    UnconvertedFunction,
    converting,
    exempting,
    wrapped_by,
)
from autograph.errors import AutographError, ConversionError
from autograph.features import Feature, feature_names
from autograph.operators.calls import CallOperators
from autograph.operators.debuggers import step_over_internals
from autograph.operators.vocabulary import Vocabulary
from autograph.options import STANDARD, ConversionOptions
from runtime.core.lazy_imports import lazy_import

if TYPE_CHECKING:
    from autograph.conversion.explain import Decision
    from autograph.conversion.explanation import Explanation

explanation_of = lazy_import("autograph.conversion.explain:explanation_of")

Features = Feature | Iterable[Feature] | None
F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")


class FunctionConverter:
    """Converts functions; generated code calls further functions through the same converter.

    Args:
        backends: the backends that execute statements on tensors.
        pipeline: converts the tree of a source.
        features: the optional features of all its conversions: an `ag.Feature`, or several.

    Attributes:
        vocabulary: the `ag__` of the generated code.
    """

    def __init__(self, backends: Backends, pipeline: Pipeline, features: Features = None) -> None:
        cell = CellType()
        self._features = features
        self._pipeline = pipeline
        self._functions = FunctionConversions(pipeline, cell)
        classes = SpecialMethods(self._functions)
        backends.on_new_type = classes.convert_methods
        self._calls = CallOperators(backends, self._functions, classes.convert_methods)
        self.vocabulary = Vocabulary(backends, self._calls)
        cell.cell_contents = self.vocabulary

    def to_graph(
        self,
        entity: Callable[P, R],
        recursive: bool = True,
        experimental_optional_features: Features = None,
        include: Iterable[str] = (),
        strict: bool = False,
    ) -> Callable[P, R]:
        """Return the converted form of `entity`.

        Args:
            entity: a function, lambda, method, partial, callable object or Function.
            recursive: whether the functions it calls are converted as well.
            include: names of modules and packages, of the standard library or installed, whose
                functions are converted when called, as the user's own are.
            strict: whether it is an error if a part of `entity`, or of a function it calls, stays
                Python. Functions that a rule leaves unconverted are not checked.
            experimental_optional_features: an `ag.Feature`, or several.

        Raises:
            SourceError: the source of `entity` cannot be found.
            ConversionError: `entity` is not a Python function, or has a statement that cannot be
                converted; or a name in `include` is not that of a module; or, with `strict`, a part
                stays Python.

        >>> import autograph as ag, runtime as rt
        >>> def relu(x):
        ...     return x if x > 0 else 0 * x
        >>> int(ag.to_graph(relu)(rt.constant(-3)))
        0
        """
        features = experimental_optional_features
        return self._converted(entity, _requested(recursive, True, include, strict, features))

    def called(self, fn: Callable[..., Any], include: Iterable[str] = ()) -> Callable[..., Any]:
        """Return a function that calls `fn` as converted code does, for example a builtin.

        Args:
            fn: any callable.
            include: as in `to_graph`.
        """
        options = _requested(True, True, include, features=self._features)
        callee = self._calls.callee_under(options.call_options())

        def calling(*args: object, **kwargs: object) -> object:
            return callee(fn)(*args, **kwargs)

        return calling

    def to_stage(
        self, fn: Callable[..., Any], include: Iterable[str] = (), strict: bool = False
    ) -> Callable[..., Any]:
        """Return the function that a trace runs: the converted form of `fn`, or an exempt `fn`.

        Arguments and errors are those of `to_graph`.
        """
        if isinstance(wrapped_by(function_behind(fn)), UnconvertedFunction):
            return fn
        return self.to_graph(fn, include=include, strict=strict)

    def to_code(
        self,
        entity: Callable[..., Any],
        recursive: bool = True,
        experimental_optional_features: Features = None,
        include: Iterable[str] = (),
    ) -> str:
        """Return the source text of the converted form of `entity`; arguments as for `to_graph`.

        Raises:
            SourceError, ConversionError: as `to_graph`.

        >>> import autograph as ag
        >>> def relu(x):
        ...     if x > 0:
        ...         return x
        ...     return 0
        >>> "ag__.if_stmt" in ag.to_code(relu)
        True
        """
        features = experimental_optional_features
        options = _requested(recursive, True, include, features=features)
        return code_text(entity, options, self._pipeline)

    def compiled_code(self, entity: Callable[..., Any]) -> str:
        """Return the source of the compiled form of `entity`: its converted form, lowered.

        Its eager version has the user's own statements. In its traced version, Python executes a
        statement on Python values, and an operator one on tensors.
        """
        options = _requested(recursive=True, user_requested=True, include=())
        return compiled_text(entity, options, self._pipeline, self.vocabulary)

    @overload
    def convert(
        self,
        fn: F,
        *,
        recursive: bool = ...,
        user_requested: bool = ...,
        include: Iterable[str] = ...,
        strict: bool = ...,
    ) -> F: ...
    @overload
    def convert(
        self,
        fn: None = ...,
        *,
        recursive: bool = ...,
        user_requested: bool = ...,
        include: Iterable[str] = ...,
        strict: bool = ...,
    ) -> Callable[[F], F]: ...
    def convert(
        self,
        fn: Any = None,
        *,
        recursive: bool = True,
        user_requested: bool = True,
        include: Iterable[str] = (),
        strict: bool = False,
    ) -> Any:
        """Decorate a function to run in its converted form, `@convert` or `@convert(...)`.

        The function is converted when it is first called. To a caller it is the user's function:
        name, signature, documentation and errors are the same.

        Args:
            fn: the function when used without brackets.
            recursive: whether the functions it calls are converted as well.
            user_requested: whether it is converted even if a rule would leave it unconverted, as
                for code of an installed package.
            include: names of modules and packages whose functions are converted when called.
            strict: whether the first call raises a ConversionError if a part stays Python, as
                `to_graph` does.

        Raises:
            ConversionError: the decorated object is not a Python function, or a name in `include`
                is not that of a module.

        >>> import autograph as ag, runtime as rt
        >>> @ag.convert
        ... def relu(x):
        ...     return x if x > 0 else 0 * x
        >>> int(relu(rt.constant(3)))
        3
        """
        options = _requested(recursive, user_requested, include, strict, self._features)
        if fn is None:
            return lambda decorated: self._decorated(decorated, options)
        return self._decorated(fn, options)

    def callee(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """Return the replacement of a callable that code of a library calls."""
        options = _requested(True, True, (), features=self._features)
        return self._calls.callee_under(options.call_options())(fn)

    def convert_in_place(
        self, function: FunctionType, recursive: bool = True, include: Iterable[str] = ()
    ) -> None:
        """Give a function object its converted code, for the objects that hold the function.

        Raises:
            SourceError, ConversionError: as `to_graph`.
        """
        if is_generated(function):
            return
        options = _requested(recursive, True, include, features=self._features)
        made = self._functions.generated(function, options)
        if not made.fits(function):
            raise ConversionError(
                f"cannot convert {name_of(function)} in place: its code needs other variables"
            )
        function.__code__ = made.code

    def is_converted(self, fn: object) -> bool:
        """Return whether calling `fn` runs converted code."""
        function = function_behind(fn)
        wrapper = wrapped_by(function)
        return isinstance(wrapper, LazilyConverted) or is_generated(function)

    def conversion_reason(self, fn: object, include: Iterable[str] = ()) -> str:
        """Return a sentence about the treatment of `fn` in converted code, with the reason.

        >>> from autograph.conversion.convert import conversion_reason
        >>> conversion_reason(len)
        '`len` is left alone: it is not written in Python'
        """
        is_converted, reason = self._decision(fn, checked_include(include))
        return f"{name_of(fn)} is {'converted' if is_converted else 'left alone'}: {reason}"

    def explain(self, fn: object, include: Iterable[str] = ()) -> Explanation:
        """Explain line by line the parts of a function that are converted, or stay Python, and why.

        Args:
            fn: a function, lambda, method, partial, callable object or Function.
            include: names of modules and packages whose functions are converted when called.

        Returns:
            A value that prints itself: the source with the outcomes, and the functions it calls.
            Its `kept` are the parts that stay Python.

        Raises:
            ConversionError: `fn` cannot be called, or a name in `include` is not that of a module.
        """
        decide = functools.partial(self._decision, include=checked_include(include))
        return explanation_of(fn, decide, self._pipeline)

    def _decision(self, fn: object, include: tuple[str, ...]) -> Decision:
        """Return whether converted code that calls `fn` converts it, and why."""
        rule = self._functions.rule_for(fn, include)
        function = function_behind(fn)
        if rule.verdict is Verdict.CONVERT and function is not None:
            try:
                self._functions.generated(function, replace(STANDARD, include=include))
            except AutographError as error:
                return False, str(error)
        return rule.verdict is Verdict.CONVERT, rule.reason

    def _converted(self, fn: Any, options: ConversionOptions) -> Callable[..., Any]:
        """Convert the function inside `fn`, and wrap it in the same way."""
        step_over_internals()
        if is_staged(fn):
            return self._converted(fn.python_function, options)
        if isinstance(fn, functools.partial):
            return functools.partial(self._converted(fn.func, options), *fn.args, **fn.keywords)
        function = convertible(fn)
        rule = self._functions.rule_for(function, options.include)
        if options.user_requested or rule.verdict is Verdict.CONVERT:
            function = self._functions.converted(function, options)
        if isinstance(fn, MethodType):
            return MethodType(function, fn.__self__)
        if isinstance(fn, (FunctionType, staticmethod, classmethod)):
            return function
        return MethodType(function, fn)  # an object, whose `__call__` it is

    def _decorated(self, fn: Any, options: ConversionOptions) -> Any:
        step_over_internals()
        if isinstance(fn, (staticmethod, classmethod)):
            return type(fn)(self._decorated(fn.__func__, options))
        if isinstance(wrapped_by(fn), LazilyConverted) or is_staged(fn):
            return fn
        function = convertible(fn)
        if not isinstance(fn, FunctionType) or function.__code__.co_flags & SUSPENDING:
            # A placeholder would not be a coroutine function or generator, or a bound method.
            return self._converted(fn, options)
        convert = functools.partial(self._converted, options=options)
        return converting(function, convert)


@overload
def do_not_convert(func: F) -> F: ...
@overload
def do_not_convert(func: None = None) -> Callable[[F], F]: ...
def do_not_convert(func: Any = None) -> Any:
    """Decorate a function that is to run unconverted, `@do_not_convert` or `@do_not_convert()`.

    Functions it calls run unconverted, too, since only converted code converts its callees.

    Raises:
        ConversionError: the decorated object cannot be called, or is a class, whose methods can be
            decorated.

    >>> @do_not_convert
    ... def debug(x):
    ...     return f"{x}"
    >>> debug(3)
    '3'
    """
    if func is None:
        return do_not_convert
    if isinstance(func, (staticmethod, classmethod)):
        return type(func)(do_not_convert(func.__func__))
    if isinstance(func, type) or not callable(func):
        raise ConversionError(f"do_not_convert takes a function or method, not {name_of(func)}")
    return exempting(UnconvertedFunction(func))


def _requested(
    recursive: bool,
    user_requested: bool,
    include: Iterable[str],
    strict: bool = False,
    features: Features = None,
) -> ConversionOptions:
    return ConversionOptions(
        recursive=recursive,
        user_requested=user_requested,
        optional_features=feature_names(features),
        strict=bool(strict),
        include=checked_include(include),
    )
