"""The gradient tape: records ops, and computes gradients from the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, overload

import numpy as np

from runtime import nest
from runtime.autodiff import call_gradients as call_gradients
from runtime.autodiff import control_flow as control_flow
from runtime.autodiff import recursion as recursion
from runtime.autodiff import try_except as try_except
from runtime.autodiff.backward import GradientSums, backpropagate, zeros_for
from runtime.autodiff.checkpointed_loops import checkpointed_loop
from runtime.autodiff.graph_calls import call_under_tapes
from runtime.autodiff.jacobians import check_batch, gradients_by_row, jacobian_rows
from runtime.autodiff.residuals import RESIDUALS, checked_policy
from runtime.autodiff.tape_steps import (
    TapeStep,
    eager_step,
    identity_of,
    is_differentiable,
    node_of,
    step_of,
)
from runtime.autodiff.unconnected_gradients import UnconnectedGradients, fills_with_zeros
from runtime.autodiff.untracked_paths import check_earlier_iterations, check_inner_paths
from runtime.autodiff.variable_reads import variables_read
from runtime.core.argument_checks import flag
from runtime.core.context import caller_origin, current_recorder, current_watchers, set_watchers
from runtime.core.lazy_imports import lazy_import
from runtime.core.source_names import warn_at
from runtime.core.tensor import SymbolicTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, TapeError, UnwatchedWarning
from runtime.graph.capture import enclosing_graphs, may_run_together
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import ones_like, zeros
from runtime.ops.arrays.shape import ensure_shape, shape
from runtime.ops.convert import to_tensor
from runtime.ops.op import Op
from runtime.state.variable import Variable

name_of = lazy_import("runtime.diagnostics.operand_names:name_of")
with_name = lazy_import("runtime.diagnostics.operand_names:with_name")
number_on_path = lazy_import("runtime.diagnostics.untracked_numbers:number_on_path")
warn_of_numbers = lazy_import("runtime.diagnostics.untracked_numbers:warn_of_numbers")
number_left_tape = lazy_import("runtime.diagnostics.untracked_numbers:number_left_tape")


class GradientTape:
    """Records ops while it is open, for gradients of their results.

    Args:
        persistent: whether gradients may be computed more than once.
        watch_accessed_variables: whether trainable variables are watched when they are read.
        residuals: the values that a loop in a graph keeps for its gradient: "store" keeps all that
            are needed, "checkpoint" keeps only the loop variables and computes the others again.

    Example:
        >>> import autograph.runtime as rt
        >>> x = rt.constant(3.0)
        >>> with GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.gradient(y, x)
        <rt.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    __slots__ = (
        "__weakref__",
        "_accesses",
        "_used_in",
        "_graph",
        "_is_open",
        "_nodes",
        "_numbers",
        "_persistent",
        "_policy",
        "_root",
        "_sources",
        "_steps",
        "_was_opened",
        "_watched",
    )

    def __init__(
        self,
        persistent: bool = False,
        watch_accessed_variables: bool = True,
        *,
        residuals: str = "store",
    ) -> None:
        self._persistent = flag(persistent, "persistent")
        self._accesses = flag(watch_accessed_variables, "watch_accessed_variables")
        self._policy = checked_policy(residuals)
        self._is_open = False
        self._graph: object = None
        self._root: object = None
        self._was_opened = False
        self.reset()

    # -- recording -----------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        if self._is_open:
            raise TapeError("the tape is open already: use another one, or end its `with` first")
        self._graph = current_recorder()
        self._root = _root_of(self._graph)
        self._open()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._is_open:
            self._close()

    def _open(self) -> None:
        self._is_open = self._was_opened = True
        set_watchers((*current_watchers(), self))

    def _close(self) -> None:
        self._is_open = False
        set_watchers(tuple(each for each in current_watchers() if each is not self))

    def reset(self) -> None:
        """Forget all steps and watched values, as if the tape had just been opened."""
        self._used_in: list[Any] = []
        self._steps: list[Any] = []
        self._sources: list[Any] = []
        self._watched: set[int] = set()
        self._nodes: set[int] = set()
        # The paths of the numbers that were made of watched values.
        self._numbers: dict[Any, None] = {}

    def watch(self, tensor: object) -> None:
        """Record the ops on a tensor or variable, or on all of those in a structure.

        Integers, bools and strings have no gradient: the user gets a warning.

        Raises:
            ArgumentValueError: a value is no tensor or variable.
        """
        for each in nest.flatten(tensor):
            if not isinstance(each, (Tensor, Variable)):
                words = with_name(each, "rt.constant(x), and compute with that", "watch")
                raise ArgumentValueError(
                    f"a tape watches tensors and variables, not {each!r}: write {words}"
                )
            if not is_differentiable(each.dtype):
                warn_at(
                    caller_origin(),
                    f"the tape watches {each!r}, but only floats have gradients: cast it first",
                    UserWarning,
                )
            value = identity_of(each)
            if id(value) not in self._watched:
                self._watched.add(id(value))
                self._sources.append(value)

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the watched variables, in the order in which the tape began to watch them."""
        return tuple(each for each in self._sources if isinstance(each, Variable))

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Record nothing inside of the `with`; TapeError if the tape is not open."""
        if not self._is_open:
            raise TapeError("stop_recording: the tape is not open")
        self._close()
        try:
            yield
        finally:
            self._open()

    def note(
        self,
        graph: Any,
        op: Op,
        inputs: Sequence[Any],
        attrs: Mapping[str, object],
        outputs: Sequence[Tensor],
    ) -> None:
        """Record an op if an operand depends on a watched value."""
        if not self.records_in(graph):
            return
        node = None if graph is None else node_of(outputs)
        if self._accesses:
            for variable in variables_read(op, inputs, node, self._should_watch):
                self.watch(variable)
        if not any(map(self.watches, inputs)):
            return
        if graph is not None and node is None:
            return
        self._steps.append(node or eager_step(op, inputs, attrs, outputs))
        if node is not None:
            self._nodes.add(id(node))
        floats = [each for each in outputs if is_differentiable(each.dtype)]
        self._watched.update(id(identity_of(each)) for each in floats)

    def note_number(self, path: tuple[object, ...]) -> None:
        """Remember the path of a number that was made of a watched value."""
        self._numbers[path] = None

    def _should_watch(self, variable: Variable) -> bool:
        """Return whether a variable is trainable, has gradients and is not watched yet."""
        if id(variable) in self._watched or not variable.trainable:
            return False
        return is_differentiable(variable.dtype)

    @property
    def loop_runner(self) -> Any:
        """The function that runs loops of a called graph under the tape, or None."""
        return checkpointed_loop if self._policy == "checkpoint" else None

    @property
    def call_runner(self) -> Any:
        """The function that runs a called graph under the tape."""
        return call_under_tapes

    @property
    def is_persistent(self) -> bool:
        """True if gradients may be computed more than once, and while the tape is open."""
        return self._persistent

    def may_watch(self, value: object) -> bool:
        """Return whether the tape watches an array or variable, or would on reading it."""
        if id(value) in self._watched:
            return True
        return self._accesses and isinstance(value, Variable) and self._should_watch(value)

    def records_in(self, graph: Any) -> bool:
        """Return whether the tape was opened in the same outermost graph."""
        return _root_of(graph) is self._root

    def watches(self, value: object) -> bool:
        """Return whether a value depends on a watched value."""
        outer = identity_of(value)
        if id(outer) in self._watched:
            return True
        if not isinstance(value, SymbolicTensor):
            return False
        # A node may have more outputs now than when it was recorded.
        node = getattr(outer, "node", None)
        return id(node) in self._nodes and is_differentiable(value.dtype)

    # -- gradients -----------------------------------------------------------------------------

    @overload
    def gradient(
        self,
        target: object,
        sources: Tensor | Variable,
        output_gradients: object = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Tensor | Any: ...
    @overload
    def gradient(
        self,
        target: object,
        sources: Sequence[Tensor | Variable],
        output_gradients: object = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> list[Tensor | Any]: ...
    @overload
    def gradient(
        self,
        target: object,
        sources: object,
        output_gradients: object = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any: ...
    def gradient(
        self,
        target: object,
        sources: object,
        output_gradients: object = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """Return the gradient of the sum of `target` with respect to each source.

        Args:
            target: a float tensor or variable, or a structure of them.
            sources: watched tensors and variables, in any structure.
            output_gradients: for each target its output gradient instead of ones, of its shape.
            unconnected_gradients: "none" or "zero", for sources that `target` does not depend on.

        Returns:
            Tensors of the sources' shapes, in their structure; None for unconnected sources.

        Raises:
            TapeError: the tape was never open, or is not persistent and was used before.
            ArgumentValueError: a target or source is no tensor or variable, the number of output
                gradients is wrong, or one has another shape than its target.
            UnimplementedError: an op on the way has no gradient, or the tape does not see all paths
                (`untracked_paths`).
            DTypeError: `unconnected_gradients` is neither "none" nor "zero".
        """
        fill = fills_with_zeros(unconnected_gradients)
        flat = nest.flatten(sources)
        with self._use():
            if self._numbers and all(map(_has_gradient, nest.flatten(target))):
                warn_of_numbers(self._numbers)
            is_empty = not self._steps and all(each is not target for each in flat)
            found = self._backpropagate(target, flat, output_gradients)
            if not fill:
                _warn_of_unwatched(flat, found, self._watched)
                if is_empty and any(isinstance(each, Variable) for each in flat):
                    _warn_of_no_ops(target)
        pairs = zip(flat, found)
        filled = [zeros_for(of) if each is None and fill else each for of, each in pairs]
        return nest.unflatten(sources, filled)

    @overload
    def jacobian(
        self,
        target: TensorLike,
        sources: Tensor | Variable,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor | Any: ...
    @overload
    def jacobian(
        self,
        target: TensorLike,
        sources: Sequence[Tensor | Variable],
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> list[Tensor | Any]: ...
    @overload
    def jacobian(
        self,
        target: TensorLike,
        sources: object,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any: ...
    def jacobian(
        self,
        target: TensorLike,
        sources: object,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the derivatives of each element, of shape `target.shape + source.shape`.

        Args:
            target: a float tensor.
            sources: as for `gradient`.
            unconnected_gradients: as for `gradient`.
            parallel_iterations, experimental_use_pfor: accepted for programs written for
                TensorFlow.
        """
        fill = fills_with_zeros(unconnected_gradients)
        flat = nest.flatten(sources)
        with self._use():
            connected, back = self._rows(target, flat)
            rows = iter(jacobian_rows(to_tensor(target), connected, back))
        found = [next(rows) if any(of is each for each in connected) else None for of in flat]
        whole = [
            _no_gradients(target, of) if each is None and fill else each
            for of, each in zip(flat, found)
        ]
        return nest.unflatten(sources, whole)

    def batch_jacobian(
        self,
        target: Tensor | Variable,
        source: Tensor | Variable,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor | Any:
        """Return the derivatives of each row of `target` for the same row of `source`.

        Args:
            target: of shape (rows, ...); each row depends only on the same row of `source`.
            source: of shape (rows, ...).

        Returns:
            A tensor of shape `target.shape + source.shape[1:]`.

        Raises:
            ShapeError: a tensor has fewer than two axes, the numbers of rows differ, or the size of
                a row is unknown.
        """
        fill = fills_with_zeros(unconnected_gradients)
        check_batch(target, source)
        with self._use():
            connected, back = self._rows(target, [source])
            if not connected:
                rest = source.shape[1:]
                return zeros(target.shape.concatenate(rest), source.dtype) if fill else None
            return gradients_by_row(to_tensor(target), source, back)

    def _rows(self, target: Any, flat: list[Any]) -> tuple[list[Any], Any]:
        """Return the sources that a target depends on, and a function for their gradients."""
        found = self._backpropagate(target, flat, None)
        connected = [of for of, each in zip(flat, found) if each is not None]

        def back(dy: Any) -> list[Any]:
            gradients = self._backpropagate(target, connected, dy)
            return [
                zeros_for(of) if each is None else each for of, each in zip(connected, gradients)
            ]

        return connected, back

    @contextmanager
    def _use(self) -> Iterator[None]:
        """Return a context manager for one use of the tape; a persistent tape may have more."""
        if not self._was_opened:
            raise TapeError(
                "the tape was never open, so it recorded nothing: compute the target inside of "
                "`with rt.GradientTape() as tape:`"
            )
        here: Any = current_recorder()
        if any(may_run_together(each, here) for each in self._used_in):
            raise TapeError(
                "a GradientTape that is not persistent computes gradients only once: make it with "
                "rt.GradientTape(persistent=True)"
            )
        if self._is_open and not self._persistent:
            self._close()
        yield
        if not self._persistent:
            if here is None or here is self._graph:  # Otherwise another branch may use it too.
                read = self.watched_variables()
                self.reset()
                self._sources = list(read)
            self._used_in.append(here)

    def _backpropagate(self, target: Any, sources: list[Any], given: Any) -> list[Any]:
        for source in sources:
            if not isinstance(source, (Tensor, Variable)):
                raise ArgumentValueError(
                    f"sources of a gradient must be tensors or variables, not {source!r}"
                )
        targets = nest.flatten(target)
        if given is None:
            dys: list[Any] = [None] * len(targets)
        else:
            dys = nest.flatten(given) if nest.is_nested(target) else [given]
        if len(dys) != len(targets):
            raise ArgumentValueError(f"{len(dys)} output_gradients for {len(targets)} targets")
        seeds = GradientSums()
        for each, dy in zip(targets, dys):
            seeds.add(identity_of(each), _seed_of(each, dy, self._numbers))
        # Of unwatched values that were used with watched ones, not all uses are recorded.
        known = [identity_of(each) for each in sources if is_differentiable(each.dtype)]
        watched_sources = [each for each in known if id(each) in self._watched]
        steps = [each if isinstance(each, TapeStep) else step_of(each) for each in self._steps]
        if self._root is not None:
            target_identities = list(map(identity_of, targets))
            check_earlier_iterations(self._graph, steps, target_identities, watched_sources)
            check_inner_paths(steps, target_identities, known)
        token = RESIDUALS.set(self._policy)
        try:
            sums = backpropagate(steps, seeds, watched_sources)
            return [sums.of(identity_of(each)) for each in sources]
        finally:
            RESIDUALS.reset(token)

    def __reduce__(self) -> Any:
        # Both copying and pickling call this.
        raise TapeError("a tape cannot be copied or pickled: open another one")


def _warn_of_unwatched(sources: list[Any], found: list[Any], watched: set[int]) -> None:
    """Warn of the first tensor whose gradient is None since the tape does not watch it.

    Each read of an item of a list in a graph is a tensor of its own; then the trace is begun again.
    """
    for source, gradient in zip(sources, found):
        if isinstance(source, SymbolicTensor) and _is_read(source.node):
            continue
        is_float = isinstance(source, Tensor) and is_differentiable(source.dtype)
        if gradient is None and is_float and id(identity_of(source)) not in watched:
            name = name_of(source, name="gradient") or "x"
            message = (
                f"the gradient of {name} is None, since the tape does not watch it: write "
                f"tape.watch({name}) first in its `with`, or make it an rt.Variable"
            )
            warn_at(caller_origin(), message, UnwatchedWarning)
            return


def _has_gradient(target: object) -> bool:
    return isinstance(target, (Tensor, Variable))


def _warn_of_no_ops(target: Any) -> None:
    """Warn of a target that was computed outside of the `with` of the tape."""
    name = name_of(target, name="gradient") or "the target"
    warn_at(
        caller_origin(),
        f"the gradient of {name} is None, since the tape recorded no ops: compute {name} in its "
        "`with`, of variables or watched tensors",
        UnwatchedWarning,
    )


def _is_read(node: Any) -> bool:
    return node is not None and node.op.name == "list_get"


def _seed_of(target: Any, dy: Any, numbers: Any = ()) -> Any:
    """Return the output gradient of a target, None if its dtype has no gradients.

    Args:
        target: a tensor or variable.
        dy: the user's output gradient, None for ones.
        numbers: the paths of the numbers that were made of watched values.

    Raises:
        ArgumentValueError: the target is not a tensor, or `dy` does not have its shape.
    """
    if not _has_gradient(target):
        left = number_left_tape(target) or number_on_path(numbers)
        instead = "" if left is None else f": {left[0]} left the tape, so keep the tensor"
        if left is None and isinstance(target, (np.ndarray, np.generic)):
            instead = ": outside of ag.function NumPy computes at once; write it with rt ops"
        if target is None:
            name = name_of(None, name="gradient") or "it"
            instead = f": does the function that computes {name} end without `return`?"
        raise ArgumentValueError(
            f"the target of a gradient must be a tensor, not {target!r}{instead}", left and left[1]
        )
    if not is_differentiable(target.dtype):
        name = name_of(target, name="gradient") or "the target"
        message = (
            f"{name} is {target.dtype.name}, and only floats have gradients: make the tensors that "
            "it is computed of floats, as by 3.0 or rt.cast(x, rt.float32)"
        )
        warn_at(caller_origin(), message, UserWarning)
        return None
    if dy is None:
        return ones_like(to_tensor(target))
    tensor = to_tensor(dy, target.dtype)
    if not tensor.shape.is_compatible_with(target.shape):
        raise ArgumentValueError(
            f"an output gradient must have the shape of its target, {target.shape}, not "
            f"{tensor.shape}"
        )
    # An unknown shape is checked at run time.
    return tensor if tensor.shape == target.shape else ensure_shape(tensor, target.shape)


def _no_gradients(target: Any, source: Any) -> Any:
    return zeros(concat([shape(target), shape(source)], 0), source.dtype)


def _root_of(graph: Any) -> object:
    """Return the outermost graph around a graph."""
    return None if graph is None else enclosing_graphs(graph)[-1]
