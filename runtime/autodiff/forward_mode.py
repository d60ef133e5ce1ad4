"""Forward-mode differentiation: directional derivatives, from a gradient of a gradient."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from runtime import nest
from runtime.autodiff.backward import zeros_for
from runtime.autodiff.tape import GradientTape
from runtime.autodiff.tape_steps import identity_of, is_differentiable
from runtime.autodiff.unconnected_gradients import UnconnectedGradients, fills_with_zeros
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError, TapeError
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.convert import to_tensor
from runtime.state.variable import Variable


class ForwardAccumulator:
    """Records ops while it is open, and computes directional derivatives of their results.

    The gradient is linear in the output gradients; the gradient of this linear function is the
    forward derivative (J. Townsend, "A new trick for calculating Jacobian vector products", 2017).

    Args:
        primals: a tensor or variable, or a structure of them.
        tangents: the direction: for each primal a tensor of its shape and dtype.

    Raises:
        ArgumentValueError: a primal is no tensor or variable, or is given twice, or a tangent is
            missing.
        ShapeError: a tangent does not have the shape of its primal.

    Example:
        >>> import autograph.runtime as rt
        >>> x = rt.constant(3.0)
        >>> with ForwardAccumulator(x, rt.constant(1.0)) as accumulator:
        ...     y = x * x
        >>> accumulator.jvp(y)
        <rt.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    def __init__(self, primals: object, tangents: object) -> None:
        self._primals = nest.flatten(primals)
        given = nest.flatten(tangents)
        if len(given) != len(self._primals):
            raise ArgumentValueError(
                f"{len(given)} tangents are given for {len(self._primals)} primals"
            )
        self._tangents = [_tangent(*each) for each in zip(self._primals, given)]
        if len({id(identity_of(each)) for each in self._primals}) < len(self._primals):
            raise ArgumentValueError("a primal is given twice: add up its tangents")
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self._tape.watch(self._primals)
        self._is_open = False

    def __enter__(self) -> ForwardAccumulator:
        if self._is_open:
            raise TapeError("the accumulator is open already: end its `with` first")
        self._tape.__enter__()
        self._is_open = True
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_open = False
        self._tape.__exit__(*exception)

    def jvp(
        self,
        primals: object,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """Return the directional derivatives of results, in their structure.

        Args:
            primals: tensors or variables, in any structure.
            unconnected_gradients: "none" or "zero", for results that do not depend on the primals.
        """
        fill = fills_with_zeros(unconnected_gradients)
        with self._tape.stop_recording() if self._is_open else nullcontext():
            return nest.map_structure(lambda each: self._gradient(each, fill), primals)

    def _gradient(self, of: Any, fill: bool) -> Any:
        if not isinstance(of, (Tensor, Variable)):
            raise ArgumentValueError(f"jvp takes tensors and variables, not {of!r}")
        found = self._along(of) if is_differentiable(of.dtype) else None
        return zeros_for(of) if found is None and fill else found

    def _along(self, of: Any) -> Any:
        with GradientTape(persistent=True) as outer:
            dummy = zeros_like(to_tensor(of))
            outer.watch(dummy)
            found = self._tape.gradient(of, self._primals, dummy)
        pairs = [pair for pair in zip(found, self._tangents) if pair[0] is not None]
        if not pairs:
            return None
        gradients, along = zip(*pairs)
        return outer.gradient(list(gradients), dummy, list(along), "zero")


def _tangent(primal: Any, tangent: Any) -> Tensor:
    if not isinstance(primal, (Tensor, Variable)):
        raise ArgumentValueError(f"a primal must be a tensor or variable, not {primal!r}")
    if tangent is None:
        raise ArgumentValueError(
            "a tangent must not be None: give zeros of the shape of its primal"
        )
    found = to_tensor(tangent, primal.dtype)
    if not found.shape.is_compatible_with(primal.shape):
        raise ShapeError(
            f"a tangent must have the shape of its primal, {primal.shape}, not {found.shape}"
        )
    return found
