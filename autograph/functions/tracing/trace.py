"""Tracing: runs a Python function once on placeholders and keeps the recorded graph.

f(x: float32[2], n=3)   ->   graph f(%x: float32[2]) { ... }   ->   ConcreteFunction
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograph.backends.graph.arrays.staged_array import tracking_arrays
from autograph.backends.graph.iterators.unrolling import WARNED
from autograph.backends.graph.state.change_detection import changed
from autograph.backends.graph.state.reachability import Reach
from autograph.backends.graph.tracing.trace_exceptions import becomes_node, calls_here, stage_error
from autograph.backends.graph.tracing.value_tensors import recording_results
from autograph.conversion.rules import function_behind
from autograph.errors import AutographError, LeakError, ResultError
from autograph.functions.arguments.copies import rebuild
from autograph.functions.arguments.key_relations import has_python_inputs, spec_of
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.signature_text import ObjectName, call_text, short_spec
from autograph.functions.arguments.trace_key import UNREAD, Key, has_sharing
from autograph.functions.arguments.variable_arguments import IdentityMatters, PlaceholderVariables
from autograph.functions.concrete_functions.call_effects import CallEffects
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.stateful_function import (
    MissingStateInput,
    StatefulConcreteFunction,
)
from autograph.functions.results import (
    exception_contents as exception_contents,  # reports the state that an exception keeps
)
from autograph.functions.results.object_templates import ObjectTemplates, holds_symbolic
from autograph.functions.results.result_structure import collect
from autograph.functions.side_effects.argument_mutation import ArgumentWatch, warn_of_changed_views
from autograph.functions.side_effects.external_changes import ExternalChanges
from autograph.functions.side_effects.irreversible_effects import stop_listening
from autograph.functions.side_effects.trace_time_effects import names_of_changes
from autograph.functions.state.environment_guards import environment_guards
from autograph.functions.state.guards import guards_of
from autograph.functions.state.keys import NOTHING_HELD, StateValues
from autograph.functions.state.places import WHOLE, StatePlace, place_of
from autograph.functions.tracing.active_traces import Tracing, innermost, tracing
from autograph.functions.tracing.custom_key_checks import refuse_state_of_keyed
from autograph.functions.tracing.own_variables import OwnVariables
from autograph.functions.tracing.placeholders import StatePlaceholders
from autograph.functions.tracing.unrolled_loops import warn_of_unrolled
from autograph.operators.call_listeners import masked_by_generator, stop_listeners
from autograph.operators.tracebacks import drop_internal_frames, end_at, note_trace
from runtime import nest
from runtime.core.context import Origin, current_recorder, finding_call_path, is_plumbing
from runtime.core.internal_files import is_internal_file
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.data.base_types import AnyDataset
from runtime.data.element_spec import DatasetSpec
from runtime.errors import OpError, VariableCreationError
from runtime.executors.compile_options import CompileOptions, set_compile_options
from runtime.graph.capture import has_unowned_variables
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.passes.prune import may_fail, prune, shows_failure
from runtime.state.variable import Variable

ProgressLine = lazy_import("runtime.display.progress_line:ProgressLine")
add_advice = lazy_import("autograph.functions.tracing.unconverted_advice:add_advice")
change_of = lazy_import("autograph.syntax.user_lines:change_of")
complete_message = lazy_import("runtime.core.keyword_suggestions:complete_message")
result_of = lazy_import("autograph.syntax.user_lines:result_of")
unconverted_error = lazy_import("autograph.functions.tracing.unconverted_advice:unconverted_error")

_of_value = lazy_import("runtime.data.graph_inputs:of_value")

# The least number of nodes of a graph in which unrolled loops cause a warning.
_LONG = 100

Undo = Callable[[], bool]
_ATOMS = (bool, int, float, complex, str, bytes, type(None))


class Traceable(NamedTuple):
    """A Python function made ready to be traced.

    Attributes:
        run: the converted function, with the parameters of the user's function.
        signature: the parameters of `run`, without a bound `self`.
        python_function: the user's function.
        is_guarded: whether its reads of state get guards.
        has_fast_guards: whether they get guards that are fast to check.
        compile_options: the compile options of its graphs.
        of_network: whether it is a step of a network, as in `TraceTimeEffects`.
    """

    run: Callable[..., object]
    signature: CallSignature
    python_function: Callable[..., object]
    is_guarded: bool = False
    compile_options: CompileOptions = CompileOptions()
    of_network: bool = False
    has_fast_guards: bool = False


def trace(
    target: Traceable,
    values: tuple[object, ...],
    key: Key,
    held: StateValues = NOTHING_HELD,
    on_begin: Callable[[Undo], None] = lambda undo: None,
    specialized_variables: Collection[int] = (),
    closed_lines: Collection[Origin] = (),
) -> ConcreteFunction:
    """Run a function on placeholders; return a concrete function of the recorded graph.

    Args:
        target: the function.
        values: one value per parameter; only their Python parts are used.
        key: one key per parameter; it says which leaves of `values` are tensors.
        held: the places that the function is known to write, with their values.
        on_begin: called, before the function runs, with a function that undoes the trace.
        specialized_variables: the identities of variables that the trace is specialized for.
        closed_lines: the lines that created variables in an earlier trace for the same key; they
            may not create any again.

    Raises:
        IdentityMatters: the function depends on the identity of a variable.
        MissingStateInput: it writes to a place whose value must be an input of the graph.
        Exception: the exception of the user's function, the same object, with a note that names the
            traced call.
        UnconvertedUseError: a library got a tensor that it cannot use.
        AutographError: no graph can act as the function: it leaves a tensor where no call can
            write one, returns a value that no call can build, or creates variables that each call
            would create again.
    """
    signature = target.signature
    template = tuple(
        rebuild(value, part, parameter.name, _named_spec, _without_strong_references)
        for (parameter, value), part in zip(signature.named(values), key)
    )
    graph = Graph(signature.name)
    graph.is_self_contained = True
    graph.used_creation_lines = closed_lines
    graph.initialized_variables = []
    variables = PlaceholderVariables(graph, specialized_variables)
    this = tracing(target.python_function)
    try:
        line = ProgressLine(lambda: f"tracing {signature.name}: {len(graph):,} nodes")
        with line, this as active, OwnVariables() as own_variables:
            recorded, outside = _record(
                target, graph, variables, values, key, held, on_begin, active
            )
        outside.trace_time_effects.forget()
        own_variables.decide_lifetimes(
            graph, outside.snapshot.has_used_random_numbers(), outside.reach
        )
        if (masked := masked_by_generator(graph.refusals)) is not None:
            raise masked
    except (IdentityMatters, MissingStateInput):
        raise
    except Exception as error:
        if not _is_internal(target.python_function):
            note_trace(error, call_text(signature, template, key, short_spec))
        drop_internal_frames(error)
        if type(error) is TypeError:
            complete_message(error)
        add_advice(error)
        _add_origin(error, target.python_function)
        if isinstance(error, AutographError):
            end_at(error, error.origin)
        refusal = unconverted_error(error)
        if refusal is not None:
            raise refusal from error
        raise
    makes_variables = bool(graph.created_variables or own_variables.lines)
    if current_recorder() is None and not makes_variables and not graph.initialized_variables:
        outside.one_time_values.warn(outside.snapshot.knows)
        outside.warn_of_taken_items(target.python_function)
    warn_of_changed_views(graph, active.arrays)
    finished = prune(graph, own_variables.kept)
    verify(finished)
    set_compile_options(finished, target.compile_options)
    if graph not in WARNED and _is_long(finished):
        warn_of_unrolled(finished)
    if recorded.has_effects or held.places:
        stateful = StatefulConcreteFunction(signature, key, template, finished, held, recorded)
        stateful.serves_one_call = _is_of_one_call(stateful, outside.reach)
        stateful.has_irreversible_effects = outside.snapshot.has_irreversible_effects()
        stateful.effects = outside.snapshot.effects.found
        made: ConcreteFunction = stateful
    else:
        made = ConcreteFunction(signature, key, template, finished, recorded.structure)
        made.must_be_inlined = active.always_raises or makes_variables or bool(outside.unrepeatable)
        made.python_changes = names_of_changes(changed(outside.reach))
        made.undo_callbacks = tuple(active.undo_callbacks if innermost() is not None else ())
        made.environment = environment_guards(target.python_function, values, outside.reach)
    made.guards, made.guard_policy = recorded.guards, active.guard_policy
    made.initializes_variables = bool(graph.initialized_variables)
    made.variables_made_at = frozenset(filter(None, [*graph.created_at, *own_variables.lines]))
    if outside.unrepeatable and not made.variables_made_at:
        made.serves_one_call = True
        made.unrepeatable = outside.unrepeatable[0]
    return made


def _is_long(graph: Graph) -> bool:
    """Return whether a graph, or a region in it, has more than `_LONG` nodes."""
    inside = (region for node in graph.nodes for region in node.regions)
    return len(graph.nodes) > _LONG or any(map(_is_long, inside))


def _is_of_one_call(stateful: StatefulConcreteFunction, reach: Reach) -> bool:
    """Return whether a trace depends on state set by code that ran only while tracing.

    Such code has created an object that the graph changes, or assigned a place that the graph
    reads. Later calls do not run it, and find other state.
    """
    if any(_owner_identity(place) in reach.made for place in stateful.new_places):
        return True
    state = (*stateful.places, *(write.place for write in stateful.writes))
    found = {(_owner_identity(place), place.key) for place in state}
    lifted = (place_of(each, key) for each, key in reach.lifted)
    return any(
        (_owner_identity(place), key) in found for place in lifted for key in (place.key, WHOLE)
    )


def _owner_identity(place: StatePlace) -> object:
    """Return the identity of the owner of a place."""
    owner = place.identity[0]
    return owner[1] if isinstance(owner, tuple) else owner


def _is_internal(function: Callable[..., object]) -> bool:
    """Return whether a function is of these packages, as the step of `fit` is."""
    found = function_behind(function)
    return found is not None and is_internal_file(found.__code__.co_filename)


def _add_origin(error: Exception, function: Callable[..., object]) -> None:
    """Set the user's line in an error of ours that has none.

    That of an `OpError` is the line of the op, as an error at run time has it. An error about the
    state or result of a whole trace gets the line that changes or returns it.
    """
    if getattr(error, "origin", ()) is not None:
        return
    if isinstance(error, LeakError):
        error.origin = change_of(function, [error.place])
    elif isinstance(error, ResultError):
        error.origin = result_of(function)
    if not isinstance(error, OpError):
        return
    entry = error.__traceback__
    while entry is not None:
        if not is_plumbing(entry.tb_frame):
            code = entry.tb_frame.f_code
            error.origin = Origin(code.co_filename, entry.tb_lineno, code.co_name)
        entry = entry.tb_next


def _record(
    target: Traceable,
    graph: Graph,
    variables: PlaceholderVariables,
    values: tuple[object, ...],
    key: Key,
    held: StateValues,
    on_begin: Callable[[Undo], None],
    this: Tracing,
) -> tuple[CallEffects, ExternalChanges]:
    arguments = _placeholders(target.signature, graph, variables, values, key, this.arrays)
    names = [parameter.name for parameter in target.signature.parameters]
    placeholders = StatePlaceholders(graph)
    try:
        placeholders.lift(held.places, held.keys)
        with ExitStack() as stack, graph.recording():
            function, is_step = target.python_function, target.of_network
            outside = ExternalChanges(function, [*zip(names, arguments)], held.places, is_step)
            # Arrays that exist at this point are from outside.
            stack.enter_context(tracking_arrays())
            placeholders.begin_arrays()
            on_begin(partial(_undo, outside, placeholders, this))
            try:
                with outside.identities:
                    result = _call(target, arguments)
                if any(place.element is not None for place in held.places):
                    outside.check_uses(held.places)
            except BaseException as error:
                if (place := outside.place_of_changed(error)) is not None:
                    raise MissingStateInput(place) from error
                if has_python_inputs(held.keys) or not _is_raised_by_graph(error, graph):
                    outside.revert()
                    raise
                stage_error(error)
                this.always_raises = True
                result = None
            with outside.identities:
                recorded, tensors = _collect_effects(
                    result, outside, variables, target.signature.name
                )
                refuse_state_of_keyed(zip(names, arguments, key), result, recorded, outside, graph)
            is_guarded = target.is_guarded or this.guard_policy != "off"
            if is_guarded or target.has_fast_guards:
                places = (write.place for write in recorded.writes)
                written = [*places, *recorded.unwritten, *held.places]
                guards = guards_of(outside.reach, written, is_fast=not is_guarded)
                recorded = recorded._replace(guards=guards)
        for leaf in nest.flatten(result):
            if isinstance(leaf, SymbolicTensor):
                # The error for a returned tensor that is out of scope is raised here, as one of a
                # result.
                graph.capture(leaf)
        with recording_results():
            graph.set_outputs(tensors)
            outside.reach.keeper = None
    finally:
        placeholders.undo()
        stop_listeners(graph)
        stop_listening(graph)
    _refuse_forgotten_variables(graph)
    return recorded, outside


def _undo(outside: ExternalChanges, placeholders: StatePlaceholders, this: Tracing) -> bool:
    """Undo a trace; return whether all state is restored.

    The placeholders come last: they were in their places when the snapshot was taken.
    """
    is_undone = outside.undo()
    placeholders.undo()
    this.undo_nested_traces()
    return is_undone


def _is_raised_by_graph(error: BaseException, graph: Graph) -> bool:
    """Return whether the graph has to raise the exception of a function that always raises.

    If the graph has effects, or nodes that may fail, before the `raise`, or if the exception holds
    tensors of the graph, each call runs the graph. Otherwise the exception is raised while tracing.
    """
    if not becomes_node(error):
        return False
    if graph.effect in ("write", "io") or holds_symbolic(error):
        return True
    return any(shows_failure(node) and may_fail(node) for node in graph.nodes)


def _call(target: Traceable, arguments: tuple[object, ...]) -> object:
    signature = target.signature
    watch = ArgumentWatch(zip((p.name for p in signature.parameters), arguments))
    args, kwargs = signature.call_arguments(arguments)
    with finding_call_path(calls_here):
        result = target.run(*args, **kwargs)
    watch.check(f"{signature.name}{signature.signature}", target.python_function)
    return result


def _collect_effects(
    result: object, outside: ExternalChanges, variables: PlaceholderVariables, name: str
) -> tuple[CallEffects, list[Tensor]]:
    """Return the effects of calling the graph, and the outputs that they need."""
    tensors: list[Tensor] = []
    is_left = outside.holds_any(variables.identities)
    changes = outside.revert()
    variables.check(is_left)
    templates = ObjectTemplates(tensors, outside.known, outside.identities)
    left = [change.new for change in changes]
    structure = collect(result, templates, name, outside.own_objects(changes), left)
    writes = outside.writes(changes, templates)
    for each in outside.identities.containers_to_write():
        templates.identify(each, "a container")
    containers = outside.containers(changes, templates)
    unwritten = [
        *outside.unwritten(changes),
        *outside.contents(changes, templates),
        *outside.other_names(changes, templates),
    ]
    return CallEffects(structure, writes, unwritten, containers), tensors


def _refuse_forgotten_variables(graph: Graph) -> None:
    if has_unowned_variables(graph):
        raise VariableCreationError(
            f"{graph.name} creates a Variable in every call; create it outside the function, "
            "or use a tensor",
            next(filter(None, graph.created_at), None),
        )


def _placeholders(
    signature: CallSignature,
    graph: Graph,
    variables: PlaceholderVariables,
    values: tuple[object, ...],
    key: Key,
    arrays: list[SymbolicTensor],
) -> tuple[object, ...]:
    """Return the function's arguments in a trace; append those for NumPy arrays to `arrays`."""
    datasets: dict[int, AnyDataset] = {}
    sets: dict[int, set[Any]] = {}

    def placeholder(part: Key, path: str, value: Any) -> SymbolicTensor | Variable | AnyDataset:
        if part[0] == "variable":
            return variables.placeholder_for(value, path)
        if part[0] == "dataset":
            dataset = _of_value(part[1], graph.add_input(spec_of(part), path))
            return datasets.setdefault(id(value), dataset)
        tensor = graph.add_input(spec_of(part), _spec_name(value) or path)
        if isinstance(value, np.ndarray):
            arrays.append(tensor)
        return tensor

    def other(part: Key, value: Any) -> Any:
        # `ArgumentWatch` compares the sets that the function gets, so it must not get the caller's.
        return sets.setdefault(id(value), value.copy()) if isinstance(value, set) else value

    # A list that is passed twice is one list in the trace, too.
    made: dict[int, Any] | None = {} if has_sharing(key) else None
    return tuple(
        rebuild(value, part, parameter.name, placeholder, other, made)
        for (parameter, value), part in zip(signature.named(values), key)
    )


def _spec_name(value: Any) -> str | None:
    return value.name if isinstance(value, TensorSpec) else None


def _named_spec(part: Key, path: str, value: Any) -> Any:
    if part[0] == "dataset":
        return DatasetSpec(part[1].structure)
    return spec_of(part, _spec_name(value) or path)


def _without_strong_references(part: Key, value: Any) -> Any:
    """Return a value for the template, without strong references to objects keyed by identity."""
    if part == UNREAD:
        return _unread_argument(value)
    if part[0] == "object":
        return ObjectName(value)
    if part[0] == "set":
        return value.copy()  # the caller may change the set later
    if part[0] == "keyed":
        return None  # the trace key of the object is in `key`
    return ObjectName(value.__self__) if part[0] == "method" else value


def _unread_argument(value: Any) -> Any:
    """Return the template of an argument that the function does not read.

    Numbers and texts stay; other objects are not kept alive.
    """
    if all(isinstance(leaf, _ATOMS) for leaf in nest.flatten(value)):
        return value
    if type(value) in (tuple, dict):  # `*args` and `**kwargs`
        return type(value)()
    return ObjectName(value) if type(value).__weakrefoffset__ else None
