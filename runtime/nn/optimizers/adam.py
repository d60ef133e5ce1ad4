"""Optimizers with running moments: Adam, AdamW, Adamax, Nadam, Lion and Lamb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.context import recording
from runtime.core.creation_hooks import creating_for_owner
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.optimizers.optimizer import Optimizer
from runtime.nn.optimizers.options import check_number, check_numbers
from runtime.nn.optimizers.variables import named
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum, pow
from runtime.ops.elementwise.comparison import greater
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import abs as absolute
from runtime.ops.elementwise.unary import sign, sqrt, square
from runtime.ops.neural.optimizer_updates import ADAM_VARIABLE, change
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.optimizers.options import OptimizerOptions


class Adam(Optimizer):
    """Steps along a running mean of the gradients, divided by the root of a mean of their squares.

    Kingma and Ba, "Adam", 2015, in the more efficient order at the end of its section 2.

    The gradient of an Embedding row that is looked up twice is summed before it is squared; Keras
    adds the squares.

    Args:
        learning_rate: as in Optimizer.
        beta_1: the weight of the old mean of the gradients in a step.
        beta_2: the weight of the old mean of their squares.
        epsilon: avoids division by 0.
        amsgrad: whether to divide by the largest mean of squares so far (Reddi, Kale and Kumar,
            "On the convergence of Adam and beyond", 2018).
        more, options: those of Optimizer.

    Example:
        >>> v = Variable(1.0)
        >>> _ = Adam(0.5).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.5
    """

    config_names = (*Optimizer.config_names, "beta_1", "beta_2", "epsilon", "amsgrad")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_numbers(1.0, beta_1=beta_1, beta_2=beta_2)
        check_number("epsilon", epsilon)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.beta_1, self.beta_2 = beta_1, beta_2
        self.epsilon, self.amsgrad = epsilon, amsgrad
        more = ("velocity_hat",) if flag(amsgrad, "amsgrad") else ()
        self.slot_names = ("momentum", "velocity", *more)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        mean, squares = self.slot(variable, "momentum"), self.slot(variable, "velocity")
        rate = self.shared(
            ("rate", variable.dtype), lambda: self._corrected_rate(learning_rate, variable.dtype)
        )
        if not self.amsgrad and variable.dtype.kind == "f":
            change(
                ADAM_VARIABLE,
                (variable, mean, squares),
                (gradient, rate),
                beta_1=float(self.beta_1),
                beta_2=float(self.beta_2),
                epsilon=float(self.epsilon),
            )
            return
        mean.assign_add((gradient - mean) * (1 - self.beta_1))
        squares.assign_add((square(gradient) - squares) * (1 - self.beta_2))
        if self.amsgrad:
            largest = self.slot(variable, "velocity_hat")
            largest.assign(maximum(largest, squares))
            squares = largest
        variable.assign_sub(mean * rate / (sqrt(squares) + self.epsilon))

    def _corrected_rate(self, rate: Any, dtype: Any) -> Any:
        """Return the learning rate with the corrections for means that began with 0."""
        number = self.step_number(dtype)
        first: Any = 1 - pow(to_tensor(self.beta_1, dtype), number)
        second: Any = 1 - pow(to_tensor(self.beta_2, dtype), number)
        return rate * sqrt(second) / first


class AdamW(Adam):
    """Adam with weight decay: variables shrink by a fraction of the learning rate in each step.

    From Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.

    Args:
        weight_decay: the fraction.
        learning_rate, beta_1, beta_2, epsilon, amsgrad, options: those of Adam.

    Example:
        >>> v = Variable(1.0)
        >>> _ = AdamW(0.5, weight_decay=0.5).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.25
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        weight_decay: float = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        if weight_decay is None:
            raise ArgumentValueError("AdamW needs a weight_decay: without one it is Adam")
        super().__init__(
            learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay, *more, **options
        )


# -- Adamax, Nadam, Lamb and Lion ------------------------------------------------------------------


class _MomentOptimizer(Optimizer):
    """The base class of optimizers with running means of gradients and of their magnitudes.

    Args:
        beta_1: the weight of the old mean of the gradients in a step.
        beta_2: the weight of the old mean of the magnitudes.
        epsilon: avoids division by 0.
    """

    config_names = (*Optimizer.config_names, "beta_1", "beta_2", "epsilon")
    slot_names = ("momentum", "velocity")

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_numbers(1.0, beta_1=beta_1, beta_2=beta_2)
        check_number("epsilon", epsilon)
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def _bias_correction(self, beta: float, dtype: Any) -> Any:
        """Return 1 - beta ** step, by which a running mean that began with 0 is divided."""

        def make() -> Any:
            power: Any = pow(to_tensor(beta, dtype), self.step_number(dtype))
            return 1 - power

        return self.shared(("left", beta, dtype), make)


