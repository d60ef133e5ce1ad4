"""Dense layers: `Dense`, and `EinsumDense` with an equation."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag, plain_text
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import activations, constraints, initializers, regularizers
from runtime.nn.initializers.random import VarianceScaling
from runtime.nn.layers.call_context import activated
from runtime.nn.layers.input_conversion import as_floats
from runtime.nn.layers.input_spec import InputSpec, known_shape
from runtime.nn.layers.layer import TensorLayer
from runtime.nn.layers.weights import WeightOptions, weight_options
from runtime.nn.registry import Identifier
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.linalg.einsum import einsum, tensordot
from runtime.ops.linalg.matrices import matmul

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions, RegularizableLayerOptions


class Dense(TensorLayer):
    """`activation(inputs @ kernel + bias)`, along the last axis.

    Args:
        units: the size of the last axis of the output.
        activation: a name or a function; None for none.
        use_bias: whether there is a bias.
        kernel_initializer, bias_initializer: compute the initial values.
        kernel_regularizer, bias_regularizer: compute additional losses from the weights.
        kernel_constraint, bias_constraint: applied to the weights after a step of an optimizer.

    Example:
        >>> layer = Dense(3, kernel_initializer="ones")
        >>> print(layer([[1.0, 2.0]]))
        rt.Tensor([[3. 3. 3.]], shape=(1, 3), dtype=float32)
    """

    def __init__(
        self,
        units: int,
        activation: Identifier | None = None,
        use_bias: bool = True,
        kernel_initializer: Identifier = "glorot_uniform",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        if not isinstance(units, int) or units <= 0:
            raise ArgumentValueError(f"units must be a whole number above 0, not {units!r}")
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

    def call(self, inputs: Any) -> Tensor:
        """Return the activation of the product plus the bias, for inputs of two axes or more."""
        x = as_floats(self, inputs)
        flat = x.shape.rank == 2
        found = matmul(x, self.kernel) if flat else tensordot(x, self.kernel, 1)
        if self.bias is not None:
            found = add(found, self.bias)
        return activated(self.activation, found)


# -- the dense layer with an equation --------------------------------------------------------------


_FORMS = (
    r"([a-zA-Z]+),([a-zA-Z]+)->([a-zA-Z]+)",
    r"\.\.\.([a-zA-Z]+),([a-zA-Z]+)->\.\.\.([a-zA-Z]+)",
    r"([a-zA-Z]+)\.\.\.,([a-zA-Z]+)->([a-zA-Z]+)\.\.\.",
)


class EinsumDense(TensorLayer):
    """`activation(einsum(equation, inputs, kernel) + bias)`.

    Args:
        equation: such as "abc,cd->abd"; "..." may begin or end both inputs and output.
        output_shape: the shape of one output, without the batch; None in it for the input's sizes.
        activation: a name or a function; None for none.
        bias_axes: the letters of the axes the bias has; None for no bias.
        kernel_initializer, bias_initializer: compute the initial values.
        kernel_regularizer, bias_regularizer: compute additional losses from the weights.
        kernel_constraint, bias_constraint: applied to the weights after a step of an optimizer.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> EinsumDense("abc,cd->abd", (None, 6), bias_axes="d")(ones([2, 5, 3])).shape
        TensorShape([2, 5, 6])
    """

    def __init__(
        self,
        equation: str,
        output_shape: ShapeLike,
        activation: Identifier | None = None,
        bias_axes: str | None = None,
        kernel_initializer: Identifier = "glorot_uniform",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        self.equation = equation
        sizes = output_shape if isinstance(output_shape, (list, tuple)) else (output_shape,)
        self.partial_output_shape = tuple(sizes)
        self.activation, self.bias_axes = activations.get(activation), bias_axes
        self._terms = _terms_of(equation)
        for axis in plain_text(bias_axes, "bias_axes", ""):
            if axis not in self._terms[2]:
                raise ArgumentValueError(
                    f"the bias cannot have an axis {axis!r}: the output of {equation!r} has none"
                )
        self._kernel_options = weight_options(
            kernel_initializer, kernel_regularizer, kernel_constraint
        )
        self._bias_options = weight_options(bias_initializer, bias_regularizer, bias_constraint)
        self.kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Make the kernel, whose axes the equation names, and the bias."""
        kernel, bias = self._shapes(known_shape(self, input_shape))
        self.kernel = self._fan_aware_options().create(self, "kernel", kernel)
        if self.bias_axes is not None:
            self.bias = self._bias_options.create(self, "bias", bias)

    def call(self, inputs: Any) -> Tensor:
        """Return the activation of the product plus the bias."""
        found: Any = einsum(self.equation, as_floats(self, inputs), self.kernel)
        if self.bias is not None:
            found = found + self.bias
        return activated(self.activation, found)

    def _fan_aware_options(self) -> WeightOptions:
        """Return the kernel's options; its initializer gets the input axes from the equation."""
        make = self._kernel_options.initializer
        if not isinstance(make, VarianceScaling):
            return self._kernel_options
        _, axes, result = self._terms
        inputs = [at for at, axis in enumerate(axes) if axis not in result]
        outputs = [at for at, axis in enumerate(axes) if axis in result]
        return replace(self._kernel_options, initializer=make.of_axes(inputs, outputs))

    def _shapes(self, shape: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        """Return the shapes of kernel and bias for inputs of a shape."""
        given, weights, result = self._terms
        to_right = self.equation.replace(" ", "").startswith("...")
        hidden = len(shape) - len(given)
        if hidden < 0 or (hidden and "..." not in self.equation):
            raise ShapeError(
                f"layer {self.name!r}: inputs of shape {shape} do not fit {self.equation!r}"
            )
        sizes = dict(zip(given, shape[hidden:] if to_right else shape))
        declared = self.partial_output_shape
        declared = declared[len(declared) - len(result) :] if to_right else (shape[0], *declared)
        if len(declared) < len(result) - to_right:
            raise ArgumentValueError(
                f"output_shape {self.partial_output_shape} has too few sizes for {self.equation!r}"
            )
        out = (
            dict(zip(reversed(result), reversed(declared)))
            if to_right
            else dict(zip(result, declared))
        )
        for axis in result:
            if axis in sizes and None not in (sizes[axis], out.get(axis)):
                self._check_same(axis, sizes[axis], out[axis])
            elif axis not in sizes or sizes[axis] is None:
                sizes[axis] = out.get(axis)
        for axis in weights:
            if axis not in sizes:
                raise ArgumentValueError(
                    f"{self.equation!r}: axis {axis!r} of the kernel is neither in the inputs nor "
                    "in the output"
                )
        return [sizes[axis] for axis in weights], self._bias_shape(sizes, hidden)

    def _check_same(self, axis: str, given: int, declared: int) -> None:
        if given != declared:
            raise ShapeError(
                f"layer {self.name!r}: axis {axis!r} is {given} in the inputs and {declared} in "
                "output_shape"
            )

    def _bias_shape(self, sizes: dict[str, Any], hidden: int) -> list[Any]:
        """Return a shape that broadcasts with the output, from the first axis of the bias on."""
        result = self._terms[2]
        first = min((result.index(axis) for axis in self.bias_axes or ""), default=len(result))
        bias = [sizes[axis] if axis in (self.bias_axes or "") else 1 for axis in result[first:]]
        return [*bias, *[1] * hidden] if self.equation.replace(" ", "").endswith("...") else bias


def _terms_of(equation: Any) -> tuple[str, str, str]:
    """Return the letters of inputs, kernel and output."""
    for form in _FORMS:
        match = re.fullmatch(form, equation.replace(" ", "")) if isinstance(equation, str) else None
        if match:
            given, weights, result = match.groups()
            if all(axis in given + weights for axis in result):
                return given, weights, result
            raise ArgumentValueError(
                f"{equation!r} has an axis in its output that is in neither operand"
            )
    raise ArgumentValueError(
        f"{equation!r} is not an equation of two operands: write 'ab,bc->ac', '...a,ab->...b' or "
        "'ab...,bc->ac...'"
    )
