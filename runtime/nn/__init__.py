"""Neural networks: the namespace `rt.nn`."""

from __future__ import annotations

from runtime.nn import activations as activations
from runtime.nn import constraints as constraints
from runtime.nn import initializers as initializers
from runtime.nn import regularizers as regularizers
from runtime.nn.modules.module import Module as Module
from runtime.ops.elementwise import sigmoid as sigmoid
from runtime.ops.elementwise import tanh as tanh
from runtime.ops.neural import bias_add as bias_add
from runtime.ops.neural import dropout as dropout
from runtime.ops.neural import elu as elu
from runtime.ops.neural import gelu as gelu
from runtime.ops.neural import l2_loss as l2_loss
from runtime.ops.neural import l2_normalize as l2_normalize
from runtime.ops.neural import leaky_relu as leaky_relu
from runtime.ops.neural import log_softmax as log_softmax
from runtime.ops.neural import moments as moments
from runtime.ops.neural import relu as relu
from runtime.ops.neural import relu6 as relu6
from runtime.ops.neural import (
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
)
from runtime.ops.neural import silu as silu
from runtime.ops.neural import softmax as softmax
from runtime.ops.neural import (
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
)
from runtime.ops.neural import softplus as softplus
from runtime.ops.neural import softsign as softsign
from runtime.ops.neural import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from runtime.ops.neural import swish as swish
from runtime.ops.sorting import top_k as top_k
