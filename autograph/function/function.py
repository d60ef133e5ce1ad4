"""A Function: a Python callable that runs as graphs, traced when arguments of a new kind come."""

from __future__ import annotations

import copy
import functools
import sys
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.graph.aliases.at_the_end import noting_twins
from autograph.backends.graph.aliases.proxies import settle
from autograph.backends.graph.aliases.touching import look_at, touch_left, touched
from autograph.backends.graph.recursion import traced
from autograph.backends.graph.values.dtype_join import dtype_join as joining_dtypes
from autograph.conversion.cache import IdentityTable
from autograph.errors import SignatureError
from autograph.function.concrete import ConcreteFunction, runs_again
from autograph.function.eager import SWITCH
from autograph.function.finding import Search
from autograph.function.input_signature import InputSignature
from autograph.function.key_relations import covers_call, has_specs, with_specs_as_tensors
from autograph.function.nested import recorded_call
from autograph.function.nesting import ask_for_guards
from autograph.function.options import FunctionOptions
from autograph.function.results import as_tensors
from autograph.function.signature import CallSignature
from autograph.function.staging import staged_form
from autograph.function.trace_cache import TraceCache
from autograph.function.trace_key import Key, key_of, refused_cycle, repeated_in, rule_of
from autograph.function.tracing import Traceable
from autograph.operators.called import tell
from autograph.operators.debuggers import step_over_ours
from autograph.operators.tracebacks import drop_internal_frames
from runtime import nest
from runtime.context import current_recorder, recording
from runtime.executors.locate import leave
from runtime.scopes import name_scope
from runtime.tensor import SymbolicTensor


