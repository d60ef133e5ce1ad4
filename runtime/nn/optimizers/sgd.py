"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.core.tensor import TensorLike
from runtime.nn.optimizers.optimizer import Optimizer
from runtime.nn.optimizers.options import check_number
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.optimizers.options import OptimizerOptions


class SGD(Optimizer):
    """Steps down the gradient, optionally with momentum.

    Args:
        learning_rate: as in Optimizer.
        momentum: the fraction of the previous step that is added, from 0 to 1.
        nesterov: whether the gradient is applied as if after the momentum step.
        more, options: those of Optimizer.

    Example:
        >>> v = Variable(1.0)
        >>> _ = SGD(0.5).apply_gradients([(1.0, v)])
        >>> float(v)
        0.5
    """

    config_names = (*Optimizer.config_names, "momentum", "nesterov")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_number("momentum", momentum, most=1.0)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.momentum, self.nesterov = momentum, nesterov
        self.slot_names = ("momentum",) if momentum else ()

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        down = gradient * learning_rate
        if not self.momentum:
            variable.assign_sub(down)
            return
        kept = self.slot(variable, "momentum")
        step = kept.read_value() * self.momentum - down
        kept.assign(step)
        variable.assign_add(step * self.momentum - down if self.nesterov else step)


class Momentum(SGD):
    """SGD with momentum; a name of earlier versions.

    Args:
        learning_rate: as in Optimizer.
        momentum: the fraction of the previous step that is added.
        use_nesterov: whether the gradient is applied as if after the momentum step.

    Example:
        >>> v, optimizer = Variable(1.0), Momentum(0.5, 0.5)
        >>> for _ in range(2):
        ...     _ = optimizer.apply_gradients([(1.0, v)])
        >>> float(v)
        -0.25
    """

    config_names = (*Optimizer.config_names, "momentum", "use_nesterov")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object],
        momentum: float = 0.9,
        use_nesterov: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, momentum, use_nesterov, **options)
        self.use_nesterov = use_nesterov
