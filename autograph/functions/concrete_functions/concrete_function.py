"""Concrete functions: a traced graph with its signature, called with matching arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Generic

from autograph.errors import SignatureError, StagingError
from autograph.functions.arguments.casting import ArgumentCasting
from autograph.functions.arguments.short_key import fit_unchanged, short_key
from autograph.functions.arguments.signature import CallSignature
from autograph.functions.arguments.signature_text import (
    call_text,
    has_tensor,
    headline,
    short_spec,
    signature_text,
    type_summary,
)
from autograph.functions.arguments.trace_key import UNREAD, Key
from autograph.functions.concrete_functions.executable import executable_of
from autograph.functions.concrete_functions.fast_runs import CallCounter, fast_run
from autograph.functions.results.result_structure import ResultStructure
from autograph.functions.state.environment_guards import EnvironmentGuards
from autograph.functions.state.guards import AnyGuard, Policy
from autograph.operators.tracebacks import drop_internal_frames
from runtime import nest
from runtime.core.context import Origin, current_recorder, current_watchers
from runtime.core.fork_safety import cached_property
from runtime.core.lazy_imports import lazy_import
from runtime.core.mesh import current_mesh
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import FailedPreconditionError, GraphError, InvalidArgumentError
from runtime.executors.compile_options import compile_options_of
from runtime.executors.error_locations import remove_marks
from runtime.executors.executor import to_device_of
from runtime.graph.callee import CalledGraph
from runtime.graph.capture import Outer
from runtime.graph.graph import Graph
from runtime.ops.arguments import static_value
from runtime.state.variable import Variable
from runtime.summary.traced_graphs import RUN_GRAPHS

as_called_graph = lazy_import("runtime.graph.function_calls:as_called_graph")
optimized = lazy_import("runtime.executors.numpy.printed_function:optimized")
record_constant = lazy_import("runtime.graph.function_calls:record_constant")
record_function_call = lazy_import("runtime.graph.function_calls:record_function_call")


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # With a default, so that `ConcreteFunction` alone is a type too.
    R = TypeVar("R", default=Any, covariant=True)
else:
    from typing import TypeVar

    R = TypeVar("R", covariant=True)


class ConcreteFunction(Generic[R]):
    """One trace of a Function.

    Args:
        signature: the Python function's parameters.
        key: the trace key: one part per parameter, and one for objects that occur more than once.
        template: one value per parameter, with TensorSpecs where tensors come.
        graph: the finished graph.
        structure: the structure of the result, built from the graph's outputs.

    Attributes:
        graph: the recorded graph.
        template: the arguments of the trace: one value per parameter, TensorSpecs for tensors.
        structured_outputs: the result, with a TensorSpec for every tensor.
        executable: the callable form of the graph.
        run_fast: counts a call and runs the graph; only for calls without a tape and without
            listeners to the graphs that run (`RUN_GRAPHS`).
        counter: counts the calls of the Function that it serves.
        specialized_variables: for each variable among its arguments, its identity if the trace
            serves this variable alone, else 0; empty if all are 0.
        guards: guards on the state that it has read outside of the function, if requested.
        guard_policy: the policy of the Functions that became part of the trace.
        initializes_variables: whether it computes initial values of variables, so that it can run
            only once.
        serves_one_call: whether only the call it was traced for may run it.
        unrepeatable: a place that its trace changed and that no call of its graph can change.
        variables_made_at: the user's lines that created variables in the trace.
        environment: guards on the objects that it reaches; None if they cannot be compared, so
            that no other trace may call it.
        must_be_inlined: whether a call in another trace must run the Python function in that trace.
        python_changes: the names of Python state that changes only while tracing.
        undo_callbacks: functions that undo the traces made for calls in it.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> double = ag.function(lambda x: x + x)
        >>> concrete = double.get_concrete_function(rt.TensorSpec((), rt.int32))
        >>> int(concrete(rt.constant(4)))
        8
    """

    def __init__(
        self,
        signature: CallSignature,
        key: Key,
        template: tuple[object, ...],
        graph: Graph,
        structure: ResultStructure,
    ) -> None:
        self.name, self.graph, self.key = signature.name, graph, key
        self.counter = CallCounter()
        self.specialized_variables: Sequence[int] = ()
        self.guards: Sequence[AnyGuard] = ()
        self.guard_policy: Policy = "off"
        self.initializes_variables = False
        self.variables_made_at: frozenset[Origin] = frozenset()
        self.serves_one_call = False
        self.unrepeatable = ""
        self._signature = signature
        self.template = template
        self.structure = structure
        self._make_result = structure.make
        self.executable = executable_of(graph)
        self._on_device = to_device_of(compile_options_of(graph).executor) is not None
        self.run_fast = fast_run(
            self.executable, structure, len(graph.outputs), self.counter, self._on_device
        )
        # The short keys of calls that fit.
        self._fitting = set[Key]()
        self.structured_outputs = structure.spec([tensor.spec for tensor in graph.outputs])
        self.environment: EnvironmentGuards | None = None
        self.must_be_inlined = False
        self.python_changes: frozenset[str] = frozenset()
        self.undo_callbacks: Sequence[Callable[[], None]] = ()

    @property
    def calls(self) -> int:
        """The number of calls of the Function that it has served."""
        return self.counter.calls

    @cached_property
    def called(self) -> CalledGraph:
        """The callee for nodes of other graphs."""
        return as_called_graph(self.graph)

    def run(self, arrays: Sequence[Any]) -> Any:
        """Run on the arrays of the tensors, in the trace's order, without checks."""
        if self._on_device and not (
            current_watchers() or RUN_GRAPHS.is_watching or current_mesh() is not None
        ):
            return self._run_uncounted(arrays)
        return self._make_result(self.executable(arrays))

    def run_alone(self, arrays: Sequence[Any]) -> Any:
        """Run on the arrays of the arguments, for a caller that references this object."""
        return self.run(arrays)

    def __call__(self, /, *args: object, **kwargs: object) -> R:
        """Run on tensors, given by position or by name.

        While another function is traced, the call is a node of its graph.

        Python arguments may be omitted; one that is passed must be the traced value.

        Raises:
            InvalidArgumentError: the dtype or shape of a tensor, or the form of a container, is not
                the traced one.
            SignatureError: arguments are missing, unknown, too many or given twice; a Python value
                is not the traced one; or a Variable is not the one that the trace serves.
            StagingError: another function is traced, and a call has effects besides its result.
        """
        try:
            if current_recorder() is not None:
                self.refuse_recording()
                casting = self._fitted(args, kwargs)
                self._check_variables(casting)
                return self.recorded(casting.tensors)
            if kwargs or current_watchers() or RUN_GRAPHS.is_watching:
                return self.run_alone(self._fitting_arrays(args, kwargs))
            given: list[Any] = []
            short = short_key(args, given)
            if short in self._fitting:
                return self._run_uncounted(given)
            arrays = self._fitting_arrays(args, kwargs)
            if short is not None and self._may_remember and fit_unchanged(given, arrays):
                self._fitting.add(short)
            return self.run_alone(arrays)
        except BaseException as error:
            drop_internal_frames(error)
            remove_marks(error)
            raise

    # -- as part of another graph --------------------------------------------------------------

    def recorded(self, operands: Sequence[Tensor | Variable]) -> Any:
        """Record a call in the current graph, and return its result.

        Where the graph returns an input unchanged, or a constant, the result is the caller's value
        or a constant, not an output of the node.

        Args:
            operands: the tensors and variables, in the trace's order.
        """
        outputs = record_function_call(self.called, operands)
        known: dict[int, Any] = dict(zip(map(id, self.graph.parameters), operands))
        for held in self.graph.captures:
            if isinstance(held.outer, Tensor):
                known[id(held.inner)] = held.outer
        for inner in self.graph.outputs:
            if static_value(inner) is not None:
                known[id(inner)] = record_constant(inner)
        pairs = zip(self.graph.outputs, outputs)
        return self.structure.of_tensors([known.get(id(inner), output) for inner, output in pairs])

    def refuse_recording(self) -> None:
        """Raise a StagingError if a call cannot be a node of another graph."""
        if not self.structure.is_plain():
            raise StagingError(
                f"the concrete function {self.name} returns more than tensors in lists, tuples and "
                "dicts, so that it cannot be called while another function is traced; call the "
                "Function it was made of"
            )

    # -- inspection ----------------------------------------------------------------------------

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The signature it was traced with: `args` and `kwargs`, a TensorSpec for every tensor."""
        return self._signature.call_arguments(self.template)

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The graph's inputs, with captured values last."""
        return self.graph.inputs

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The graph's outputs."""
        return self.graph.outputs

    @property
    def output_shapes(self) -> Any:
        """The shapes of the result, in its structure; None for leaves that are not tensors."""
        outputs = self.structured_outputs
        return nest.map_structure(lambda each: getattr(each, "shape", None), outputs)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the result, in its structure; None for leaves that are not tensors.

        >>> import autograph as ag, runtime as rt
        >>> halved = ag.function(lambda x: [x, (x / 2, None)])
        >>> halved.get_concrete_function(rt.TensorSpec([3], rt.int32)).output_dtypes
        [rt.int32, (rt.float64, None)]
        """
        outputs = self.structured_outputs
        return nest.map_structure(lambda each: getattr(each, "dtype", None), outputs)

    @property
    def optimized_graph(self) -> Graph:
        """The graph that `executable.source` is printed from: a copy of `graph`, after the passes.

        >>> import autograph as ag, runtime as rt
        >>> again = ag.function(lambda x: (x + 1) * (x + 1))
        >>> concrete = again.get_concrete_function(rt.TensorSpec([], rt.int32))
        >>> len(concrete.graph), len(concrete.optimized_graph)
        (5, 3)
        """
        return optimized(self.graph)

    @property
    def captured_inputs(self) -> list[Outer]:
        """The captured eager tensors and variables of the graph."""
        return [capture.outer for capture in self.graph.captures]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables the graph uses."""
        return tuple(thing for thing in self.captured_inputs if isinstance(thing, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The variables the graph uses that are trainable."""
        return tuple(variable for variable in self.variables if variable.trainable)

    def pretty_printed_signature(self, verbose: bool | None = None) -> str:
        """Return the signature as text.

        Args:
            verbose: True for the kinds of parameters, the types of all values and the captures;
                False for a single line.
        """
        if verbose:
            captures = [(held.inner.node.name, held.inner.spec) for held in self.graph.captures]
            outputs = self.structured_outputs
            return type_summary(self._signature, self.template, self.key, outputs, captures)
        if verbose is False:
            return headline(self._signature, self.template, self.key)
        return signature_text(self._signature, self.template, self.key, self.structured_outputs)

    def call_text(self) -> str:
        """Return the call that selects this trace, on one line: `f(x: float32[3], n=2)`."""
        return call_text(self._signature, self.template, self.key, short_spec)

    def __copy__(self) -> ConcreteFunction:
        return self  # it is immutable for its users

    def __deepcopy__(self, memo: dict[int, Any]) -> ConcreteFunction:
        return self

    def __reduce__(self) -> Any:
        raise GraphError(
            f"a trace of {self._signature.name} cannot be pickled: pickle the Function, which is "
            "traced anew, or keep an object that has it with ag.saved_model.save"
        )

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.pretty_printed_signature(verbose=False)}>"

    _repr_html_ = lazy_import("autograph.display.reports:concrete_html")

    # -- arguments -----------------------------------------------------------------------------

    @cached_property
    def _run_uncounted(self) -> Callable[[Sequence[Any]], Any]:
        outputs = len(self.graph.outputs)
        return fast_run(self.executable, self.structure, outputs, CallCounter(), self._on_device)

    @cached_property
    def _may_remember(self) -> bool:
        """Return whether a short key alone shows that arguments fit: no state, no identities."""
        return type(self) is ConcreteFunction and not any(self.specialized_variables)

    def _fitting_arrays(self, args: tuple[object, ...], kwargs: dict[str, object]) -> list[Any]:
        casting = self._fitted(args, kwargs)
        self._check_variables(casting)
        return casting.arrays

    def _fitted(self, args: tuple[object, ...], kwargs: dict[str, object]) -> ArgumentCasting:
        """Fit arguments in the Python function's order, or only the tensors among them, in order.

        Raises:
            SignatureError: neither fits.
        """
        try:
            return self._fit(self._bound(args, kwargs, self._signature.parameters))
        except SignatureError as error:
            pairs = zip(self._signature.parameters, self.key)
            tensors_only = [parameter for parameter, part in pairs if has_tensor(part)]
            if len(tensors_only) == len(self.key) or len(args) > len(tensors_only):
                raise
            try:
                return self._fit(self._bound(args, kwargs, tuple(tensors_only)))
            except SignatureError:
                raise error from None

    def _check_variables(self, casting: ArgumentCasting) -> None:
        count = len(self._signature.parameters)
        if casting.shared != self.key[count:]:
            raise SignatureError(
                f"{self.name} was traced for a call in which other arguments are the same list, "
                "dict or Variable: call the Function itself to trace again"
            )
        if not self.specialized_variables:
            return
        given = dict.fromkeys(id(each) for each in casting.tensors if isinstance(each, Variable))
        if any(
            wanted not in (0, found) for wanted, found in zip(self.specialized_variables, given)
        ):
            raise SignatureError(
                f"{self.name} was traced for another Variable, of which it makes use by name: "
                "call the Function itself to trace again"
            )

    def _bound(
        self,
        args: tuple[object, ...],
        kwargs: dict[str, object],
        parameters: Sequence[Parameter],
    ) -> dict[str, object]:
        bound = self._positional(args, parameters)
        names = {parameter.name for parameter in self._signature.parameters}
        rest = next((p.name for p in parameters if p.kind is Parameter.VAR_KEYWORD), None)
        for name, value in kwargs.items():
            if name not in names:
                if rest is None:
                    raise SignatureError(f"{self.name} has no parameter {name!r}")
                gathered: Any = bound.setdefault(rest, {})
                gathered[name] = value
                continue
            if name in bound:
                raise SignatureError(f"{self.name} was given {name!r} twice")
            bound[name] = value
        return bound

    def _positional(
        self, args: tuple[object, ...], parameters: Sequence[Parameter]
    ) -> dict[str, object]:
        takers = [p for p in parameters if p.kind is not Parameter.KEYWORD_ONLY]
        bound: dict[str, object] = {}
        for at, parameter in enumerate(takers):
            if parameter.kind is Parameter.VAR_POSITIONAL:
                bound[parameter.name] = args[at:]
                return bound
            if at < len(args):
                bound[parameter.name] = args[at]
        if len(args) > len(takers):
            raise SignatureError(
                f"{self.name} takes {len(takers)} arguments here, {len(args)} were given"
            )
        return bound

    def _fit(self, bound: dict[str, object]) -> ArgumentCasting:
        casting = ArgumentCasting(self.name, InvalidArgumentError, casts=False)
        for (parameter, _), part in zip(self._signature.named(self.template), self.key):
            if parameter.name in bound:
                self._fit_one(casting, bound[parameter.name], part, parameter.name)
            elif has_tensor(part):
                raise SignatureError(f"{self.name} is missing the tensor {parameter.name!r}")
        return casting

    def _fit_one(self, casting: ArgumentCasting, value: object, part: Key, name: str) -> None:
        casting.note(value, name)
        if part == UNREAD:
            return
        if not has_tensor(part) and not casting.is_same(value, part):
            raise SignatureError(
                f"{self.name} was traced with another {name!r} than {value!r}: "
                "call the Function itself to trace again"
            )
        casting.fit(value, part, name)


def runs_again(concrete: ConcreteFunction) -> ConcreteFunction:
    """Return `concrete` if it may be called more than once.

    Raises:
        FailedPreconditionError: it would initialize its variables again in each call.
    """
    if concrete.initializes_variables:
        raise FailedPreconditionError(
            f"'{concrete.name}' makes a Variable whose first value depends on its arguments, and a "
            "concrete function would give it one in each call: call the function itself once "
            "before, or make the variable of a value that is known, such as zeros"
        )
    return concrete
