"""Activation functions by name: the namespace `rt.nn.activations`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.activations.functions import celu as celu
    from runtime.nn.activations.functions import deserialize as deserialize
    from runtime.nn.activations.functions import elu as elu
    from runtime.nn.activations.functions import exponential as exponential
    from runtime.nn.activations.functions import gelu as gelu
    from runtime.nn.activations.functions import get as get
    from runtime.nn.activations.functions import glu as glu
    from runtime.nn.activations.functions import hard_shrink as hard_shrink
    from runtime.nn.activations.functions import hard_sigmoid as hard_sigmoid
    from runtime.nn.activations.functions import hard_silu as hard_silu
    from runtime.nn.activations.functions import hard_swish as hard_swish
    from runtime.nn.activations.functions import hard_tanh as hard_tanh
    from runtime.nn.activations.functions import leaky_relu as leaky_relu
    from runtime.nn.activations.functions import linear as linear
    from runtime.nn.activations.functions import log_sigmoid as log_sigmoid
    from runtime.nn.activations.functions import log_softmax as log_softmax
    from runtime.nn.activations.functions import mish as mish
    from runtime.nn.activations.functions import relu as relu
    from runtime.nn.activations.functions import relu6 as relu6
    from runtime.nn.activations.functions import selu as selu
    from runtime.nn.activations.functions import serialize as serialize
    from runtime.nn.activations.functions import sigmoid as sigmoid
    from runtime.nn.activations.functions import silu as silu
    from runtime.nn.activations.functions import soft_shrink as soft_shrink
    from runtime.nn.activations.functions import softmax as softmax
    from runtime.nn.activations.functions import softplus as softplus
    from runtime.nn.activations.functions import softsign as softsign
    from runtime.nn.activations.functions import sparse_plus as sparse_plus
    from runtime.nn.activations.functions import sparse_sigmoid as sparse_sigmoid
    from runtime.nn.activations.functions import sparsemax as sparsemax
    from runtime.nn.activations.functions import squareplus as squareplus
    from runtime.nn.activations.functions import swish as swish
    from runtime.nn.activations.functions import tanh as tanh
    from runtime.nn.activations.functions import tanh_shrink as tanh_shrink
    from runtime.nn.activations.functions import threshold as threshold
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.activations.functions": (
                "celu deserialize elu exponential gelu get glu hard_shrink hard_sigmoid "
                "hard_silu hard_swish hard_tanh leaky_relu linear log_sigmoid log_softmax mish "
                "relu relu6 selu serialize sigmoid silu soft_shrink softmax softplus softsign "
                "sparse_plus sparse_sigmoid sparsemax squareplus swish tanh tanh_shrink "
                "threshold"
            ),
        },
    )
