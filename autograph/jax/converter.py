"""The converter for JAX programs: its generated code asks JAX's tracers, not those of `runtime`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

import jax
import jax.numpy as jnp

from autograph.backends.protocol import Backends
from autograph.conversion.converter import FunctionConverter
from autograph.conversion.explanation import Explanation
from autograph.conversion.rules import SUSPENDING, name_of
from autograph.conversion.wrappers import wrapped_by
from autograph.converters.lists import GrowingLists, Lists
from autograph.converters.pipeline import PIPELINE, convert_function
from autograph.errors import ConversionError
from autograph.features import Feature
from autograph.jax.aliases import Boundary
from autograph.jax.backend import JaxBackend
from autograph.jax.growing_lists import StackedList
from autograph.jax.heap import is_users_file
from autograph.jax.location import STACKS
from autograph.jax.loops.while_loops import MAXIMUM_ITERATIONS, count_of, refusal_of_count
from autograph.jax.optional_values import TracedOptional, refuse_optional_result, required
from autograph.jax.tracing_errors import error_of_tracing
from autograph.operators.calls import method_called
from autograph.operators.debuggers import step_over_internals

F = TypeVar("F", bound=Callable[..., Any])
# Packages whose functions call the functions that they are given.
_TRANSFORMING = frozenset(("jax", "equinox", "flax", "optax", "diffrax", "optimistix", "lineax"))
_FUNCTIONS = (FunctionType, MethodType, functools.partial)
_TRANSFORMED = (type(jax.jit(lambda: None)), jax.custom_jvp, jax.custom_vjp)
# The attributes of these that hold the functions of a derivative.
_RULES = ("jvp", "fwd", "bwd")


class _Backend(JaxBackend):
    """The backend, with the conversion of functions that JAX's transformations are given."""

    def owned_types(self) -> tuple[type, ...]:
        """Return the types that this backend owns: transformed functions, too."""
        return (*super().owned_types(), *_TRANSFORMED)

    def replacement_of(self, made: Any) -> Any:
        """Return a function of JAX that converts the functions among its arguments."""
        package = (getattr(made, "__module__", None) or "").partition(".")[0]
        return _taking_functions(made) if package in _TRANSFORMING else made

    def call(self, word: str, args: Any, kwargs: Any, again: Any = None) -> Any:
        """Record an operation; a transformed function converts the user's functions in it."""
        if word == "callable_of" and isinstance(args[0], _TRANSFORMED):
            if _function_within(args[0]) is None:
                return _taking_functions(args[0])
            for name in ("__wrapped__", *_RULES):
                function = _function_within(getattr(args[0], name, None))
                if function is not None:
                    _convert_in_place(function)
            return args[0]
        return super().call(word, args, kwargs, again)


# `print` is recorded, so that it prints when the program runs.
CONVERTER = FunctionConverter(
    Backends((_Backend(),)),
    functools.partial(
        convert_function,
        pipeline=[GrowingLists if each is Lists else each for each in PIPELINE],
    ),
    Feature.BUILTIN_FUNCTIONS,
)
CONVERTER.vocabulary.boundary = Boundary(step_over_internals)
# Any call, such as that of `jax.vmap(g)`, may start a trace, and its functions are converted.
CONVERTER.vocabulary.has_eager_versions = False
for _kind in (list, dict, TracedOptional):
    CONVERTER.vocabulary.backends.check_contents_of(_kind)  # Their uses, for aliases.


