"""The contents of a saved object: its objects, its functions with their traces, its signatures."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from autograph.errors import ConversionError, SignatureError
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.result_tensors import result_tensors
from autograph.functions.concrete_functions.stateful_function import StatefulConcreteFunction
from autograph.functions.function import Function
from autograph.saved_model.model_call import call_of, line_in_call
from autograph.saved_model.restored import RestoredFunction, SignatureFunction
from autograph.syntax.user_lines import change_of, definition_of, result_of
from runtime import nest
from runtime.core.context import current_recorder
from runtime.core.spec import TensorSpec
from runtime.core.stored_attributes import stored_attributes
from runtime.core.tensor import Tensor
from runtime.errors import NotBuiltError
from runtime.export.report import Omission
from runtime.export.traces import FunctionTrace, Signature, TracedFunction
from runtime.graph.graph import Graph
from runtime.nn.models.model import Model
from runtime.state.variable import Variable
from runtime.train.object_graph import TrackedObject, is_tracked, objects_in

Saveable = Function | ConcreteFunction | RestoredFunction
_SAVEABLE = (Function, ConcreteFunction, RestoredFunction)

DEFAULT = "serving_default"
_NO_INPUTS = (
    "its inputs are unknown: call the model before it is saved, or give signatures= if it takes "
    "several arguments"
)
_PLAIN = (TensorSpec, bool, int, float, complex, str, bytes, type(None))


class Contents(NamedTuple):
    """The contents of a saved object.

    Attributes:
        objects: its objects, the first of which is the object itself.
        functions: for each object its functions that have traces, by name.
        signatures: traces with the names of their inputs and outputs.
        omissions: the parts of the object that are left out.
    """

    objects: list[TrackedObject]
    functions: list[dict[str, TracedFunction]]
    signatures: dict[str, Signature]
    omissions: list[Omission]


def contents_of(obj: Any, signatures: Any = None) -> Contents:
    """Return the contents of an object; missing traces are made.

    Args:
        obj: the object.
        signatures: Functions with an input signature, concrete functions, and signatures of loaded
            objects, by name, or a single one; by default it is the only Function of the object, if
            that has an input signature, else the call of a model that is told its inputs.

    Raises:
        ConversionError: the object cannot have attributes, or a graph records.
        SignatureError: a function takes or returns a value that cannot be saved, or a signature is
            no function of tensors.
    """
    if current_recorder() is not None:
        raise ConversionError("a model cannot be saved inside of a graph: save it outside")
    if not is_tracked(obj):
        raise ConversionError(
            f"saved_model.save takes an object with attributes, such as a Module, not {obj!r}"
        )
    for each in objects_in(obj):
        for _, function in functions_of(each.value):
            make_missing_traces(function)
    named = _default(obj) if signatures is None else _signatures(signatures)
    call, omissions = None, list[Omission]()
    if signatures is None and not named and isinstance(obj, Model):
        try:
            call = named[DEFAULT] = call_of(obj)
        except NotBuiltError:
            omissions.append(Omission(f"the call of {obj.name!r}", _NO_INPUTS))
    for function in named.values():
        make_missing_traces(function)
    found = objects_in(obj)  # A trace may have made variables.
    known: dict[int, FunctionTrace] = {}
    functions = [
        {} if isinstance(each.value, Variable) else _traced_functions(each.value, known)
        for each in found
    ]
    if call is not None:
        functions[0].setdefault("__call__", traced_call(obj, call, known))
    offered = {name: _named(name, each, known) for name, each in named.items()}
    return Contents(found, functions, offered, omissions)


def functions_of(value: Any) -> Iterator[tuple[str, Saveable]]:
    """Yield the Functions that are attributes of an object or methods of its class, by name."""
    names = dict.fromkeys(name for kind in type(value).__mro__ for name in vars(kind))
    names.update(dict.fromkeys(stored_attributes(value)))
    for name in names:
        held = stored_attributes(value).get(name)
        if held is None:
            held = next((vars(k)[name] for k in type(value).__mro__ if name in vars(k)), None)
        if isinstance(held, _SAVEABLE):
            yield name, getattr(value, name)


def traced_function(
    called: Saveable, known: dict[int, FunctionTrace] | None = None
) -> TracedFunction:
    """Return a function with its traces.

    Args:
        called: the function.
        known: traces by the identity of their concrete functions, to which new ones are added.

    Raises:
        SignatureError: a trace has an argument or a result that cannot be saved.
    """
    if isinstance(called, RestoredFunction):
        return TracedFunction(called.name, called.call_signature.parameters, called.traces)
    traces = [called] if isinstance(called, ConcreteFunction) else called.traces.traces()
    signature = called._signature if isinstance(called, ConcreteFunction) else called.call_signature
    known = {} if known is None else known
    for each in traces:
        if id(each) not in known:
            known[id(each)] = _trace(each, signature.function)
    found = [known[id(each)] for each in traces]
    return TracedFunction(signature.name, signature.parameters, found, signature.function)


def traced_call(
    model: Any, called: Function, known: dict[int, FunctionTrace] | None = None
) -> TracedFunction:
    """Return the call of a model with its traces.

    Raises:
        SignatureError: it cannot be saved; the line is that of the user's own `call`.
    """
    try:
        return traced_function(called, known)
    except SignatureError as error:
        told = error.message.partition(" ")[2]
        origin = line_in_call(model, called.traces.traces()[-1])
        raise SignatureError(f"model {model.name!r} {told}", origin) from None


def _trace(concrete: ConcreteFunction, function: Callable[..., object] | None) -> FunctionTrace:
    given = [each for each in concrete.inputs if isinstance(each, Variable)]
    if given:
        told = f"it is given the Variable {given[0].name!r}: use one of the object's own"
        raise SignatureError(f"{concrete.name} cannot be saved: {told}", definition_of(function))
    state = isinstance(concrete, StatefulConcreteFunction) and concrete.arrays_read()
    if isinstance(concrete, StatefulConcreteFunction) and state is None and concrete.names_of_state:
        names = concrete.names_of_state
        told = f"it changes state of Python: {names}; make it an rt.Variable"
        raise SignatureError(
            f"{concrete.name} cannot be saved: {told}",
            change_of(function, map(ast.literal_eval, names.split(", "))),
        )
    try:
        made = result_tensors(concrete, state or ())
    except SignatureError as error:
        error.origin = result_of(function)
        raise
    records = [f"a {name} is a named tuple" for name in sorted(_records_in(made.result))]
    notes = (*made.notes, *records)
    return FunctionTrace(concrete.structured_input_signature, made.graph, made.result, notes)


def _records_in(result: Any) -> set[str]:
    """Return the names of the classes of dataclasses in a result."""
    found = set[str]()

    def look(part: Any) -> None:
        if nest.field_names(part) is not None and not isinstance(part, tuple):
            found.add(type(part).__name__)
        for each in nest.children(part) or ():
            look(each)

    look(result)
    return found


def _traced_functions(value: Any, known: dict[int, FunctionTrace]) -> dict[str, TracedFunction]:
    found = {name: traced_function(each, known) for name, each in functions_of(value)}
    return {name: each for name, each in found.items() if each.traces}


def _named(name: str, called: Saveable, known: dict[int, FunctionTrace]) -> Signature:
    function = traced_function(called, known)
    return Signature.of_trace(name, function, function.traces[-1])


def graphs_of(called: Saveable) -> list[Graph]:
    """Return the graphs of the traces of a function."""
    if isinstance(called, ConcreteFunction):
        return [called.graph]
    traces = called.traces.traces() if isinstance(called, Function) else called.traces
    return [each.graph for each in traces]


def make_missing_traces(called: Saveable) -> None:
    """Make the traces that a loaded Function needs.

    These are the trace of the input signature, and those for arguments of calls whose trace served
    only one call, such as a call that made variables.
    """
    if not isinstance(called, Function):
        return
    if called.input_signature is not None:
        called.get_concrete_function()
    for record in called.traces.history:
        if record.serves_one_call and not called.traces.state_keys(record.key):
            args, kwargs = called.call_signature.call_arguments(record.values)
            if _can_be_saved((args, kwargs)):
                called.get_concrete_function(*args, **kwargs)


def _can_be_saved(given: Any) -> bool:
    return all(isinstance(each, (*_PLAIN, Tensor)) for each in nest.flatten(given))


def _default(obj: Any) -> dict[str, Saveable]:
    """Return the only function of an object under the default name, if it can be a signature."""
    found = [each for _, each in functions_of(obj)]
    if len(found) != 1 or not isinstance(found[0], Function):
        return {}
    expected = found[0].input_signature
    if expected is None or not all(isinstance(each, TensorSpec) for each in expected):
        return {}
    return {DEFAULT: found[0]}


def _signatures(given: Any) -> dict[str, Saveable]:
    if not isinstance(given, Mapping):
        given = {DEFAULT: given}
    for name, each in given.items():
        if not isinstance(name, str) or not isinstance(each, (*_SAVEABLE, SignatureFunction)):
            raise SignatureError(
                "signatures must be a dict from names to Functions or concrete functions, not "
                f"{name!r}: {each!r}"
            )
        if isinstance(each, Function) and each.input_signature is None:
            raise SignatureError(
                f"the signature {name!r} is a Function that takes arguments of any kind: give "
                "its get_concrete_function(...), or an input_signature"
            )
        if isinstance(each, RestoredFunction) and len(each.traces) != 1:
            raise SignatureError(
                f"the signature {name!r} is a loaded function with {len(each.traces)} traces: give "
                "its get_concrete_function(...)"
            )
    return {
        name: each.called if isinstance(each, SignatureFunction) else each
        for name, each in given.items()
    }
