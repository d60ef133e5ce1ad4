"""Loaded objects, and functions of saved traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from autograph.errors import SignatureError, UnknownArgumentsError
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.decorator import function
from runtime import nest
from runtime.core.argument_checks import flag
from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.executors.executor import checked_executor, run_graph
from runtime.export.traces import FunctionTrace, mapped
from runtime.graph.function_calls import as_called_graph, record_function_call
from runtime.nn.modules.module import Module
from runtime.ops.constant import convert_to_tensor
from runtime.ops.gradient_rules import result_tensor
from runtime.serialization.typed_fields import at
from runtime.state.variable import Variable

_VALUES = (Tensor, Variable, np.ndarray, np.generic)
# The prefix of attributes of a file that an object computes itself, such as `variables`.
LISTED = "_listed_"
# The executor of the Functions that are being loaded, and whether they have a fallback.
_EXECUTOR: ContextVar[tuple[str | None, bool]] = ContextVar(
    "executor_of_loaded_functions", default=(None, False)
)


@contextmanager
def loading_with(executor: str | None, fallback: bool) -> Iterator[None]:
    """Load functions that an executor runs, in a `with` statement.

    Raises:
        ArgumentValueError: there is no such executor.
        DTypeError: `fallback` is not True or False.

    >>> with loading_with("interpreter", False):
    ...     _EXECUTOR.get()
    ('interpreter', False)
    """
    if executor is not None:
        checked_executor(executor)
    token = _EXECUTOR.set((executor, flag(fallback, "fallback")))
    try:
        yield
    finally:
        _EXECUTOR.reset(token)


def tensors_of(trace: FunctionTrace, given: Any) -> list[Tensor] | None:
    """Return the tensors among the arguments of a call; None if they do not fit a trace."""
    found: list[Tensor] = []
    return found if _fits(trace.given, given, found) else None


def checked(trace: FunctionTrace) -> FunctionTrace:
    """Return a trace, after a check that its arguments and result fit its graph.

    Raises:
        ValueError: they do not fit.
    """
    parameters = [each.spec for each in trace.graph.parameters]
    if len(parameters) != len(trace.specs) or not all(
        map(TensorSpec.contains, parameters, trace.specs)
    ):
        raise ValueError(f"the graph {trace.graph.name!r} takes {parameters}, not {trace.specs}")
    for place in nest.flatten(trace.result):
        if place is not None:
            at(trace.graph.outputs, place, "a result")
    return trace


def _fits(like: Any, value: Any, found: list[Any]) -> bool:
    if isinstance(like, TensorSpec) and isinstance(value, TensorSpec):
        return value.dtype == like.dtype and like.shape.is_compatible_with(value.shape)
    if isinstance(like, TensorSpec):
        try:
            dtype = None if isinstance(value, _VALUES) else like.dtype
            tensor = convert_to_tensor(value, dtype=dtype)
        except (TypeError, ValueError):
            return False
        found.append(tensor)
        return tensor.dtype == like.dtype and like.shape.is_compatible_with(tensor.shape)
    if isinstance(like, dict):
        keys = isinstance(value, dict) and value.keys() == like.keys()
        return keys and all(_fits(like[key], value[key], found) for key in like)
    names = nest.field_names(value)
    if names is not None and names == nest.field_names(like):
        return all(_fits(getattr(like, name), getattr(value, name), found) for name in names)
    if isinstance(like, (list, tuple)):
        same = isinstance(value, (list, tuple)) and len(value) == len(like)
        return same and all(_fits(a, b, found) for a, b in zip(like, value))
    return type(like) is type(value) and bool(like == value)


class RestoredFunction:
    """A loaded function, which takes the arguments of its saved traces.

    Attributes:
        name: the name of the function.
        call_signature: the signature of its parameters.
        traces: its saved traces.
    """

    def __init__(
        self, name: str, parameters: Sequence[Parameter], traces: Sequence[FunctionTrace]
    ) -> None:
        self.name = self.__name__ = name
        self.call_signature = CallSignature(name, Signature(parameters))
        self.traces = tuple(traces)
        for args, kwargs in (each.given for each in traces):
            self.call_signature.bind(args, kwargs)  # A file may have arguments that no call has.
        self._functions = [_function_of(name, each) for each in traces]

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces as concrete functions, which take only tensors."""
        return [each.get_concrete_function() for each in self._functions]

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the trace for these arguments.

        Raises:
            UnknownArgumentsError: there is none; the message has the arguments of the saved traces.
        """
        given = self._given(args, kwargs)
        for trace, called in zip(self.traces, self._functions):
            tensors = tensors_of(trace, given)
            if tensors is not None:
                return called(*tensors)
        raise self._unknown(given)

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the concrete function for these arguments, which takes only the tensors.

        Args:
            args, kwargs: values or TensorSpecs; they may be left out if there is only one trace.

        Raises:
            UnknownArgumentsError: there is none; the message has the arguments of the saved traces.
        """
        if not args and not kwargs and len(self.traces) == 1:
            return self.concrete_functions[0]
        given = self._given(args, kwargs)
        for trace, concrete in zip(self.traces, self.concrete_functions):
            if _fits(trace.given, given, []):
                return concrete
        raise self._unknown(given)

    def _given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        values = self.call_signature.bind(args, kwargs)
        return self.call_signature.call_arguments(values)

    def _unknown(self, given: Any) -> UnknownArgumentsError:
        known = "; ".join(_shown(each.given) for each in self.traces)
        return UnknownArgumentsError(
            f"{self.name} was saved for other arguments than {_shown(mapped(given, _spec_of))}: it "
            f"takes {known}"
        )

    def __repr__(self) -> str:
        return f"<RestoredFunction {self.name}{self.call_signature.signature}>"