class Adamax(_MomentOptimizer):
    """Adam with a decaying maximum of gradients in place of their squares (section 7.1).

    Args:
        learning_rate, more, options: those of Optimizer.
        beta_1, beta_2, epsilon: those of Adam.

    Example:
        >>> v = Variable(1.0)
        >>> _ = Adamax(0.5).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.5
    """

    slot_names = ("momentum", "norm")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        mean, largest = self.slot(variable, "momentum"), self.slot(variable, "norm")
        mean.assign_add((gradient - mean) * (1 - self.beta_1))
        largest.assign(maximum(largest * self.beta_2, absolute(gradient)))
        below = self._bias_correction(self.beta_1, variable.dtype) * (largest + self.epsilon)
        variable.assign_sub(learning_rate * mean / below)


class Nadam(_MomentOptimizer):
    """Adam with Nesterov momentum (Dozat, "Incorporating Nesterov momentum into Adam", 2016).

    Args:
        learning_rate, more, options: those of Optimizer.
        beta_1, beta_2, epsilon: those of Adam.

    Example:
        >>> v = Variable(1.0)
        >>> _ = Nadam(0.5).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        0.4686
    """

    def __init__(
        self, learning_rate: TensorLike | Callable[..., object] = 0.001, *betas: Any, **options: Any
    ) -> None:
        super().__init__(learning_rate, *betas, **options)
        with creating_for_owner(self), recording(None):
            product = Variable(1.0, False, dtype="float32", name="product")
        self.product = named(product, self.name)

    def _own_variables(self) -> list[Variable]:
        return [self.product, *super()._own_variables()]

    def begin_step(self, variables: Sequence[Variable]) -> None:
        """Multiply the product of the momentums of all steps."""
        self.product.assign(self.product * self._momentum_at(self.step_number("float32")))

    def _momentum_at(self, number: Any) -> Any:
        power: Any = pow(to_tensor(0.96, number.dtype), number)
        return (1 - power * 0.5) * self.beta_1

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        dtype = variable.dtype
        mean, squares = self.slot(variable, "momentum"), self.slot(variable, "velocity")
        number = self.step_number(dtype)
        now = self.shared(("now", dtype), lambda: self._momentum_at(number))
        ahead = self.shared(("ahead", dtype), lambda: self._momentum_at(number + 1))
        product: Any = self.shared(("product", dtype), lambda: cast(self.product, dtype))
        mean.assign_add((gradient - mean) * (1 - self.beta_1))
        squares.assign_add((square(gradient) - squares) * (1 - self.beta_2))
        step: Any = mean * ahead / (1 - product * ahead) + gradient * (1 - now) / (1 - product)
        below = sqrt(squares / self._bias_correction(self.beta_2, dtype)) + self.epsilon
        variable.assign_sub(step * learning_rate / below)


class Lamb(_MomentOptimizer):
    """Adam with steps scaled to the norm of the variable (You et al., "Large batch optimization").

    Args:
        learning_rate, more, options: those of Optimizer.
        beta_1, beta_2, epsilon: those of Adam.

    Example:
        >>> v = Variable(2.0)
        >>> _ = Lamb(0.25).apply_gradients([(3.0, v)])
        >>> round(float(v), 4)
        1.5
    """

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        dtype = variable.dtype
        mean, squares = self.slot(variable, "momentum"), self.slot(variable, "velocity")
        mean.assign_add((gradient - mean) * (1 - self.beta_1))
        squares.assign_add((square(gradient) - squares) * (1 - self.beta_2))
        below = sqrt(squares / self._bias_correction(self.beta_2, dtype)) + self.epsilon
        step: Any = mean / self._bias_correction(self.beta_1, dtype) / below
        length: Any = sqrt(reduce_sum(square(variable)))
        own: Any = sqrt(reduce_sum(square(step)))
        both = logical_and(greater(length, 0.0), greater(own, 0.0))
        one = ones_like(own)
        ratio: Any = where(both, length / where(both, own, one), one)
        variable.assign_sub(ratio * learning_rate * step)


class Lion(Optimizer):
    """Steps of a fixed size, by the sign of a mean of gradients.

    From Chen et al., "Symbolic discovery of optimization algorithms", 2023.

    Args:
        learning_rate, more, options: those of Optimizer.
        beta_1: the weight of the mean in the step, above 0 and up to 1.
        beta_2: the weight of the old mean in its update.

    Example:
        >>> v = Variable([1.0, 1.0])
        >>> _ = Lion(0.5).apply_gradients([([3.0, -0.1], v)])
        >>> v.numpy().tolist()
        [0.5, 1.5]
    """

    config_names = (*Optimizer.config_names, "beta_1", "beta_2")
    slot_names = ("momentum",)

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.99,
        weight_decay: float | None = None,
        *more: Any,
        **options: Unpack[OptimizerOptions],
    ) -> None:
        check_numbers(1.0, beta_1=beta_1, beta_2=beta_2)
        if beta_1 == 0:
            raise ArgumentValueError("beta_1 must be above 0 and at most 1")
        super().__init__(learning_rate, weight_decay, *more, **options)
        self.beta_1, self.beta_2 = beta_1, beta_2

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable."""
        mean = self.slot(variable, "momentum")
        toward = sign(mean * self.beta_1 + gradient * (1 - self.beta_1))
        variable.assign_sub(learning_rate * toward)
        mean.assign(mean * self.beta_2 + gradient * (1 - self.beta_2))
