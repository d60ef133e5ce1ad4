"""Attention layers: `Attention` and `AdditiveAttention`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import choice, flag
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn import initializers
from runtime.nn.layers.activation import lowest_score
from runtime.nn.layers.call_context import if_training
from runtime.nn.layers.input_conversion import are_shapes
from runtime.nn.layers.input_spec import known_shape
from runtime.nn.layers.layer import Layer
from runtime.nn.seeds import dropped, seeds_of
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.constant import cast
from runtime.ops.elementwise.comparison import greater_equal, less
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.unary import abs as absolute
from runtime.ops.elementwise.unary import tanh
from runtime.ops.linalg.matrices import matmul
from runtime.ops.neural.softmax import softmax

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


def causal_mask(queries: Any, keys: Any) -> Any:
    """Return a mask of the keys that do not come after a query: (queries, keys).

    >>> causal_mask(2, 3).numpy().astype(int).tolist()
    [[1, 0, 0], [1, 1, 0]]
    """
    return greater_equal(numbers(queries)[:, None], numbers(keys))


def near_mask(queries: Any, keys: Any, window: int) -> Any:
    """Return a mask of the keys less than `window` steps from a query: (queries, keys).

    >>> near_mask(2, 3, 2).numpy().astype(int).tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    return less(absolute(numbers(queries)[:, None] - numbers(keys)), window)


def drop_weights(layer: Any, weights: Any, training: Any) -> Any:
    """Return the attention weights of a layer, with dropout if `training`."""
    if not layer.dropout or training is None:
        return weights

    def drop(weights: Any) -> Any:
        return dropped(weights, layer.dropout, None, layer.seed_generator)

    return if_training(training, drop, weights)


class Attention(Layer):
    """Attention: means of values, weighted by the softmax of the products of a query and keys.

    Called with `[query, value]` or `[query, value, key]`, of shapes (batch, queries, size),
    (batch, keys, size of values) and (batch, keys, size); M.-T. Luong, H. Pham and C. D. Manning,
    Effective Approaches to Attention-based Neural Machine Translation (2015).

    Args:
        use_scale: whether scores are multiplied with a weight.
        score_mode: "dot" for products, "concat" for sums of tanh(query + key).
        dropout: the fraction of attention weights that are dropped in training.
        seed: a seed for reproducible dropout.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Attention()([ones([2, 3, 4]), ones([2, 5, 4])]).shape
        TensorShape([2, 3, 4])
    """

    def __init__(
        self,
        use_scale: bool = False,
        score_mode: str = "dot",
        dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(**kwargs)
        choice(score_mode, "score_mode", ("dot", "concat"))
        if not isinstance(dropout, (int, float)) or not 0 <= dropout < 1:
            raise ArgumentValueError(f"dropout must be at least 0 and below 1, not {dropout!r}")
        self.use_scale, self.score_mode = flag(use_scale, "use_scale"), score_mode
        self.dropout, self.seed = dropout, seed
        self.seed_generator = seeds_of(seed) if dropout else None
        self.scale: Any = None
        self.concat_score_weight: Any = None
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make the weights that the options require, all of them scalars."""
        self._check(input_shape)
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=(), initializer="ones")
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight(
                name="concat_score_weight", shape=(), initializer="ones"
            )

    def _check(self, inputs: Any) -> None:
        """Raise an error that names the valid inputs unless these are valid."""
        is_shape = are_shapes(inputs) and any(inputs)
        if not isinstance(inputs, (list, tuple)) or len(inputs) not in (2, 3) or is_shape:
            raise ArgumentValueError(
                f"layer {self.name!r} ({type(self).__name__}) takes [query, value] or "
                "[query, value, key]"
            )

    def call(
        self,
        inputs: Any,
        mask: Any = None,
        training: Any = False,
        return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Tensor | Any:
        """Return the attention output of the queries.

        Args:
            inputs: `[query, value]` or `[query, value, key]`.
            mask: `[of queries, of values]`, each None or bools of shape (batch, steps).
            training: whether attention weights are dropped.
            return_attention_scores: whether the attention weights are returned, too.
            use_causal_mask: whether each query only sees values up to its own step.
        """
        self._check(inputs)
        query, value = inputs[:2]
        of_query, of_value = self._masks(mask)
        scores = self._scores(query, inputs[2] if len(inputs) > 2 else value)
        allowed = None if of_value is None else expand_dims(of_value, -2)
        if use_causal_mask:
            causal = causal_mask(shape_of(query)[1], shape_of(value)[1])
            allowed = causal if allowed is None else logical_and(allowed, causal)
        if allowed is not None:
            scores = scores + (1.0 - cast(allowed, scores.dtype)) * lowest_score(scores.dtype)
        weights = drop_weights(self, softmax(scores), training)
        found: Any = matmul(weights, value)
        if of_query is not None:
            found = found * cast(expand_dims(of_query, -1), found.dtype)
        return (found, weights) if return_attention_scores else found

    def _masks(self, mask: Any) -> tuple[Any, Any]:
        if mask is None:
            return None, None
        if not isinstance(mask, (list, tuple)) or len(mask) not in (2, 3):
            raise DTypeError(
                f"layer {self.name!r}: mask must be a list [query_mask, value_mask], not {mask!r}"
            )
        return mask[0], mask[1]

    def _scores(self, query: Any, key: Any) -> Any:
        """Return the similarity of each key to each query: (batch, queries, keys)."""
        if self.score_mode == "dot":
            found: Any = matmul(query, key, transpose_b=True)
            return found if self.scale is None else found * self.scale
        sums: Any = expand_dims(query, -2) + expand_dims(key, -3)
        if self.scale is not None:
            sums = sums * self.scale
        return self.concat_score_weight * reduce_sum(tanh(sums), -1)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the mask of the queries."""
        is_list = isinstance(previous_mask, (list, tuple))
        return previous_mask[0] if is_list else None


class AdditiveAttention(Attention):
    """Attention: means of values, weighted by the softmax of sums of `scale * tanh(query + key)`.

    D. Bahdanau, K. Cho and Y. Bengio, Neural Machine Translation by Jointly Learning to Align and
    Translate (2014).

    Args:
        use_scale: whether there is a scale, a vector of the size of a query.
        dropout: the fraction of attention weights that are dropped in training.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> AdditiveAttention()([ones([2, 3, 4]), ones([2, 5, 4])]).shape
        TensorShape([2, 3, 4])
    """

    def __init__(
        self,
        use_scale: bool = True,
        dropout: float = 0.0,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(use_scale, "concat", dropout, **kwargs)

    def build(self, input_shape: Any) -> None:
        """Make the scale, (size of a query,)."""
        self._check(input_shape)
        if self.use_scale:
            self.scale = self.add_weight(
                name="scale",
                shape=known_shape(self, input_shape[0])[-1:],
                initializer=initializers.get("glorot_uniform"),
            )

    def _scores(self, query: Any, key: Any) -> Any:
        found: Any = tanh(expand_dims(query, -2) + expand_dims(key, -3))
        return reduce_sum(found if self.scale is None else found * self.scale, -1)
