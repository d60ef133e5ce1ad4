"""`Function`: a Python callable that runs as graphs, traced once for each kind of arguments."""

from __future__ import annotations

import copy
import functools
import sys
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, overload

from autograph.backends.graph.aliases.final_checks import recording_aliases
from autograph.backends.graph.aliases.proxies import flush_changes
from autograph.backends.graph.aliases.stale_reads import check_left_outside, check_read
from autograph.backends.graph.recursion import traced
from autograph.backends.graph.values.dtype_join import dtype_join as joining_dtypes
from autograph.errors import SignatureError
from autograph.functions.arguments.input_signature import InputSignature, fixed_trace
from autograph.functions.arguments.key_relations import (
    covers_call,
    refuse_specs,
    specs_to_tensors,
)
from autograph.functions.arguments.short_key import fit_unchanged, short_key
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.trace_key import Key, key_of, sharing_of
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction, runs_again
from autograph.functions.eager import SWITCH
from autograph.functions.options import FunctionOptions, checked_executor
from autograph.functions.results.result_structure import as_tensors, with_known_containers
from autograph.functions.state.fast_key import MISSED
from autograph.functions.trace_cache.cache import TraceCache
from autograph.functions.trace_lookup import TraceLookup
from autograph.functions.tracing.active_traces import request_guards
from autograph.functions.tracing.trace import Traceable
from autograph.functions.tracing.trace_target import is_converted, staged_form
from autograph.operators.call_listeners import check_use, notify_call
from autograph.operators.debuggers import step_over_internals
from autograph.operators.tracebacks import drop_internal_frames
from runtime.core.context import current_recorder, current_watchers, recording
from runtime.core.device_tensor import held_array
from runtime.core.fork_safety import cached_property
from runtime.core.lazy_imports import lazy_import
from runtime.core.mesh import DISTRIBUTION, current_mesh
from runtime.core.random_streams import call_scope
from runtime.core.replica import current_replica
from runtime.core.tensor import EagerTensor
from runtime.core.weak_tables import IdentityTable
from runtime.executors.error_locations import remove_marks
from runtime.executors.executor import to_device_of
from runtime.summary.traced_graphs import RUN_GRAPHS


def name_of(python_function: Any) -> str:
    """Return the name of a function, or of the class of a callable object.

    >>> name_of(functools.partial(max, 1))
    'max'
    """
    while isinstance(python_function, functools.partial):
        python_function = python_function.func
    name = getattr(python_function, "__name__", None)
    return name if isinstance(name, str) else type(python_function).__name__


def found_by_name(function: Any) -> object:
    """Return the object that a Function's module has under its name; None if there is none."""
    found: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found


def copy_names(function: Any, python_function: Any) -> None:
    """Give a Function the names and the docstring of its Python function."""
    updated = ("__dict__",) if isinstance(python_function, FunctionType) else ()
    functools.update_wrapper(function, python_function, updated=updated)
    function.__name__ = name_of(python_function)
    if not hasattr(function, "__qualname__"):
        function.__qualname__ = function.__name__


# -- Function --------------------------------------------------------------------------------------


recorded_call = lazy_import("autograph.functions.nested:recorded_call")

_tracer = sys.gettrace


if TYPE_CHECKING:
    from typing_extensions import ParamSpec, TypeVar

    # With defaults, so that `Function` alone is a type too.
    P = ParamSpec("P", default=...)
    R = TypeVar("R", default=Any, covariant=True)
    Owner = TypeVar("Owner")
    Rest = ParamSpec("Rest")
else:
    from typing import ParamSpec, TypeVar

    P, R = ParamSpec("P"), TypeVar("R", covariant=True)


