"""Optimizers whose training step is a node: `session.run(train)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from runtime.autodiff.graph_gradients import gradients
from runtime.core.argument_checks import shown
from runtime.core.context import recording
from runtime.core.lazy_imports import own_names
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError
from runtime.graph.fetches import FetchGroup
from runtime.ops.arrays.creation import fill
from runtime.ops.constant import cast, constant
from runtime.ops.convert import to_tensor
from runtime.ops.effects.ordering import group
from runtime.ops.elementwise.unary import sqrt
from runtime.session.default_graph import get_default_graph
from runtime.session.initializer import trainable_variables
from runtime.state.variable import Variable


class Optimizer:
    """The base class of graph optimizers.

    Args:
        learning_rate: a number, a tensor of the graph such as a placeholder, or a function without
            arguments that returns one.
        use_locking: no effect here, since a session runs steps one after the other.
        name: the name of the group of nodes of a step.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default():
        ...     w = rt.Variable(1.0)
        ...     optimizer = GradientDescentOptimizer(0.25)  # a subclass defines the step
        ...     pairs = optimizer.compute_gradients(w * w)
        >>> [variable is w for gradient, variable in pairs]
        [True]
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object],
        use_locking: bool = False,
        name: str = "",
    ) -> None:
        self._rate = learning_rate
        self.name = name or type(self).__name__.removesuffix("Optimizer")
        self._slots: dict[tuple[int, str], Variable] = {}

    def minimize(
        self,
        loss: TensorLike,
        global_step: Variable | None = None,
        var_list: Sequence[Variable] | None = None,
        name: str | None = None,
    ) -> FetchGroup:
        """Return the operation of a training step: each run changes variables to reduce `loss`.

        Args:
            loss: a float tensor of the current graph.
            global_step: a variable that counts the steps.
            var_list: the variables to change; by default all trainable ones of the graph.
            name: the name of the operation.

        Raises:
            ArgumentValueError: the loss depends on none of the variables.
        """
        pairs = self.compute_gradients(loss, var_list)
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self, loss: TensorLike, var_list: Sequence[Variable] | None = None
    ) -> list[tuple[Any, Variable]]:
        """Return pairs of a gradient, or None, and its variable."""
        variables = trainable_variables() if var_list is None else list(var_list)
        return list(zip(gradients(loss, variables), variables)) if variables else []

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Variable]],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> FetchGroup:
        """Return the operation that changes variables by their gradients; see `minimize`.

        Raises:
            ArgumentValueError: there is no gradient.
        """
        get_default_graph()
        pairs = [
            (gradient, variable) for gradient, variable in grads_and_vars if gradient is not None
        ]
        if not pairs:
            raise ArgumentValueError(
                "no variable has a gradient: compute the loss from trainable variables of "
                "this graph"
            )
        rate = to_tensor(self._rate() if callable(self._rate) else self._rate)
        gradients = [to_tensor(gradient) for gradient, _ in pairs]
        rates = [cast(rate, variable.dtype) for _, variable in pairs]
        changes = [
            self._update(gradient, variable, size)
            for gradient, (_, variable), size in zip(gradients, pairs, rates)
        ]
        changes.append(self._finished())
        if global_step is not None:
            changes.append(global_step.assign_add(constant(1, global_step.dtype)))
        return group(*changes, name=name or self.name)

    def get_slot(self, var: Variable, name: str) -> Variable | None:
        """Return the slot variable of a variable, or None."""
        return self._slots.get((id(var), name))

    def variables(self) -> list[Variable]:
        """Return all slot variables."""
        return list(self._slots.values())

    # -- parts -------------------------------------------------------------------------------------

    def _update(self, gradient: Any, variable: Variable, rate: Any) -> Any:
        raise ArgumentValueError(
            f"{shown(self)} has no update rule: use a subclass, such as AdamOptimizer"
        )

    def _finished(self) -> Any:
        """Update the counters that change once per step."""
        return None

    def _slot(self, variable: Variable, name: str, first: float = 0.0) -> Variable:
        key = id(variable), name
        if key not in self._slots:
            with recording(None):
                value = fill(variable.shape.as_list(), constant(first, variable.dtype))
            called = f"{variable.name.partition(':')[0]}/{name}"
            self._slots[key] = Variable(value, trainable=False, name=called)
        return self._slots[key]


