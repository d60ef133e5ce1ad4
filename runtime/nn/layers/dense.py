"""Layers that join every input with every output."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.errors import ArgumentValueError
from runtime.nn import activations, constraints, initializers, regularizers
from runtime.nn.layers.activated import activated
from runtime.nn.layers.floats import as_floats
from runtime.nn.layers.input_spec import InputSpec, known_shape
from runtime.nn.layers.layer import Layer
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.linalg.einsum import tensordot
from runtime.ops.linalg.matrices import matmul


class Dense(Layer):
    """`activation(inputs @ kernel + bias)`, along the last axis.

    Args:
        units: the size of the last axis of the output.
        activation: a name or a function; None for none.
        use_bias: whether there is a bias.
        kernel_initializer, bias_initializer: make the first values.
        kernel_regularizer, bias_regularizer: make parts of the loss of the weights.
        kernel_constraint, bias_constraint: applied to the weights after a step of an optimizer.

    Example:
        >>> layer = Dense(3, kernel_initializer="ones")
        >>> print(layer([[1.0, 2.0]]))
        rt.Tensor([[3. 3. 3.]], shape=(1, 3), dtype=float32)
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        if not isinstance(units, int) or units <= 0:
            raise ArgumentValueError(f"units is a whole number above 0, not {units!r}")
        self.units, self.use_bias = units, flag(use_bias, "use_bias")
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.kernel: Any = None
        self.bias: Any = None
        self.input_spec = InputSpec(min_ndim=2)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make the kernel, (size of the last axis, units), and the bias, (units,)."""
        *_, size = known_shape(self, input_shape) or (None,)
        self.kernel = self.add_weight(
            name="kernel",
            shape=(size, self.units),
            initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )
        if self.use_bias:
            self.bias = self.add_weight(
                name="bias",
                shape=(self.units,),
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})

    def call(self, inputs: Any) -> Any:
        """Return what the class says, for inputs of two axes or more."""
        x = as_floats(self, inputs)
        flat = x.shape.rank == 2
        found = matmul(x, self.kernel) if flat else tensordot(x, self.kernel, 1)
        if self.bias is not None:
            found = add(found, self.bias)
        return activated(self.activation, found)