class Function(Generic[P, R]):
    """A callable with one concrete function per kind of arguments; made by `function`.

    A call in another trace is a node that calls its graph. If the graph might behave otherwise than
    Python there (`nested`), the converted Python function is traced inline, as part of the
    surrounding trace, and each such call counts as one trace.

    Attributes:
        python_function: the user's callable, unconverted.
        input_signature: the specs it was made with, or None.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> double = ag.function(lambda x: x * 2)
        >>> isinstance(double, Function), int(double(rt.constant(3)))
        (True, 6)
    """

    # Each call reads these. CPython finds a slot faster than an attribute in a `__dict__`.
    __slots__ = ("__dict__", "__weakref__", "_by_short_key", "_plain", "_to_device", "_traces")

    def __init__(
        self, python_function: Callable[P, R], options: FunctionOptions | None = None
    ) -> None:
        step_over_internals()
        options = options or FunctionOptions()
        copy_names(self, python_function)
        self.python_function: Callable[P, R] = python_function
        self.input_signature = options.input_signature
        self._options = options
        self._signature = CallSignature.of(python_function, name_of(python_function))
        self.__signature__ = self._signature.signature
        self._fixed = fixed_trace(options.input_signature, self._signature, python_function)
        self._is_unbound = self._fixed is None and options.input_signature is not None
        self._plain = -1 if self._is_unbound else self._signature.plain
        self._binds = isinstance(python_function, (FunctionType, Function))
        self._traces = TraceCache()
        self._by_short_key = self._traces.by_short_key
        self._instances: IdentityTable[object, TraceCache] = IdentityTable()
        # Without an executor of its own, it runs on the devices of a mesh.
        self._may_move = self._options.executor is None
        # For an engine, whose arrays tensors may reference.
        self._to_device = to_device_of(self._options.executor)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the graph for these arguments, tracing it first if there is none yet.

        The usual call takes one short key, one look-up and one run, and no other calls of Python.
        """
        if _tracer() is not None:
            step_over_internals()
        try:
            if SWITCH.on:
                return self.python_function(*args, **kwargs)
            if current_recorder() is not None:
                return self._nested(args, kwargs)
            if DISTRIBUTION.is_used:
                if current_replica() is not None:
                    return self.python_function(*args, **kwargs)
                if current_mesh() is not None and self._may_move:
                    return self._on_mesh(current_mesh())(*args, **kwargs)
            if kwargs or len(args) != self._plain:
                if self._is_unbound:
                    return self._as_method(args)(*args[1:], **kwargs)
                args = self._signature.bind(args, kwargs)  # type: ignore[assignment]
            if current_watchers() or RUN_GRAPHS.is_watching:
                concrete, arrays = self._find(args)
                return concrete.run(arrays)
            if self._to_device is not None:
                return self._call_by_engine(args)
            given: list[Any] | tuple[Any, ...]
            short: Key | None
            # One tensor, or two, are handled inline, which saves a call of Python.
            if len(args) == 1 and type(args[0]) is EagerTensor:
                x = args[0]._array
                given, short = (x,), (x.dtype, x.shape)
            elif len(args) == 2 and type(args[0]) is EagerTensor and type(args[1]) is EagerTensor:
                x, y = args[0]._array, args[1]._array
                given, short = (x, y), (x.dtype, x.shape, y.dtype, y.shape)
            else:
                given = []
                short = short_key(args, given)
            try:
                run = self._by_short_key[short]
            except KeyError:
                run = None
            if run is not None:
                return run(given)
            stateful = self._traces.stateful_calls.get(short)
            if stateful is not None and (result := stateful.run(given)) is not MISSED:
                return result
            concrete, arrays = self._find(args, short, given)
            return concrete.run(arrays)
        except BaseException as error:
            drop_internal_frames(error)
            remove_marks(error)
            raise

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Function[P, R]: ...
    # A checker binds class methods and static methods by these overloads too.
    @overload
    def __get__(
        self: Function[Concatenate[type[Owner], Rest], R], instance: Owner, owner: type[Owner]
    ) -> Function[Rest, R]: ...
    @overload
    def __get__(
        self: Function[Concatenate[Owner, Rest], R], instance: Owner, owner: type | None = None
    ) -> Function[Rest, R]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Function[P, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Function[Any, Any]:
        """Return the Function bound to an instance, with traces of this instance alone."""
        if instance is None or not self._binds:
            return self
        traces = self._instances.by_id.get(id(instance)) or self._traces_of(instance)
        signature = self._method_signature
        bound = object.__new__(type(self))
        own = self.__dict__.copy()
        own["python_function"] = own["__wrapped__"] = MethodType(self.python_function, instance)
        own["_signature"], own["__signature__"] = signature, signature.signature
        own["_fixed"], own["_binds"], own["_is_unbound"] = self._fixed_method, False, False
        bound.__dict__ = own
        bound._plain, bound._to_device = signature.plain, self._to_device
        bound._traces, bound._by_short_key = traces, traces.by_short_key
        return bound

    def get_concrete_function(self, /, *args: object, **kwargs: object) -> ConcreteFunction[R]:
        """Return the concrete function for arguments, with TensorSpecs for tensors.

        Raises:
            SignatureError: the arguments do not fit the function, or its input signature.

        Example:
            >>> import autograph as ag, runtime as rt
            >>> double = ag.function(lambda x: x + x)
            >>> double.get_concrete_function(rt.TensorSpec((None,), rt.int32)).structured_outputs
            TensorSpec(shape=(None,), dtype=rt.int32, name=None)
        """
        try:
            with recording(None):
                concrete = self._concrete(args, kwargs)
                if concrete.serves_one_call:
                    concrete = self._concrete(args, kwargs)
                return runs_again(concrete)
        except BaseException as error:
            drop_internal_frames(error)
            remove_marks(error)
            raise

    def experimental_get_tracing_count(self) -> int:
        """Return the number of traces of the function."""
        return self._traces.count

    def pretty_printed_concrete_signatures(self, verbose: bool | None = None) -> str:
        """Return the signatures of all traces, oldest first, as text.

        Args:
            verbose: True for the kinds of parameters, the types of all values and the captures;
                False for a line each.
        """
        texts = [each.pretty_printed_signature(verbose) for each in self._traces.traces()]
        return ("\n" if verbose is False else "\n\n").join(texts)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._signature.name}{self._signature.signature}>"

    _repr_html_ = lazy_import("autograph.display.reports:function_html")

    @property
    def traces(self) -> TraceCache:
        """The cache of the concrete functions."""
        return self._traces

    @property
    def call_signature(self) -> CallSignature:
        """The signature of the function."""
        return self._signature

    @property
    def name(self) -> str:
        """The name of the Python function, or of the class of a callable object."""
        return self._signature.name

    def untraced(self) -> Function[P, R]:
        """Return a Function of the same Python function, with the same options and no traces."""
        return Function(self.python_function, self._options)

    def _on_mesh(self, mesh: Any) -> Function:
        """Return the Function of the same Python function that runs on a mesh."""
        known: IdentityTable[Any, Function] = self._traces.by_mesh
        if mesh not in known:
            options = self._options._replace(executor=checked_executor("jax"))
            known.put(mesh, Function(self.python_function, options))
        return known.by_id[id(mesh)]

    def with_python_function(self, python_function: Callable[..., Any]) -> Function:
        """Return a Function of another Python function, with the same options but no signature."""
        options = self._options._replace(input_signature=None)
        return Function(python_function, options)

    def __copy__(self) -> Function:
        return self.untraced()

    def __deepcopy__(self, memo: dict[int, Any]) -> Function:
        return Function(copy.deepcopy(self.python_function, memo), self._options)

    def __reduce__(self) -> Any:
        """Pickle by name, as functions are pickled, or as the Python function and the options.

        A method is pickled as an attribute of its object.
        """
        if isinstance(self.python_function, MethodType):
            return getattr, (self.python_function.__self__, self.python_function.__name__)
        if found_by_name(self) is self:
            return self.__qualname__  # type: ignore[attr-defined]
        return Function, (self.python_function, self._options)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same Function, bound to the same object if it is a method."""
        return isinstance(other, Function) and other._traces is self._traces

    def __hash__(self) -> int:
        return hash(id(self._traces))

    def __trace_key__(self) -> object:
        """Return its trace cache: each access to a method makes a Function with the same cache."""
        return self._traces

    def _call_by_engine(self, args: tuple[Any, ...]) -> Any:
        """Run the graph by an engine, on the arrays that tensors reference for it.

        On a mesh, which has several devices, it gets NumPy's arrays.
        """
        held: list[Any] | tuple[Any, ...]
        short: Key | None
        to_device = self._to_device
        if to_device is None or (DISTRIBUTION.is_used and current_mesh() is not None):
            held = []
            short = short_key(args, held)
        elif len(args) == 1 and isinstance(args[0], EagerTensor):
            x = held_array(args[0], to_device)
            held, short = (x,), (x.dtype, x.shape)
        elif (
            len(args) == 2 and isinstance(args[0], EagerTensor) and isinstance(args[1], EagerTensor)
        ):
            x, y = held_array(args[0], to_device), held_array(args[1], to_device)
            held, short = (x, y), (x.dtype, x.shape, y.dtype, y.shape)
        else:
            held = []
            short = short_key(args, held, None, to_device)
        run = self._by_short_key.get(short)
        if run is not None:
            return run(held)
        given: list[Any] = []
        short_key(args, given)
        stateful = self._traces.stateful_calls.get(short)
        if stateful is not None and (result := stateful.run(given)) is not MISSED:
            return result
        concrete, arrays = self._find(args, short, given)
        return concrete.run(held if short in self._by_short_key else arrays)

    # -- tracing -------------------------------------------------------------------------------

    def _concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        if self.input_signature is not None:
            return self._fixed_concrete(args, kwargs)
        values = self._signature.bind_specs(args, kwargs)
        objects: list[object] = []
        parts = self._signature.keys_of(values, [], objects)
        full = (*map(specs_to_tensors, parts), *sharing_of(objects))
        return self._find_or_trace(full, values, objects, warns=False)[0]

    def _find(
        self, values: tuple[object, ...], short: Key | None = None, given: Sequence[Any] = ()
    ) -> tuple[ConcreteFunction, Sequence[Any]]:
        """Return the trace for a call, and the arrays that it runs on; count the call.

        Args:
            values: one per parameter.
            short: the short key of the call from now on, if the arguments alone lead to the trace.
            given: the arrays that belong to the short key.
        """
        if self._fixed is not None:
            return self._find_fixed(self._fixed, values, short, given)
        arrays: list[Any] = []
        objects: list[object] = []
        key = self._signature.keys_of(values, arrays, objects)
        key += sharing_of(objects) if len(objects) > 1 else ()
        concrete = self._traces.by_key.get(key)
        if concrete is None or self._has_fast_guards(concrete):
            refuse_specs(key, self)
            concrete, held = self._find_or_trace(key, values, objects, short, given)
            arrays += held
        if short is not None and not self._has_fast_guards(concrete):
            self._traces.remember_short_key(short, key, concrete)
        concrete.counter.calls += 1
        return concrete, arrays

    def _has_fast_guards(self, concrete: ConcreteFunction) -> bool:
        """Return whether guards have to be checked before each call of a trace."""
        return self._options.guards == "cells" and bool(concrete.guards)

    def _find_or_trace(
        self,
        key: Key,
        values: tuple[object, ...],
        objects: list[object],
        short: Key | None = None,
        given: Sequence[Any] = (),
        warns: bool = True,
    ) -> tuple[ConcreteFunction, Sequence[Any]]:
        """Return the trace for a key, and its inputs besides the tensors in the arguments."""
        options = self._options
        target = Traceable(
            self._run,
            self._signature,
            self.python_function,
            is_guarded=options.guards in ("warn", "retrace") or options.of_network,
            compile_options=options.compile_options,
            of_network=options.of_network,
            has_fast_guards=options.guards == "cells",
        )
        search = TraceLookup(self._traces, target, options.reduce_retracing, warns, options.guards)
        return search.find(key, values, objects, short, given)

    def _nested(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Record a call of its own graph, or trace the Python function inline."""
        guards = self._options.guards
        if self.input_signature is None and guards in ("off", "cells"):
            target = Traceable(
                self._run,
                self._signature,
                self.python_function,
                compile_options=self._options.compile_options,
                has_fast_guards=guards == "cells",
            )
            values = self._signature.bind(args, kwargs)
            relaxes = self._options.reduce_retracing
            recorded = recorded_call(target, self._traces, values, relaxes)
            if recorded is not None:
                return recorded.value
        return self._inline(args, kwargs)

    def _inline(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.input_signature is not None:
            if self._fixed is None:
                return self._as_method(args)._inline(args[1:], kwargs)
            fitted, _ = self._fixed.fit(self._signature.bind(args, kwargs))
            args, kwargs = self._signature.call_arguments(fitted)
        self._traces.count += 1
        notify_call(self.python_function)
        if self._options.guards in ("warn", "retrace"):
            request_guards(self._options.guards)
        return as_tensors(self._run(*args, **kwargs), self._signature.name)

    def _run(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the converted Python function under the current recorder."""
        if not self._options.autograph:
            check_use(self.python_function, ())
            with call_scope():
                return self.python_function(*args, **kwargs)
        options = self._options
        staged = staged_form(
            self.python_function, options.include, options.strict, options.features
        )
        if not is_converted(staged):
            check_use(staged, ())
        # A trace serves many calls, in any scopes, so it is made outside of them.
        with joining_dtypes(options.dtype_join), recording_aliases(check_read), call_scope():
            result = traced(staged)(*args, **kwargs)
            flush_changes()
            check_left_outside()
            return with_known_containers(result, self._signature.name)

    # -- one fixed trace -----------------------------------------------------------------------

    def _find_fixed(
        self,
        fixed: InputSignature,
        values: tuple[object, ...],
        short: Key | None,
        given: Sequence[Any],
    ) -> tuple[ConcreteFunction, Sequence[Any]]:
        _, casting = fixed.fit(values)
        concrete = self._traces.by_key.get(fixed.keys)
        held: Sequence[Any] = ()
        arrays = casting.arrays
        fits = short is not None and fit_unchanged(given, arrays)
        if concrete is None or self._has_fast_guards(concrete):
            known = short if fits else None
            concrete, held = self._find_or_trace(fixed.keys, fixed.values, [], known, given)
        if short is not None and fits and not self._has_fast_guards(concrete):
            self._traces.remember_short_key(short, fixed.keys, concrete)
        concrete.counter.calls += 1
        return concrete, [*arrays, *held]

    def _fixed_concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        if self._fixed is None:
            return self._as_method(args)._fixed_concrete(args[1:], kwargs)
        if args or kwargs:
            given = [key_of(v, [], []) for v in self._signature.bind(args, kwargs)]
            if not covers_call(self._fixed.keys, tuple(map(specs_to_tensors, given))):
                raise SignatureError(
                    f"{self._signature.name} has an input signature, which these arguments do "
                    "not fit: leave the arguments out"
                )
        return self._find_or_trace(self._fixed.keys, self._fixed.values, [])[0]

    # -- methods -------------------------------------------------------------------------------

    @cached_property
    def _method_signature(self) -> CallSignature:
        return self._signature.without_first()

    @cached_property
    def _fixed_method(self) -> InputSignature | None:
        specs = self.input_signature
        return None if specs is None else InputSignature(specs, self._method_signature)

    def _as_method(self, args: tuple[Any, ...]) -> Function:
        if not args:
            raise SignatureError(f"{self._signature.name} is a method: call it on an instance")
        return self.__get__(args[0], type(args[0]))

    def _traces_of(self, instance: object) -> TraceCache:
        traces = self._instances.get(instance)
        if traces is not None:
            return traces
        with self._traces.lock:
            traces = self._instances.get(instance)
            if traces is None:
                traces = TraceCache()
                self._remember(instance, traces)
        return traces

    def _remember(self, instance: object, traces: TraceCache) -> None:
        try:
            self._instances.put(instance, traces)
        except TypeError:
            raise SignatureError(
                f"{self._signature.name} keeps its traces by instance, and objects of "
                f"{type(instance).__name__} cannot be referred to weakly: "
                "add '__weakref__' to its __slots__"
            ) from None