class Function:
    """A callable with one concrete function per kind of arguments; made by `function`.

    Called while another function is traced, it is a node that calls its graph. Where that could
    differ from what Python does there (`nested`), its converted Python function runs as a part of
    the trace around it, and every such call counts as one trace.

    Attributes:
        python_function: the user's callable, unconverted.
        input_signature: the specs it was made with, or None.
    """

    def __init__(
        self, python_function: Callable[..., Any], options: FunctionOptions | None = None
    ) -> None:
        step_over_ours()
        options = options or FunctionOptions()
        _copy_names(self, python_function)
        self.python_function = python_function
        self.input_signature = options.input_signature
        self._options = options
        self._signature = CallSignature.of(python_function, _name_of(python_function))
        self.__signature__ = self._signature.signature
        self._fixed = _fixed_trace(options.input_signature, self._signature, python_function)
        self._traces = TraceCache()
        self._instances: IdentityTable[object, TraceCache] = IdentityTable()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the graph for these arguments, tracing it first if there is none yet."""
        if sys.gettrace() is not None:
            step_over_ours()
        try:
            if SWITCH.on:
                return self.python_function(*args, **kwargs)
            if current_recorder() is not None:
                return self._nested(args, kwargs)
            if self.input_signature is not None:
                return self._call_fixed(args, kwargs)
            values = self._signature.bind(args, kwargs)
            arrays: list[Any] = []
            objects: list[object] = []
            try:
                key = tuple([rule_of(type(value))(value, arrays, objects) for value in values])
            except RecursionError:
                raise refused_cycle() from None
            if len(objects) > 1:
                key += repeated_in(objects)
            concrete = self._traces.by_key.get(key)
            if concrete is None:
                key = _callable_key(key, self)
                concrete, held = self._found_or_traced(key, values, objects)
                arrays += held
            concrete.calls += 1
            return concrete.run(arrays)
        except BaseException as error:
            drop_internal_frames(error)
            leave(error)
            raise

    def __get__(self, instance: object, owner: type | None = None) -> Function:
        """Bind to an instance, which has traces of its own for as long as it lives."""
        if instance is None or not isinstance(self.python_function, (FunctionType, Function)):
            return self
        method = MethodType(self.python_function, instance)
        bound = object.__new__(type(self))
        bound.__dict__.update(self.__dict__)
        bound.python_function = method
        bound.__wrapped__ = method  # type: ignore[attr-defined]
        bound._signature = self._method_signature
        bound.__signature__ = bound._signature.signature
        bound._fixed = self._fixed_method
        bound._traces = self._traces_of(instance)
        return bound

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the concrete function for arguments, TensorSpecs standing for tensors.

        Raises:
            SignatureError: the arguments are not what the function, or its input signature, takes.

        Example:
            >>> import autograph as ag, runtime as rt
            >>> double = ag.function(lambda x: x + x)
            >>> double.get_concrete_function(rt.TensorSpec((None,), rt.int32)).structured_outputs
            TensorSpec(shape=(None,), dtype=rt.int32, name=None)
        """
        try:
            with recording(None):
                return runs_again(self._concrete(args, kwargs))
        except BaseException as error:
            drop_internal_frames(error)
            leave(error)
            raise

    def experimental_get_tracing_count(self) -> int:
        """Return how often the function was traced."""
        return self._traces.count

    def pretty_printed_concrete_signatures(self, verbose: bool | None = None) -> str:
        """Return the signatures of all traces, oldest first, in words.

        Args:
            verbose: True for the kinds of parameters, the types of all values and what is captured;
                False for a line each.
        """
        texts = [each.pretty_printed_signature(verbose) for each in self._traces.traces()]
        return ("\n" if verbose is False else "\n\n").join(texts)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._signature.name}{self._signature.signature}>"

    @property
    def traces(self) -> TraceCache:
        """The concrete functions there are, and what they were traced for."""
        return self._traces

    @property
    def call_signature(self) -> CallSignature:
        """How it is called."""
        return self._signature

    @property
    def name(self) -> str:
        """The name of the Python function, or of the class of a callable object."""
        return self._signature.name

    def untraced(self) -> Function:
        """Return a Function of the same Python function, with the same options and no traces."""
        return Function(self.python_function, self._options)

    def __copy__(self) -> Function:
        return self.untraced()

    def __deepcopy__(self, memo: dict[int, Any]) -> Function:
        return Function(copy.deepcopy(self.python_function, memo), self._options)

    def __reduce__(self) -> Any:
        """Be pickled by reference, as functions are: by its own name, or by what it is made of."""
        if isinstance(self.python_function, MethodType):
            return getattr, (self.python_function.__self__, self.python_function.__name__)
        if _found_by_name(self) is self:
            return self.__qualname__  # type: ignore[attr-defined]
        return Function, (self.python_function, self._options)

    def __eq__(self, other: object) -> bool:
        """Tell whether both are one Function, bound to one object if it is a method."""
        return isinstance(other, Function) and other._traces is self._traces

    def __hash__(self) -> int:
        return hash(id(self._traces))

    def __trace_key__(self) -> object:
        """Count, as an argument, by its traces: a method is another Function each time."""
        return self._traces

    # -- tracing -------------------------------------------------------------------------------

    def _concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        if self.input_signature is not None:
            return self._fixed_concrete(args, kwargs)
        values = tuple(map(_without_values, self._signature.bind(args, kwargs)))
        objects: list[object] = []
        key = tuple([with_specs_as_tensors(key_of(value, [], objects)) for value in values])
        full = (*key, *repeated_in(objects))
        return self._found_or_traced(full, values, objects, warns=False)[0]

    def _found_or_traced(
        self, key: Key, values: tuple[object, ...], objects: list[object], warns: bool = True
    ) -> tuple[ConcreteFunction, Sequence[Any]]:
        """Return the trace for a key, and what it is given besides the tensors in the arguments."""
        options = self._options
        is_guarded = options.guards != "off"
        target = Traceable(self._run, self._signature, self.python_function, is_guarded)
        search = Search(self._traces, target, options.reduce_retracing, warns, options.guards)
        return search.found(key, values, objects)

    def _nested(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Record a call of a graph of its own, else become part of the trace that goes on."""
        if self.input_signature is None and self._options.guards == "off":
            target = Traceable(self._run, self._signature, self.python_function)
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
        tell(self.python_function)
        if self._options.guards != "off":
            ask_for_guards(self._options.guards)
        return as_tensors(self._run(*args, **kwargs), self._signature.name)

    def _run(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the Python function, converted, under whoever records."""
        if not self._options.autograph:
            with name_scope(""):
                return self.python_function(*args, **kwargs)
        options = self._options
        staged = staged_form(
            self.python_function, options.include, options.strict, options.features
        )
        # A trace serves many calls, whatever scopes are around them.
        with joining_dtypes(options.dtype_join), noting_twins(look_at), name_scope(""):
            result = traced(staged)(*args, **kwargs)
            settle()
            touch_left()
            return touched(result)

    # -- one fixed trace -----------------------------------------------------------------------

    def _call_fixed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._fixed is None:
            return self._as_method(args)(*args[1:], **kwargs)
        _, fitting = self._fixed.fit(self._signature.bind(args, kwargs))
        concrete = self._traces.by_key.get(self._fixed.keys)
        held: Sequence[Any] = ()
        if concrete is None:
            concrete, held = self._found_or_traced(self._fixed.keys, self._fixed.values, [])
        concrete.calls += 1
        return concrete.run([*fitting.arrays, *held])

    def _fixed_concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        if self._fixed is None:
            return self._as_method(args)._fixed_concrete(args[1:], kwargs)
        if args or kwargs:
            given = [key_of(v, [], []) for v in self._signature.bind(args, kwargs)]
            if not covers_call(self._fixed.keys, tuple(map(with_specs_as_tensors, given))):
                raise SignatureError(
                    f"{self._signature.name} has an input signature, which these arguments do "
                    "not fit; leave them out"
                )
        return self._found_or_traced(self._fixed.keys, self._fixed.values, [])[0]

    # -- methods -------------------------------------------------------------------------------

    @functools.cached_property
    def _method_signature(self) -> CallSignature:
        return self._signature.without_first()

    @functools.cached_property
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


def _fixed_trace(
    specs: tuple[Any, ...] | None, signature: CallSignature, python_function: Any
) -> InputSignature | None:
    """Return the input signature, or None where it is that of a method not bound yet."""
    if specs is None or (_is_in_class(python_function) and _fits(specs, signature.without_first())):
        return None
    return InputSignature(specs, signature)


def _is_in_class(python_function: Any) -> bool:
    if not isinstance(python_function, FunctionType):
        return False
    scope = python_function.__qualname__.rpartition(".")[0]
    return scope != "" and not scope.endswith("<locals>")


def _fits(specs: tuple[Any, ...], signature: CallSignature) -> bool:
    try:
        InputSignature(specs, signature)
    except SignatureError:
        return False
    return True


def _callable_key(key: Key, called: Function) -> Key:
    if any(map(has_specs, key)):
        raise SignatureError(
            f"{called!r} was called with a TensorSpec, which has no value: "
            "pass a tensor, or call get_concrete_function"
        )
    return key


def _without_values(value: Any) -> Any:
    """Return an argument with specs in the places of tensors that a graph is being made of."""
    leaves = nest.flatten(value)
    if not any(isinstance(leaf, SymbolicTensor) for leaf in leaves):
        return value
    specs = [leaf.spec if isinstance(leaf, SymbolicTensor) else leaf for leaf in leaves]
    return nest.unflatten(value, specs)


def _name_of(python_function: Any) -> str:
    while isinstance(python_function, functools.partial):
        python_function = python_function.func
    name = getattr(python_function, "__name__", None)
    return name if isinstance(name, str) else type(python_function).__name__


def _found_by_name(made: Any) -> object:
    found: Any = sys.modules.get(made.__module__)
    for name in made.__qualname__.split("."):
        found = getattr(found, name, None)
    return found


def _copy_names(made: Function, python_function: Any) -> None:
    updated = ("__dict__",) if isinstance(python_function, FunctionType) else ()
    functools.update_wrapper(made, python_function, updated=updated)
    made.__name__ = _name_of(python_function)  # type: ignore[attr-defined]
    if not hasattr(made, "__qualname__"):
        made.__qualname__ = made.__name__  # type: ignore[attr-defined]
