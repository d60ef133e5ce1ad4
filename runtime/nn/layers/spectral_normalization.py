"""The spectral normalization wrapper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.graph.structured_control_flow import cond
from runtime.nn.initializers import TruncatedNormal
from runtime.nn.layers.image_arguments import sizes_argument
from runtime.nn.layers.wrapper import Wrapper
from runtime.ops.arrays.shape import reshape
from runtime.ops.constant import stop_gradient
from runtime.ops.convert import to_tensor
from runtime.ops.linalg.matrices import matmul
from runtime.ops.linalg.norms import l2_normalize

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class SpectralNormalization(Wrapper):
    """Divides the kernel of a layer by its largest singular value in each call in training.

    T. Miyato et al., Spectral Normalization for Generative Adversarial Networks (2018).

    Args:
        layer: a layer with a `kernel`, or with `embeddings`.
        power_iterations: the number of power iterations in each call.

    Example:
        >>> from runtime.nn.layers.dense import Dense
        >>> layer = SpectralNormalization(Dense(1, kernel_initializer="ones"))
        >>> round(float(layer([[1.0, 1.0, 1.0, 1.0]], training=True)[0, 0]), 4)
        2.0
    """

    def __init__(
        self, layer: Any, power_iterations: int = 1, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(layer, **kwargs)
        (self.power_iterations,) = sizes_argument(power_iterations, 1, "power_iterations")
        self.kernel: Any = None
        self.vector_u: Any = None

    def build(self, input_shape: Any) -> None:
        """Build the inner layer, and create the vector of the power iteration, (1, channels)."""
        super().build(input_shape)
        found = getattr(self.layer, "kernel", None)
        self.kernel = getattr(self.layer, "embeddings", None) if found is None else found
        if self.kernel is None:
            raise ArgumentValueError(
                f"layer {self.layer.name!r} ({type(self.layer).__name__}) has no kernel and no "
                "embeddings that could be normalized"
            )
        self.vector_u = self.add_weight(
            (1, self.kernel.shape[-1]),
            TruncatedNormal(stddev=0.02),
            trainable=False,
            name="vector_u",
        )

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Return the output of the inner layer, after dividing its kernel if `training`."""
        if isinstance(training, Tensor):
            cond(training, self._divide_kernel, lambda: to_tensor(0.0))
        elif flag(training, "training"):
            self._divide_kernel()
        return self.layer(inputs)

    def _divide_kernel(self) -> Any:
        """Divide the kernel by its largest singular value, without gradient; return that value."""
        kernel = stop_gradient(to_tensor(self.kernel))
        matrix = reshape(kernel, (-1, kernel.shape[-1]))
        u = stop_gradient(to_tensor(self.vector_u))
        for _ in range(self.power_iterations):
            v = l2_normalize(matmul(u, matrix, transpose_b=True))
            u = l2_normalize(matmul(v, matrix))
        largest: Any = matmul(matmul(v, matrix), u, transpose_b=True)
        self.vector_u.assign(u)
        self.kernel.assign(kernel / reshape(largest, ()))
        return reshape(largest, ())
