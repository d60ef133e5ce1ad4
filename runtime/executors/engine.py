"""Engines: libraries that run whole graphs, such as XLA.

An engine computes with arrays and has no exceptions of Python's: it says in a status whether a run
is good. Outputs and new values of variables count only then. Of any other run nothing is kept, and
the NumPy executor runs the call again, which raises what Python raises.

    engine.compile(graph).run([x, v])  ->  Outcome(OK, outputs=[y], values={1: new value of v})
                                       ->  Outcome(ERROR)                an error: NumPy runs it
                                       ->  Outcome(REFUSED, refused=...) not for these shapes
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from runtime.core.context import Origin, caller_origin
from runtime.core.device_tensor import ToDevice
from runtime.core.mesh import current_mesh, host_array
from runtime.core.source_names import warn_at
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.errors import (
    DataLossError,
    EngineWarning,
    FailedPreconditionError,
    OpError,
    UnavailableError,
    UnimplementedError,
    with_article,
)
from runtime.graph.callee import called_graphs
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import CHANGING
from runtime.passes.cse import changed_variables, written_handles
from runtime.state.variable import DEVICE_VALUES, Variable

# A compiled program as a function of arrays; it returns None for a run that is not good.
Direct = Callable[..., "Sequence[Any] | None"]

# Ops whose only effect is to raise an error, or to go on with one.
_RAISING = frozenset(
    (
        *("assert", "assert_data", "assert_rank", "assert_relation", "assert_shapes"),
        *("check", "check_numerics", "refuse", "raise", "raise_again", "leave_try", "note_state"),
    )
)


class Status(Enum):
    """The status with which an engine's run ends.

    Attributes:
        OK: outputs and values are right.
        ERROR: the NumPy executor would raise an error here, or the engine cannot tell.
        ROOM: a list, or another value without a fixed size, has outgrown its buffer.
        REFUSED: the engine cannot run the graph on arguments of these shapes.
    """

    OK = "ok"
    ERROR = "error"
    ROOM = "room"
    REFUSED = "refused"


class Outcome(NamedTuple):
    """The result of an engine's run.

    Attributes:
        status: whether the rest counts.
        outputs: one array per output of the graph.
        values: the value of each variable that the run has assigned, also where it is the one
            before, by the number of the graph's input that stands for the variable.
        refused: for REFUSED, the nodes that the engine cannot run, at least one.
        form: the same object for all good runs of the same dtypes and shapes, of which one is
            compared with the graph; None to have each run compared.
    """

    status: Status
    outputs: Sequence[Any] = ()
    values: Mapping[int, Any] = {}
    refused: Sequence[Refusal] = ()
    form: object = None


class Refusal(NamedTuple):
    """A node that an engine cannot run.

    Attributes:
        op: the name of the op.
        reason: the reason, as the end of "the engine has ...".
        origin: the user's line.
    """

    op: str
    reason: str
    origin: Origin | None = None


@runtime_checkable
class Program(Protocol):
    """A graph that an engine has compiled.

    Attributes:
        source: the program as text, for people.

    It may have a method `refusals()`, which returns the nodes that it is going to refuse at the
    shapes of the graph's inputs, where they are known. After a good run it may have an attribute
    `direct`: a function of arrays of the engine's, one per input of the graph, that returns the
    results and after them the new values of the inputs whose numbers are in its attribute
    `changed`; these outputs have the dtypes and shapes of that run. It returns None for a run
    that is not good, and raises an error for arrays that only `run` takes. Inputs whose numbers are
    in its attribute `donated` it may change in place, if such a run is always good. It
    may have an attribute `direct_from_numpy`, too: the same for arrays among which some are of
    NumPy. It neither writes to these nor reads them after it has returned.
    """

    @property
    def source(self) -> str: ...

    def run(self, inputs: Sequence[Array]) -> Outcome:
        """Run on one array per input of the graph; those of variables are their values.

        The arrays are read-only.
        """


@runtime_checkable
class Engine(Protocol):
    """A library that runs whole graphs.

    Attributes:
        name: its name, as in `ag.function(executor=name)`.

    It may have an attribute `array_types`, a tuple of classes of arrays on a device: it then gets
    its own results, and values of variables, as such arrays, and NumPy sees copies of them. A
    method `to_device(array)` then returns a copy of a NumPy array as such an array. A method
    `on_mesh(given)` returns an argument, an array or a variable, on the devices of the current
    mesh.
    With an attribute `moves_streams` that is true it runs ops that draw random numbers by seeds: it
    moves their streams on in the runs that are good only. An attribute `own_passes` has passes of
    its own by those that they stand for.
    """

    @property
    def name(self) -> str: ...

    def refusals(self, graph: Graph) -> Sequence[Refusal]:
        """Return the nodes of a graph that it cannot run; it is compiled if there is none."""

    def compile(self, graph: Graph) -> Program:
        """Return a graph, which is optimized, as a program."""


class EngineFunction:
    """A graph that an engine runs, with the NumPy executor for the runs that are not good.

    Args:
        engine: the engine.
        graph: the optimized graph.
        run_again: runs the graph on the same arguments in the NumPy executor.
        fallback: whether the NumPy executor runs what the engine refuses.

    Attributes:
        source: the program of the engine as text.
        reruns: the number of runs that were thrown away.
        refused: the nodes that the engine has refused, so that the NumPy executor ran the graph.

    Raises:
        UnimplementedError: the engine refuses the graph; the message names each node and its line.
    """

    def __init__(
        self,
        engine: Engine,
        graph: Graph,
        run_again: Callable[[Sequence[Any]], Sequence[Any]],
        fallback: bool = False,
    ) -> None:
        self._engine, self._run_again, self._fallback = engine, run_again, fallback
        self.reruns, self._broken = 0, ""
        self._program: Program | None = None
        found = self._answer(lambda: refusals(engine, graph), _wrong_refusals)
        self.refused: Sequence[Refusal] = found or ()
        if found is not None and not self._falls_back(found):
            self._program = self._answer(lambda: engine.compile(graph), _wrong_program)
        self._array_types = (np.ndarray, *getattr(engine, "array_types", ()))
        # The classes of arrays on a device that were arguments so far.
        self._device_types: set[type] = set()
        self._on_mesh: Callable[[Any], Any] | None = getattr(engine, "on_mesh", None)
        self._to_device = moves_to_device(engine)
        captured: list[Any] = [capture.outer for capture in graph.captures]
        # Captured tensors never change.
        self._captured = [x if isinstance(x, Variable) else _read_only(x._array) for x in captured]
        self._captured_tensors = [x for x in self._captured if not isinstance(x, Variable)]
        self._outputs = [(spec, spec.dtype.np_dtype, spec.shape.dims) for spec in _specs(graph)]
        self._written = _written_inputs(graph)
        self._assigned = assigned_inputs(graph)
        self._changes_state = _changes_state(graph)
        # The form of outcomes that was found to fit the graph.
        self._fitting: object = None
        self._has_variables = any(map(_is_handle, graph.inputs))
        self._takes_variables = any(map(_is_handle, graph.parameters))
        # True if the caller gives all arrays, and all captures are variables.
        self._is_direct = not (self._takes_variables or self._captured_tensors)
        # The second one takes arrays of `_direct_types`.
        self._direct: Direct | None = None
        self._direct_from_numpy: Direct | None = None
        self._direct_types: set[type] = {np.ndarray}
        # The variables whose new values they return, after the results.
        self._direct_changed: list[Variable] = []
        # Those of them that change in place, with the numbers of their inputs.
        self._donated: list[tuple[int, Variable]] = []

    @property
    def refusal_text(self) -> str:
        """The nodes that the engine refuses, with the reasons and lines.

        Nodes that it refuses at certain shapes are among them after a run, or if it finds them
        without a run.
        """
        program = self._program
        later = self._answer(lambda: getattr(program, "refusals", tuple)(), _wrong_refusals)
        found = self.refused or later or ()
        return "\n".join(_lines(self._engine, found)) or self._broken

    def _answer(self, ask: Callable[[], Any], difference: Callable[[Any], str]) -> Any:
        """Return what the engine answers; None, with a warning, if it breaks the contract."""
        try:
            found = ask()
            wrong = difference(found)
        except Exception as error:
            wrong = _error_text(error)
        if not wrong:
            return found
        self._broken = f"the engine {self._engine.name} {wrong}"
        _warn(self._engine, wrong, "the NumPy executor runs the graph")
        return None

    def _falls_back(self, refused: Sequence[Refusal]) -> bool:
        """Return whether there are refused nodes and the NumPy executor runs the graph instead."""
        if refused and not self._fallback:
            raise UnimplementedError(_told(self._engine, refused), refused[0].origin)
        return bool(refused)

    @property
    def source(self) -> str:
        """The program of the engine as text."""
        program = self._program
        return "" if program is None else self._answer(lambda: program.source, _wrong_text) or ""

    @property
    def compiled_source(self) -> str:
        """The program after the passes of the engine's own, if it has such a text."""
        return str(getattr(self._program, "compiled_source", self.source))

    def function(self, *arrays: Any) -> Sequence[Any]:
        """Run on one array, or variable, per parameter of the graph."""
        return self.run(arrays)

    def run(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Run on one array, or variable, per parameter of the graph.

        Raises:
            Exception: the error that the NumPy executor raises for these arguments.
        """
        return list(map(on_host, self.run_on_device(arrays)))

    def run_on_device(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Run as `run` does, but take and return arrays of the engine's, too.

        Raises:
            Exception: the error that the NumPy executor raises for these arguments.
        """
        if not self._changes_state:
            found = self._by_engine(arrays)
        else:
            # No other thread changes a variable between the reading of its value and the new one.
            with CHANGING:
                found = self._by_engine(arrays)
        return self._by_numpy(arrays) if found is None else found

    def _by_engine(self, arrays: Sequence[Any]) -> Sequence[Any] | None:
        """Run in the engine; None if it refuses the graph, or the run is not good."""
        direct = self._direct
        if direct is not None and current_mesh() is None:
            found = None
            if self._has_variables:
                found = self._run_on_variables(arrays)
            else:
                for each in arrays:
                    if type(each) not in self._device_types:
                        has_numpy = self._direct_types.issuperset(map(type, arrays))
                        direct = self._direct_from_numpy if has_numpy else None
                        break
                if direct is not None:
                    with suppress(Exception):  # Arrays on other devices; others, `run` tells below.
                        found = direct(*arrays)
            if found is not None:
                return found
        if self._program is None:
            return None
        given = [*arrays, *self._captured]
        outcome = self._outcome(self._program, given)
        if outcome is None:
            self.reruns += 1
            return None
        if outcome.status is Status.REFUSED:
            self._falls_back(outcome.refused)
            self.refused = list(dict.fromkeys([*self.refused, *outcome.refused]))
            return None
        if outcome.values:
            self._store(given, outcome.values)
        return outcome.outputs

    def _run_on_variables(self, arrays: Sequence[Any]) -> Sequence[Any] | None:
        """Run a graph with variables, and store their new values; None if `run` has to do it."""
        inputs = list(arrays)
        for variable in self._captured:
            held = vars(variable)
            inputs.append(None if "_array" in held else held.get("_device_array"))
        direct = self._direct
        if not self._device_types.issuperset(map(type, inputs)):
            has_numpy = self._direct_types.issuperset(map(type, inputs))
            direct = self._direct_from_numpy if has_numpy else None
        if direct is None:
            return None
        if self._donated:
            with DEVICE_VALUES:
                return self._run_in_place(direct, inputs)
        try:
            found = direct(*inputs)
        except Exception:
            return None  # As for other graphs.
        return None if found is None else self._without_values(found)

    def _run_in_place(self, direct: Direct, inputs: list[Any]) -> Sequence[Any] | None:
        """Run on variables that do not hold their arrays meanwhile, which it may change in place.

        Raises:
            DataLossError: the engine has failed, and has changed an array already.
        """
        try:
            for at, variable in self._donated:
                inputs[at] = None
                inputs[at] = variable.take_device_array()
                if inputs[at] is None:
                    return None
            found = direct(*inputs)
            return None if found is None else self._without_values(found)
        except Exception as error:
            for at, variable in self._donated:
                if inputs[at] is not None and _is_gone(inputs[at]):
                    raise DataLossError(
                        f"the engine {self._engine.name} failed while it changed variable "
                        f"'{variable.name}' in place, and its value is lost: restore a checkpoint, "
                        "and run with less data at once if memory was short"
                    ) from error
            return None
        finally:
            for at, variable in self._donated:
                if variable.held_value() is None and not _is_gone(inputs[at]):
                    variable.store_on_device(inputs[at])

    def _without_values(self, found: Sequence[Any]) -> Sequence[Any]:
        """Store the new values of variables, and return the results before them."""
        if not self._direct_changed:
            return found
        last = len(found) - len(self._direct_changed)
        for variable, value in zip(self._direct_changed, found[last:]):
            variable.store_on_device(value)
        return found[:last]

    def _by_numpy(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Run on NumPy arrays, by its executor, which may keep them: views are copied."""
        return self._run_again(
            [
                np.array(each) if type(each) is np.ndarray and _is_view(each) else on_host(each)
                for each in arrays
            ]
        )

    def _store(self, given: Sequence[Any], values: Mapping[int, Any]) -> None:
        for at, value in values.items():
            if isinstance(value, np.ndarray):
                given[at].store(np.array(value))
            else:
                given[at].store_on_device(value)

    def _outcome(self, program: Program, given: Sequence[Any]) -> Outcome | None:
        """Return the outcome of a run that is good or refused; None for any other."""
        if self._takes_variables:
            variables = [id(each) for each in given if isinstance(each, Variable)]
            if len(set(variables)) < len(variables):
                return None  # the program would take one variable for two
        try:
            inputs = self._inputs_of(given)
        except (AttributeError, FailedPreconditionError):
            return None  # a variable has no value yet
        except Exception as error:
            self._throw_away(error)
            return None
        try:
            outcome = program.run(inputs)
            form = getattr(outcome, "form", None)
            if form is not None and form is self._fitting and outcome.status is Status.OK:
                return outcome
            wrong = self._difference(outcome, given)
            if not wrong and outcome.status is Status.OK:
                self._fitting = form
                self._find_direct(program, given)
        except Exception as error:
            self._throw_away(error)
            return None
        if wrong:
            self._throw_away(wrong)
            return None
        return outcome if outcome.status in (Status.OK, Status.REFUSED) else None

    def _throw_away(self, wrong: str | Exception) -> None:
        """Warn that a run breaks the contract.

        Raises:
            OpError: other processes are in the run, too.
        """
        if isinstance(wrong, Exception):
            if getattr(current_mesh(), "is_shared", False):
                raise disunited(wrong) from wrong
            wrong = _error_text(wrong)
        then = "its run is thrown away, and the NumPy executor runs the call"
        _warn(self._engine, wrong, then)

    def _find_direct(self, program: Program, given: Sequence[Any]) -> None:
        """Find the functions that a program has for later calls, after a good run."""
        if self._is_direct and current_mesh() is None:
            changed = [given[at] for at in getattr(program, "changed", ())]
            donated = [(at, given[at]) for at in getattr(program, "donated", ())]
            self._direct_changed, self._donated = changed, donated
            self._direct_from_numpy = getattr(program, "direct_from_numpy", None)
            self._direct = getattr(program, "direct", None)

    def _inputs_of(self, given: Sequence[Any]) -> Sequence[Any]:
        """Return the inputs of the program: read-only views, and arrays on a device."""
        if self._on_mesh is None or current_mesh() is None:
            known, inputs = self._device_types, []
            if known.issuperset(map(type, given)):
                return given
            for each in given:
                value = each
                if type(each) is Variable and "_array" not in (held := each.__dict__):
                    value = held.get("_device_array")
                inputs.append(value if type(value) in known else self._input_of(each))
            return inputs
        # Programs themselves keep captured tensors on devices.
        captured = set(map(id, self._captured_tensors))
        return [each if id(each) in captured else self._on_mesh(each) for each in given]

    def _input_of(self, given: Any) -> Any:
        if type(given) is np.ndarray:
            return _read_only(given)
        value = given
        if isinstance(given, Variable):
            move = self._to_device
            value = given.held_value() if move is None else given.on_device(move)
            if not isinstance(value, self._array_types):
                value = given._array
        elif not isinstance(given, self._array_types):
            value = host_array(given)
        if not isinstance(value, np.ndarray):
            self._device_types.add(type(value))
            self._direct_types.add(type(value))
        return _read_only(value)

    def _difference(self, outcome: Any, given: Sequence[Any]) -> str:
        """Return how an outcome breaks the contract; an empty text if it does not."""
        if not isinstance(outcome, Outcome) or not isinstance(outcome.status, Status):
            return f"returned {with_article(type(outcome).__name__)} without a status"
        if outcome.status is Status.REFUSED:
            return _wrong_refusals(outcome.refused) or (
                "" if outcome.refused else "refused no node"
            )
        if outcome.status is not Status.OK:
            return ""
        if len(outcome.outputs) != len(self._outputs):
            return f"returned {len(outcome.outputs)} of {len(self._outputs)} outputs"
        for at, (array, (spec, dtype, dims)) in enumerate(zip(outcome.outputs, self._outputs)):
            if type(array) is np.ndarray and array.shape == dims and array.dtype is dtype:
                continue  # The common case, with the fastest check.
            if not _fits(array, spec, self._array_types):
                return f"returned {_shown(array)} as output {at}, which is {_of(spec)}"
        for at, value in outcome.values.items():
            if at not in self._written:
                return f"assigned input {at}, which the graph does not assign"
            spec = given[at].handle_spec
            if not _fits(value, spec, self._array_types):
                return f"assigned {_shown(value)} to variable '{given[at].name}' of {_of(spec)}"
        for at in self._assigned.difference(outcome.values):
            return f"has no value for variable '{given[at].name}', which the graph assigns"
        return ""


def moves_to_device(engine: Engine) -> ToDevice | None:
    """Return the function that copies an array to the device of an engine; None if it has none.

    Where the engine does not copy it, the function warns and returns the array itself.
    """
    if getattr(engine, "to_device", None) is None:
        return None

    def moved(array: Array) -> Any:
        try:
            found = engine.to_device(array)  # type: ignore[attr-defined]
            is_copy = isinstance(found, (np.ndarray, *getattr(engine, "array_types", ())))
            if is_copy and found.dtype == array.dtype and found.shape == array.shape:
                return found
            wrong = f"copied {_shown(array)} to {_shown(found)}"
        except Exception as error:
            wrong = _error_text(error)
        _warn(engine, wrong, "it gets the array of NumPy")
        return array

    return moved


def _warn(engine: Engine, wrong: str, then: str) -> None:
    warn_at(
        caller_origin(),
        f"the engine {engine.name} {wrong}: {then}; report this to the authors of the engine",
        EngineWarning,
    )


def _error_text(error: Exception) -> str:
    """Return how an engine breaks the contract by raising an error."""
    return f"raised {with_article(type(error).__name__)}: {error}"


def _wrong_program(found: object) -> str:
    """Return how the answer of `compile` breaks the contract; an empty text if it does not."""
    if callable(getattr(found, "run", None)):
        return ""
    return f"compiled the graph to {with_article(type(found).__name__)}, which is no program"


def _wrong_text(found: object) -> str:
    """Return how the source of a program breaks the contract; an empty text if it does not."""
    if isinstance(found, str):
        return ""
    return f"has {with_article(type(found).__name__)} as the source of a program"


def _wrong_refusals(found: object) -> str:
    """Return how the nodes that an engine refuses break the contract; an empty text if not."""
    if not isinstance(found, (list, tuple)) or isinstance(found, Refusal):
        return f"returned {with_article(type(found).__name__)} in the place of refusals"
    for each in found:
        if not isinstance(each, Refusal):
            return f"returned {with_article(type(each).__name__)} in the place of a refusal"
        if not (isinstance(each.op, str) and isinstance(each.reason, str)):
            return "refused a node without the name of the op, or without a reason"
        if not isinstance(each.origin, (Origin, type(None))):
            return f"refused {each.op!r} at {with_article(type(each.origin).__name__)}, not a line"
    return ""


def _is_gone(array: Any) -> bool:
    """Return whether there is no array, or an engine has changed it in place."""
    return array is None or bool(array.is_deleted())


def refusals(engine: Engine, graph: Graph) -> Sequence[Refusal]:
    """Return the nodes of an optimized graph that an engine cannot run.

    An answer of the engine that breaks the contract is returned as it is.
    """
    outside = [
        Refusal(
            "capture",
            f"no value for {tensor.node.name!r}, which is neither a tensor nor a variable",
        )
        for capture in graph.captures
        if not isinstance(capture.outer, (EagerTensor, Variable))
        for tensor in [capture.inner]
    ]
    graphs = [graph, *(called.graph for called in called_graphs(graph))]
    lasting = [
        Refusal(node.op.name, "no way to take it back", node.origin)
        for each in graphs
        for node in each.walk()
        if _is_lasting(node, getattr(engine, "moves_streams", False))
    ]
    nodes = {(each.op, each.origin) for each in lasting}
    own = engine.refusals(graph)
    if _wrong_refusals(own):
        return own
    return [*outside, *lasting, *(each for each in own if (each.op, each.origin) not in nodes)]


def _is_lasting(node: Node, moves_streams: bool) -> bool:
    """Return whether a node has an effect that stays after its run is thrown away."""
    if node.op.effects == "write":
        return node.op.name != "new_variable" and not written_handles(node)
    if node.op.effects == "random":
        return not moves_streams or "seed" not in node.attrs
    return node.op.effects == "io" and node.op.name not in _RAISING


def _changes_state(graph: Graph) -> bool:
    """Return whether a run may assign variables, or move random streams on."""
    graphs = [graph, *(called.graph for called in called_graphs(graph))]
    return any(node.op.effects in ("write", "random") for each in graphs for node in each.walk())


def _written_inputs(graph: Graph) -> frozenset[int]:
    """Return the numbers of the inputs whose variables a run may assign."""
    changed = {id(each) for node in graph.nodes for each in _changed(node)}
    return frozenset(at for at, each in enumerate(graph.inputs) if id(each) in changed)


def assigned_inputs(graph: Graph) -> frozenset[int]:
    """Return the numbers of the inputs whose variables each good run assigns.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph()
    >>> with graph.recording():
    ...     held = rt.Variable(1).assign(2)
    >>> assigned_inputs(graph)
    frozenset({0})
    """
    written = {id(each) for node in graph.nodes for each in written_handles(node)}
    return frozenset(at for at, each in enumerate(graph.inputs) if id(each) in written)


def _changed(node: Node) -> Sequence[SymbolicTensor]:
    known = changed_variables(node)
    return node.inputs if known is None else known


def disunited(error: Exception) -> OpError:
    """Return the error of a run together with other processes, which no process repeats alone."""
    if isinstance(error, OpError):
        return error
    reason = str(error).partition("\n")[0]
    return UnavailableError(
        "the processes cannot compute together: another one has ended, or does not run the same "
        f"({reason})"
    )


def _told(engine: Engine, refused: Sequence[Refusal]) -> str:
    end = "leave out executor=, or write fallback=True, with which the NumPy executor runs it"
    return "\n".join([*_lines(engine, refused), end])


def _lines(engine: Engine, refused: Sequence[Refusal]) -> list[str]:
    """Return a line per refused node, with the user's line below it."""
    return [
        f"'{each.op}' does not run in the engine {engine.name}, which has {each.reason}"
        + (f"\n  at {each.origin}" if each.origin else "")
        for each in dict.fromkeys(refused)
    ]


def _is_view(array: Array) -> bool:
    return array.base is not None and not array.flags.writeable


def _is_handle(tensor: SymbolicTensor) -> bool:
    return getattr(tensor.spec, "kind", "") == "variable"


def on_host(given: Any) -> Any:
    """Return an argument or a result for the NumPy executor.

    >>> on_host(np.zeros(2))
    array([0., 0.])
    """
    is_value = isinstance(given, (np.ndarray, Variable)) or not hasattr(given, "__array__")
    return given if is_value else host_array(given)


def _read_only(array: Any) -> Any:
    """Return a view of an array that cannot be written to; an array on a device as it is."""
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        return array
    view: Array = array.view()
    view.flags.writeable = False
    return view


def _specs(graph: Graph) -> list[TensorSpec]:
    return [tensor.spec for tensor in graph.outputs]


def _fits(array: Any, spec: TensorSpec, kinds: tuple[Any, ...] = (np.ndarray,)) -> bool:
    return (
        isinstance(array, kinds)
        and array.dtype == spec.dtype.np_dtype
        and spec.shape.fits(array.shape)
    )


def _shown(array: Any) -> str:
    if not isinstance(array, np.ndarray):
        return with_article(type(array).__name__)
    return f"{array.dtype}{list(array.shape)}"


def _of(spec: TensorSpec) -> str:
    return f"{spec.dtype.name} of shape {spec.shape}"