def _taking_functions(function: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        if function is jnp.stack and isinstance(args[0], StackedList) and len(args) == 1:
            axis = kwargs.get("axis", 0)
            return jnp.moveaxis(jnp.asarray(args[0]), 0, axis) if axis else jnp.asarray(args[0])
        given = {name: _given(value) for name, value in kwargs.items()}
        operands = map(_given, args)
        if (getattr(function, "__module__", None) or "").startswith("jax._src.lax"):
            operands = map(_requiring, operands)
        return function(*operands, **given)

    return call


def _requiring(value: Any) -> Any:
    """Return a function for a statement of JAX, which has no result that may be None."""
    if not isinstance(value, _FUNCTIONS):
        return value

    @functools.wraps(value)
    def call(*args: Any, **kwargs: Any) -> Any:
        return required(value(*args, **kwargs))

    return call


def _given(value: Any) -> Any:
    """Return an argument for a function of JAX."""
    value = required(value)
    if isinstance(value, _FUNCTIONS):
        return CONVERTER.callee(value)
    if isinstance(value, StackedList):
        return jnp.asarray(value)
    if type(value) in (list, tuple) and any(isinstance(each, _FUNCTIONS) for each in value):
        return type(value)(map(_given, value))
    return value


@overload
def convert(
    fn: F,
    *,
    maximum_iterations: int | None = ...,
    recursive: bool = ...,
    include: Iterable[str] = ...,
) -> F: ...
@overload
def convert(
    fn: None = ...,
    *,
    maximum_iterations: int | None = ...,
    recursive: bool = ...,
    include: Iterable[str] = ...,
) -> Callable[[F], F]: ...
def convert(
    fn: Any = None,
    *,
    maximum_iterations: int | None = None,
    recursive: bool = True,
    include: Iterable[str] = (),
) -> Any:
    """Decorate a function whose `if`, `while`, `for`, `and`, ... may depend on traced values.

    It goes under `jax.jit`, `grad`, `vmap`, `shard_map` or any other transformation, or over it; a
    function given to `lax.scan` or `jax.vmap` in converted code is converted, too. Statements on
    values that Python knows stay Python's. The result has the name, signature and documentation of
    `fn`, which is its `__wrapped__`.

    Args:
        fn: the function when used without brackets.
        maximum_iterations: the most iterations of each loop whose number of iterations only a run
            knows, unless `autograph.set_loop_options` in the loop says another. The loop is then a
            `lax.scan`, which has a reverse gradient, and ends after as many iterations: with the
            values it has then, or with an error of `checkify` if that is around the function.
        recursive: whether the functions it calls are converted as well.
        include: names of modules and packages whose functions are converted when called.

    Raises:
        ConversionError: there is no function of yours in `fn`, or `maximum_iterations` is no
            number of iterations, or is used over a transformation.

    Example:
        >>> import jax, autograph.jax
        >>> @jax.jit
        ... @autograph.jax.convert
        ... def halvings(x):
        ...     n = 0
        ...     while x > 1:
        ...         x, n = x / 2, n + 1
        ...     return n
        >>> int(halvings(20.0))
        5
    """
    if maximum_iterations is not None and count_of(maximum_iterations) is None:
        raise ConversionError(refusal_of_count(maximum_iterations))
    if fn is None:
        return functools.partial(
            convert,
            maximum_iterations=maximum_iterations,
            recursive=recursive,
            include=include,
        )
    if _is_wrapper(fn):
        if maximum_iterations is None:
            return fn
        fn = fn.__wrapped__
    function = _function_within(fn)
    if function is None:
        raise ConversionError(f"cannot convert {name_of(fn)}: no function of yours is in it")
    if _is_plain(fn):
        made = CONVERTER.convert(fn, recursive=recursive, include=include)
        return _wrapped(made, fn, maximum_iterations)
    if maximum_iterations is not None:
        raise ConversionError(
            "convert(maximum_iterations=...) goes under the transformation, next to the function: "
            f"write @jax.jit above it, not below ({name_of(fn)})"
        )
    _convert_in_place(function, recursive, include)
    return fn


def _is_plain(fn: Any) -> bool:
    """Return whether a callable is the user's own: a function, method, partial or object."""
    inner = fn
    while isinstance(inner, functools.partial):
        inner = inner.func
    if isinstance(inner, (staticmethod, classmethod, MethodType)):
        inner = inner.__func__
    if isinstance(inner, FunctionType):
        return is_users_file(inner.__code__.co_filename)
    return not hasattr(inner, "__wrapped__")


def _function_within(fn: Any) -> FunctionType | None:
    """Return the user's function inside of transformations of JAX; None if there is none."""
    inner = fn
    for _ in range(50):
        if isinstance(inner, FunctionType) and is_users_file(inner.__code__.co_filename):
            return inner
        if isinstance(inner, functools.partial):
            inner = inner.func
        elif isinstance(inner, (MethodType, staticmethod, classmethod)):
            inner = inner.__func__
        elif hasattr(inner, "__wrapped__"):
            inner = inner.__wrapped__
        else:
            called = method_called(inner)
            is_users = called is not None and is_users_file(called.__code__.co_filename)
            return called if is_users else None
    return None


def _convert_in_place(
    function: FunctionType, recursive: bool = True, include: Iterable[str] = ()
) -> None:
    """Give a function its converted code: the transformations around it hold the function.

    Raises:
        SourceError, ConversionError: it cannot be converted.
    """
    if wrapped_by(function) is None:
        CONVERTER.convert_in_place(function, recursive, include)


def _wrapped(made: Any, fn: Any, most: int | None) -> Any:
    """Return a converted callable that raises errors of JAX as those of the user's line.

    Args:
        made: the converted form of `fn`.
        fn: the user's callable.
        most: the bound of loops that have none of their own; None without one.
    """
    if isinstance(made, (staticmethod, classmethod)):
        return type(made)(_wrapped(made.__func__, fn.__func__, most))
    if isinstance(made, functools.partial):
        return functools.partial(_wrapped(made.func, fn.func, most), *made.args, **made.keywords)
    if isinstance(made, MethodType):
        inner = getattr(fn, "__func__", type(fn).__call__)
        return MethodType(_wrapped(made.__func__, inner, most), made.__self__)
    if made.__code__.co_flags & SUSPENDING:
        return made  # A wrapper would be no generator or coroutine function.

    # A lambda has no statement around its body.
    is_lambda = getattr(fn, "__name__", "") == "<lambda>"

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        token = None if most is None else MAXIMUM_ITERATIONS.set(most)
        try:
            with CONVERTER.vocabulary.boundary if is_lambda else nullcontext():
                result = made(*args, **kwargs)
            if STACKS.depth <= 0:
                refuse_optional_result(result, fn)
            return result
        except Exception as error:
            refusal = error_of_tracing(error)
            if refusal is None:
                raise
            raise refusal from error
        finally:
            if token is not None:
                MAXIMUM_ITERATIONS.reset(token)

    return call


def _is_wrapper(fn: Any) -> bool:
    """Return whether `_wrapped` has made a function."""
    return isinstance(fn, FunctionType) and fn.__code__.co_filename == __file__


def to_code(fn: Callable[..., object], recursive: bool = True) -> str:
    """Return the converted source of a function, of a converted one, or of one inside `jax.jit`.

    Raises:
        SourceError, ConversionError: as `autograph.to_code`.

    Example:
        >>> import autograph.jax
        >>> def relu(x):
        ...     return x if x > 0 else 0.0 * x
        >>> "ag__.if_exp" in autograph.jax.to_code(relu)
        True
    """
    return CONVERTER.to_code(_within(fn), recursive=recursive)


def explain(
    fn: Callable[..., object], *args: object, include: Iterable[str] = (), **kwargs: object
) -> Explanation:
    """Explain line by line the parts of a function that are converted, or stay Python, and why.

    Args:
        fn: a function, a converted one, or one inside of `jax.jit`.
        args, kwargs: nothing; a call is explained by `jax.make_jaxpr`.
        include: as for `convert`.

    Raises:
        ConversionError: as `autograph.explain`, or there are arguments of a call.

    Example:
        >>> import autograph.jax
        >>> def relu(x):
        ...     return x if x > 0 else 0.0 * x
        >>> "converted" in str(autograph.jax.explain(relu))
        True
    """
    if args or kwargs:
        name = name_of(fn)
        raise ConversionError(
            f"autograph.jax.explain({name}) explains the conversion, not a call: print "
            f"jax.make_jaxpr(autograph.jax.convert({name}))(...) with the arguments, to see what "
            "JAX makes of it"
        )
    return CONVERTER.explain(_within(fn), include)


def _within(fn: Any) -> Any:
    fn = fn.__wrapped__ if _is_wrapper(fn) else fn
    return fn if _is_plain(fn) else _function_within(fn)
