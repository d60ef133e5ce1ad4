"""The `Lambda` and `Identity` layers."""

from __future__ import annotations

from typing import Any

from runtime.core.shapes import ShapeLike
from runtime.errors import DTypeError
from runtime.nn.layers.call_context import activated, found_in
from runtime.nn.layers.input_conversion import are_shapes
from runtime.nn.layers.layer import Layer
from runtime.ops.convert import to_tensor


class Identity(Layer):
    """Returns its input.

    Example:
        >>> print(Identity()([1.0]))
        rt.Tensor([1.], shape=(1,), dtype=float32)
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs


class Lambda(Layer):
    """Applies a function.

    Its config holds the function itself: only the same program can rebuild the layer.

    Args:
        function: takes the inputs, and `mask` and `training` if it has parameters of these names.
        output_shape: the shape of one output, or a function of the input shape; None to infer it.
        mask: the mask of the output, or a function of inputs and their mask.
        arguments: a dict of further arguments of the function, by name.

    Example:
        >>> print(Lambda(lambda x, power: x**power, arguments={"power": 2})([1.0, 3.0]))
        rt.Tensor([1. 9.], shape=(2,), dtype=float32)
    """

    def __init__(
        self,
        function: Any,
        output_shape: ShapeLike | None = None,
        mask: Any = None,
        arguments: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not callable(function):
            raise DTypeError(f"a Lambda takes a function, not {function!r}")
        self.function = function
        if not isinstance(arguments, (dict, type(None))):
            raise DTypeError(f"arguments must be a dict from names to values, not {arguments!r}")
        self.arguments = dict(arguments or {})
        self._shape: Any = output_shape
        self.mask = mask
        self.supports_masking = mask is not None

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """Return the function's result."""
        names = _names_of(self.function)
        options = {"mask": mask, "training": training}
        options = {name: value for name, value in options.items() if name in names}
        return activated(self.function, inputs, **{**self.arguments, **options})

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the given mask, or the result of the given function."""
        if callable(self.mask):
            return self.mask(inputs, previous_mask)
        return None if self.mask is None else to_tensor(self.mask)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the output, as given or inferred."""
        if self._shape is None:
            return super().compute_output_shape(input_shape)
        if callable(self._shape):
            return tuple(self._shape(input_shape))
        batch = input_shape if are_shapes(input_shape) else input_shape[0]
        return (batch[0], *self._shape)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments; functions among them stay functions."""
        given = {"function": self.function, "output_shape": self._shape, "mask": self.mask}
        return {**super().get_config(), **given, "arguments": self.arguments}


def _names_of(function: Any) -> Any:
    """Return the names of parameters; none for a function without a signature, such as NumPy's."""
    try:
        return found_in(function)[0]
    except (TypeError, ValueError):
        return ()