def _function_of(name: str, trace: FunctionTrace) -> Any:
    called = as_called_graph(trace.graph)

    def restored(*tensors: Any) -> Any:
        if current_recorder() is None:
            given = [convert_to_tensor(each)._array for each in tensors]  # type: ignore[attr-defined]
            outputs: Sequence[Any] = [
                result_tensor(each) for each in run_graph(called.graph, given)
            ]
        else:
            outputs = record_function_call(called, tensors)
        return mapped(trace.result, lambda place: None if place is None else outputs[place])

    restored.__name__ = restored.__qualname__ = name
    executor, fallback = _EXECUTOR.get()
    return function(
        restored,
        input_signature=trace.specs,
        autograph=False,
        executor=executor,
        fallback=fallback,
    )


def _spec_of(value: Any) -> Any:
    if isinstance(value, _VALUES):
        tensor = convert_to_tensor(value)
        return TensorSpec(tensor.shape, tensor.dtype)
    return value


def _shown(given: tuple[tuple[Any, ...], dict[str, Any]]) -> str:
    def text(value: Any) -> str:
        if isinstance(value, TensorSpec):
            return f"{value.dtype.name}{value.shape}"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key!r}: {text(each)}" for key, each in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(text, value)) + "]"
        return repr(value)

    args, kwargs = given
    parts = [*map(text, args), *(f"{key}={text(each)}" for key, each in kwargs.items())]
    return f"({', '.join(parts)})"


class SignatureFunction:
    """A signature: a function that takes tensors by name, and returns a dict of tensors.

    Attributes:
        name: the name of its function.
        called: its function, which has one trace.
    """

    def __init__(self, names: Sequence[str], called: RestoredFunction) -> None:
        self.name = called.name
        self._names, self.called = tuple(names), called

    @property
    def structured_input_signature(self) -> tuple[tuple[()], dict[str, TensorSpec]]:
        """The specs of its parameters: none by position, and TensorSpecs by name."""
        return (), dict(zip(self._names, self.called.traces[0].specs))

    @property
    def structured_outputs(self) -> dict[str, TensorSpec | None]:
        """The specs of its results by name; None for a result that is None."""
        trace = self.called.traces[0]
        specs = [each.spec for each in trace.graph.outputs]
        named = _by_name(mapped(trace.result, lambda at: None if at is None else specs[at]))
        return {
            name: spec if spec is None else TensorSpec(spec.shape, spec.dtype, name)
            for name, spec in named.items()
        }

    def __call__(self, *only: Any, **tensors: Any) -> dict[str, Any]:
        """Run it with tensors by name; a single one may be passed by position.

        Raises:
            SignatureError: tensors are missing, unknown, or of another dtype or shape.
        """
        if len(only) == len(self._names) == 1 and not tensors:
            tensors = dict(zip(self._names, only))
        elif only:
            raise SignatureError(
                f"the signature takes {', '.join(self._names)} by name, not by position"
            )
        if sorted(tensors) != sorted(self._names):
            raise SignatureError(
                f"the signature takes {', '.join(self._names)} by name, not "
                f"{', '.join(tensors) or 'nothing'}"
            )
        trace = self.called.traces[0]
        given = [tensors[name] for name in self._names]
        fitted: list[Tensor] = []
        if not _fits(trace.specs, given, fitted):
            raise SignatureError(
                f"the signature takes {_shown((tuple(trace.specs), {}))}, not "
                f"{_shown((tuple(map(_spec_of, given)), {}))}"
            )
        return _by_name(self.called._functions[0](*fitted))

    def __repr__(self) -> str:
        return f"<SignatureFunction {self.name}({', '.join(self._names)})>"


def _by_name(result: Any) -> dict[str, Any]:
    if isinstance(result, dict):
        return result
    return {f"output_{at}": each for at, each in enumerate(nest.flatten(result))}


class RestoredObject(Module):
    """A loaded object: its attributes are variables, functions and other objects.

    Attributes:
        signatures: functions that take tensors by name; only the root object has it.
    """

    signatures: dict[str, SignatureFunction]

    @property
    def variables(self) -> Any:
        """The variables: those that the file lists, if it does, else all."""
        return self._listed("variables")

    @property
    def trainable_variables(self) -> Any:
        """The variables that are trained: those that the file lists, if it does, else all."""
        return self._listed("trainable_variables")

    @property
    def non_trainable_variables(self) -> Any:
        """The variables that are not trained: those that the file lists, if it does, else all."""
        return self._listed("non_trainable_variables")

    def _listed(self, name: str) -> Any:
        listed = vars(self).get(f"{LISTED}{name}")
        return listed if listed is not None else getattr(super(), name)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the function `__call__`, if one was saved.

        Raises:
            SignatureError: there is none.
        """
        called = vars(self).get("__call__")
        if called is None:
            raise SignatureError(
                "the object was saved without traces of `__call__`: call it, as a Function, before "
                "it is saved"
            )
        return called(*args, **kwargs)
