"""`ag.function`: the decorator that makes a Function of a callable."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, overload

from autograph.backends.graph.values.dtype_join import POLICIES, DtypeJoin
from autograph.conversion.included_modules import checked_include
from autograph.conversion.rules import function_behind
from autograph.errors import ConversionError, SignatureError
from autograph.features import Feature, feature_names
from autograph.functions.arguments.input_signature import checked_specs
from autograph.functions.function import Function
from autograph.functions.options import FunctionOptions
from autograph.functions.state.guards import GivenPolicy, Policy
from runtime.core.argument_checks import flag
from runtime.core.source_names import cell_name, ipython_shell

_GUARDS = ("off", "warn", "retrace")

if TYPE_CHECKING:
    from typing import TypedDict, TypeVar

    from typing_extensions import ParamSpec, Unpack

    from runtime.passes.manager import Pass

    P = ParamSpec("P")
    R = TypeVar("R")
    T = TypeVar("T")

    class DecoratorOptions(TypedDict, total=False):
        """The options of `function` that follow the input signature, for its overloads."""

        autograph: bool
        jit_compile: bool | None
        reduce_retracing: bool
        experimental_implements: str | None
        experimental_autograph_options: Feature | Iterable[Feature] | None
        experimental_attributes: Mapping[str, object] | None
        experimental_relax_shapes: bool | None
        experimental_compile: bool | None
        experimental_follow_type_hints: bool | None
        include: Iterable[str]
        strict: bool
        dtype_join: DtypeJoin
        guards: GivenPolicy | None
        parallel: bool | int | None
        passes: str | Pass | Iterable[str | Pass] | None
        executor: str | None
        fallback: bool

    class Decorator(Protocol):
        """The decorator that `function` with options is."""

        @overload
        def __call__(  # type: ignore[overload-overlap]
            self, func: staticmethod[P, R], /
        ) -> staticmethod[P, R]: ...
        @overload
        def __call__(self, func: classmethod[T, P, R], /) -> classmethod[T, P, R]: ...
        @overload
        def __call__(self, func: property, /) -> property: ...
        @overload
        def __call__(self, func: Callable[P, R], /) -> Function[P, R]: ...


@overload
def function(
    func: None = None,
    input_signature: Sequence[object] | None = None,
    **options: Unpack[DecoratorOptions],
) -> Decorator: ...
@overload
def function(  # type: ignore[overload-overlap]
    func: staticmethod[P, R],
    input_signature: Sequence[object] | None = None,
    **options: Unpack[DecoratorOptions],
) -> staticmethod[P, R]: ...
@overload
def function(
    func: classmethod[T, P, R],
    input_signature: Sequence[object] | None = None,
    **options: Unpack[DecoratorOptions],
) -> classmethod[T, P, R]: ...
@overload
def function(
    func: property,
    input_signature: Sequence[object] | None = None,
    **options: Unpack[DecoratorOptions],
) -> property: ...
@overload
def function(
    func: Callable[P, R],
    input_signature: Sequence[object] | None = None,
    **options: Unpack[DecoratorOptions],
) -> Function[P, R]: ...
def function(
    func: Any = None,
    input_signature: Sequence[object] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Feature | Iterable[Feature] | None = None,
    experimental_attributes: Mapping[str, object] | None = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    include: Iterable[str] = (),
    strict: bool = False,
    dtype_join: DtypeJoin = "promote",
    guards: GivenPolicy | None = None,
    parallel: bool | int | None = None,
    passes: str | Pass | Iterable[str | Pass] | None = None,
    executor: str | None = None,
    fallback: bool = False,
) -> Any:
    """Make a Python function run as graphs.

    The first call with a kind of arguments runs the Python function once, on placeholders, and
    keeps the recorded graph; later calls run the graph. Tensors and arrays are matched by dtype and
    shape, Python numbers and strings by value, other objects by identity.

    Args:
        func: a function, method, lambda, partial or callable object, or a `property`,
            `staticmethod` or `classmethod` of one; left out when used as a decorator with options.
        input_signature: one TensorSpec (or structure of them) per parameter. There is then one
            trace for all calls, and arguments are converted to the specs.
        autograph: convert `if`, `while`, `for`, ... on tensors into graph control flow.
        jit_compile: accepted so that programs written for TensorFlow run; graphs are always
            compiled as far as possible.
        reduce_retracing: when tensors come in a second shape, trace for all shapes.
        include: names of modules and packages, of the standard library or installed, whose
            functions are converted when called, as the user's own are.
        strict: raise an error if a part of the function, or of one it calls, cannot be converted
            and stays Python; `explain` lists such parts.
        dtype_join: the dtype of a variable that is an int32 tensor on one path and a float32 tensor
            on another: "promote" gives the dtype of NumPy's promotion (float64), "strict" raises an
            error that names the cast to write. Python numbers adapt under both.
        guards: the reaction to another value in a global, a variable of an outer function, an
            attribute or an item that a trace has read: "off" keeps the traced value; "warn" does so
            with a StaleValueWarning; "retrace" traces for the new value. Each call compares the
            values. The names in the code decide which places count as read. None is "off" for a
            function of a file; in a notebook, it warns once for each place, such as a function
            that another cell defines again, and looks at the identity of large arrays alone.
        parallel: whether independent parts of a graph run side by side, on threads, if their shapes
            say that it pays. None: if it pays by far (each part takes 10 ms or more). True: if it
            is expected to pay (1 ms). A number: as True, with at most so many at once, whatever the
            number of cores. False: never. Results and errors are the same to the last bit. Large
            matrix products are not split off while BLAS has threads of its own;
            `OPENBLAS_NUM_THREADS=1`, or the variable of the library at hand, set before NumPy is
            imported, limits it to one.
        passes: the passes that optimize the graph before it runs: None for all, names for those
            only, names that begin with `-` for all but those; `()` for none. Values never depend on
            it. A `runtime.passes.Pass` of your own may be among the names; it runs after them,
            and must keep values, too.
        executor: what runs the graphs: "numpy", the default, prints them as Python over NumPy;
            "interpreter" runs them node by node, which is slow; "jax" compiles them for CPUs and
            accelerators (`pip install "autograph-py[jax]"`); others are registered engines. None
            for the one that the environment variable `AUTOGRAPH_EXECUTOR` names. Results are the
            same; floats of an engine may differ in the last digits.
        fallback: whether the NumPy executor runs a graph that the engine cannot run, instead of an
            error.
        experimental_autograph_options: an `ag.Feature`, or several: with `BUILTIN_FUNCTIONS`,
            `print` of tensors runs with the graph.
        experimental_implements, experimental_attributes, experimental_compile: accepted as
            `jit_compile` is.
        experimental_relax_shapes: an older name of `reduce_retracing`.
        experimental_follow_type_hints: not supported; `input_signature` does the same.

    Returns:
        A Function; for a `property`, `staticmethod` or `classmethod`, another one with a Function
        in it; a decorator when `func` is left out.

    Raises:
        SignatureError: `input_signature` does not fit the function's parameters, `func` is not
            callable, or `experimental_follow_type_hints` is true.
        ConversionError: a name in `include` is not a module's; or `strict` comes with
            `autograph=False`; or `dtype_join` or `guards` is not a policy, or `parallel` is none of
            the above. When traced: with `strict`, a part stays Python.
        ArgumentValueError: a name in `passes` is not that of a pass, or `executor` is not that of
            an executor; the message lists them.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> @ag.function
        ... def relu(x):
        ...     if x > 0:
        ...         return x
        ...     return x * 0
        >>> int(relu(rt.constant(3))), int(relu(rt.constant(-3)))
        (3, 0)
    """
    specs = None if input_signature is None else checked_specs(input_signature)
    names = () if include == () else checked_include(include)
    if strict and not autograph:
        raise ConversionError("strict=True asks for a conversion, which autograph=False turns off")
    if dtype_join not in POLICIES:
        raise ConversionError(
            f"dtype_join must be one of {', '.join(POLICIES)}, not {dtype_join!r}"
        )
    if guards is not None and guards not in _GUARDS:
        raise ConversionError(f"guards must be one of {', '.join(_GUARDS)}, not {guards!r}")
    if experimental_follow_type_hints:
        raise SignatureError(
            "experimental_follow_type_hints is not supported: give the specs of the tensors with "
            "input_signature=[...]"
        )
    relaxes = flag(reduce_retracing or experimental_relax_shapes, "reduce_retracing")
    flags = flag(autograph, "autograph"), relaxes
    features = tuple(Feature[name] for name in feature_names(experimental_autograph_options))
    options = FunctionOptions(specs, *flags, names, flag(strict, "strict"), dtype_join, features)
    options = options._replace(guards=guards or "off")
    if (parallel, passes, executor) != (None, None, None):
        options = options.with_run_settings(parallel, passes, executor, fallback)
    make = functools.partial(_made, options=options, in_cells="cells" if guards is None else guards)
    return make if func is None else make(func)


def _made(func: Any, options: FunctionOptions, in_cells: Policy) -> Any:
    """Return the Function; `in_cells` is the guard policy for code of a notebook's cell."""
    if isinstance(func, (staticmethod, classmethod)):
        return type(func)(_made(func.__func__, options, in_cells))
    if isinstance(func, property) and func.fget is not None:
        return func.getter(_made(func.fget, options, in_cells))
    if not callable(func):
        raise SignatureError(f"function() takes a function, not {func!r}")
    if is_of_cell(func):
        options = options._replace(guards=in_cells)
    return Function(func, options)


def is_of_cell(func: Any) -> bool:
    """Return whether a callable was defined in a cell of a notebook."""
    function = None if ipython_shell() is None else function_behind(func)
    return function is not None and bool(cell_name(function.__code__.co_filename))