class GradientDescentOptimizer(Optimizer):
    """Gradient descent.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default() as graph:
        ...     w = rt.Variable(1.0)
        ...     train = GradientDescentOptimizer(0.25).minimize(w * w)
        ...     first = rt.session.global_variables_initializer()
        >>> with rt.session.Session(graph=graph) as session:
        ...     session.run(first)
        ...     session.run(train)
        ...     float(session.run(w))
        0.5
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object],
        use_locking: bool = False,
        name: str = "GradientDescent",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)

    def _update(self, gradient: Any, variable: Variable, rate: Any) -> Any:
        return variable.assign_sub(rate * gradient)


class MomentumOptimizer(Optimizer):
    """Momentum: descends along a decaying sum of gradients.

    Args:
        learning_rate, use_locking, name: as in Optimizer.
        momentum: the decay factor of the sum.
        use_nesterov: whether the gradient is applied as if after the momentum step.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default(), rt.session.Session() as session:
        ...     w = rt.Variable(1.0)
        ...     train = MomentumOptimizer(0.25, momentum=0.9).minimize(w * w)
        ...     session.run(rt.session.global_variables_initializer())
        ...     session.run(train)
        ...     float(session.run(w))
        0.5
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object],
        momentum: TensorLike,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._momentum, self._use_nesterov = momentum, use_nesterov

    def _update(self, gradient: Any, variable: Variable, rate: Any) -> Any:
        kept = self._slot(variable, "Momentum")
        total = kept.assign(kept.read_value() * self._momentum + gradient)
        down = gradient + total * self._momentum if self._use_nesterov else total
        return variable.assign_sub(rate * down)


class AdagradOptimizer(Optimizer):
    """Adagrad: steps shrink for elements whose gradients were large.

    Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning" (2011).

    Args:
        learning_rate, use_locking, name: as in Optimizer.
        initial_accumulator_value: the initial sum of squares.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default(), rt.session.Session() as session:
        ...     w = rt.Variable(1.0)
        ...     train = AdagradOptimizer(0.25, initial_accumulator_value=0.0).minimize(w * w)
        ...     session.run(rt.session.global_variables_initializer())
        ...     session.run(train)
        ...     float(session.run(w))
        0.75
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object],
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._first = initial_accumulator_value

    def _update(self, gradient: Any, variable: Variable, rate: Any) -> Any:
        squares = self._slot(variable, "Adagrad", self._first).assign_add(gradient * gradient)
        return variable.assign_sub(rate * gradient / sqrt(squares))


class RMSPropOptimizer(Optimizer):
    """RMSProp: steps by the gradient, divided by the root of its mean square.

    Args:
        learning_rate, use_locking, name: as in Optimizer.
        decay: the weight of the old mean square.
        momentum: the fraction of the previous step that is added.
        epsilon: added to the mean square.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default(), rt.session.Session() as session:
        ...     w = rt.Variable(1.0)
        ...     train = RMSPropOptimizer(0.25, decay=0.0).minimize(w * w)
        ...     session.run(rt.session.global_variables_initializer())
        ...     session.run(train)
        ...     round(float(session.run(w)), 4)
        0.75
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object],
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._decay, self._momentum, self._epsilon = decay, momentum, epsilon

    def _update(self, gradient: Any, variable: Variable, rate: Any) -> Any:
        squares = self._slot(variable, "RMSProp", 1.0)
        mean = squares.assign(
            squares.read_value() * self._decay + gradient * gradient * (1 - self._decay)
        )
        kept = self._slot(variable, "RMSProp_1")
        down = rate * gradient / sqrt(mean + self._epsilon)
        return variable.assign_sub(kept.assign(kept.read_value() * self._momentum + down))


class AdamOptimizer(Optimizer):
    """Adam: steps by the mean gradient, divided by the root of the mean squared gradient.

    Kingma and Ba, "Adam: a method for stochastic optimization" (2015).

    Args:
        learning_rate, use_locking, name: as in Optimizer.
        beta1, beta2: the weights of the old means.
        epsilon: added to the root.

    Example:
        >>> import autograph.runtime as rt
        >>> with rt.Graph().as_default(), rt.session.Session() as session:
        ...     w = rt.Variable(1.0)
        ...     train = AdamOptimizer(0.25).minimize(w * w)
        ...     session.run(rt.session.global_variables_initializer())
        ...     session.run(train)
        ...     round(float(session.run(w)), 4)
        0.75
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._betas, self._epsilon = (beta1, beta2), epsilon
        self._powers: list[Variable] = []

    def _update(self, gradient: Any, variable: Variable, rate: Any) -> Any:
        first, second = self._betas
        if not self._powers:
            self._powers = [
                Variable(constant(beta, variable.dtype), trainable=False, name=f"beta{at}_power")
                for at, beta in enumerate(self._betas, 1)
            ]
        one, two = (cast(power, variable.dtype) for power in self._powers)
        means, squares = self._slot(variable, "Adam"), self._slot(variable, "Adam_1")
        mean = means.assign(means.read_value() * first + gradient * (1 - first))
        square = squares.assign(squares.read_value() * second + gradient * gradient * (1 - second))
        size = rate * sqrt(1 - two) / (1 - one)
        return variable.assign_sub(size * mean / (sqrt(square) + self._epsilon))

    def _finished(self) -> Any:
        return [
            power.assign(power.read_value() * beta)
            for power, beta in zip(self._powers, self._betas)
        ]


__dir__ = own_names(__name__)
