"""The `MultiHeadAttention` layer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag
from runtime.core.shapes import Ints, ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import initializers
from runtime.nn.layers.activation import masked_softmax
from runtime.nn.layers.attention import causal_mask, drop_weights, near_mask
from runtime.nn.layers.dense import EinsumDense
from runtime.nn.layers.image_arguments import is_whole, sizes_argument
from runtime.nn.layers.input_conversion import as_inputs, shapes_of
from runtime.nn.layers.layer import Layer, specs
from runtime.nn.layers.masks import mask_of
from runtime.nn.registry import Identifier
from runtime.nn.seeds import seeds_of
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.constant import cast
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.unary import sigmoid
from runtime.ops.linalg.einsum import einsum

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import LayerOptions

_LETTERS = "abcdefgijlmnopqrstuwxyz"  # Without h for heads, k for keys and v for values.


class MultiHeadAttention(Layer):
    """Attention of projections of queries to projections of keys, with several heads at once.

    A. Vaswani et al., Attention Is All You Need (2017). Called with `(query, value, key=value)`, of
    shapes (batch, queries, size), (batch, keys, size) and (batch, keys, size).

    Args:
        num_heads: the number of heads.
        key_dim, value_dim: the sizes of projections; that of values is by default that of keys.
        dropout: the fraction of attention weights that are dropped in training.
        use_bias: whether the projections have biases.
        output_shape: the size of the output, or several; by default that of queries.
        attention_axes: the axes of the attention; by default all between the first and the last.
        sliding_window: the maximum distance of keys from a query, itself included; None for any.
        flash_attention: not supported: it stays None or False.
        use_gate: whether the output is multiplied with the sigmoid of another projection.
        kernel_initializer and the others: those of the kernels and biases of all projections.
        seed: a seed for reproducible dropout.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> layer = MultiHeadAttention(num_heads=2, key_dim=3)
        >>> layer(ones([2, 4, 5]), ones([2, 6, 5])).shape
        TensorShape([2, 4, 5])
    """

    def __init__(
        self,
        num_heads: int,
        key_dim: int,
        value_dim: int | None = None,
        dropout: float = 0.0,
        use_bias: bool = True,
        output_shape: ShapeLike | None = None,
        attention_axes: Ints | None = None,
        sliding_window: Any = None,
        flash_attention: object = None,
        kernel_initializer: Identifier = "glorot_uniform",
        bias_initializer: Identifier = "zeros",
        kernel_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        use_gate: bool = False,
        seed: int | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        if flag(flash_attention, "flash_attention"):
            raise ArgumentValueError("flash_attention is not supported: leave it out")
        self.sliding_window, self.use_gate = sliding_window, flag(use_gate, "use_gate")
        if sliding_window is not None:
            (self.sliding_window,) = sizes_argument(sliding_window, 1, "sliding_window")
        (self.num_heads,) = sizes_argument(num_heads, 1, "num_heads")
        (self.key_dim,) = sizes_argument(key_dim, 1, "key_dim")
        (self.value_dim,) = sizes_argument(
            key_dim if value_dim is None else value_dim, 1, "value_dim"
        )
        if not isinstance(dropout, (int, float)) or not 0 <= dropout < 1:
            raise ArgumentValueError(f"dropout must be at least 0 and below 1, not {dropout!r}")
        self.dropout, self.use_bias, self.seed = dropout, flag(use_bias, "use_bias"), seed
        self.seed_generator: Any = None
        self._out = (output_shape,) if is_whole(output_shape) else output_shape
        self.attention_axes = attention_axes
        # Keras also creates this initializer here, which draws a seed.
        initializers.get(kernel_initializer)
        self._options = {
            "kernel_initializer": kernel_initializer,
            "bias_initializer": bias_initializer,
            "kernel_regularizer": kernel_regularizer,
            "bias_regularizer": bias_regularizer,
            "kernel_constraint": kernel_constraint,
            "bias_constraint": bias_constraint,
        }
        self.supports_masking = True
        self._others: Any = ()

    def __call__(
        self, query: Any, value: TensorLike, key: Any = None, **kwargs: Any
    ) -> Tensor | Any:
        """Return the attention output of the queries: see `call`."""
        if not self.built:
            self._others = [_shape(value), _shape(value if key is None else key)]
        return super().__call__(query, value, key, **kwargs)

    def build_for(self, shape: ShapeLike) -> None:
        """Make the weights for a shape, of queries alone or of queries, values and keys."""
        if not self.built:
            self.build(shape, *self._others)

    def compute_output_shape(
        self, query_shape: Any, value_shape: Any = None, key_shape: Any = None
    ) -> Any:
        """Return the shape of the output for queries, values and keys of shapes."""
        shapes = query_shape, value_shape or query_shape, key_shape or value_shape or query_shape
        given = [specs(shape, self._own.dtype) for shape in shapes]
        return shapes_of(self.compute_output_spec(*given))

    def build(self, query_shape: Any, value_shape: Any = None, key_shape: Any = None) -> None:
        """Make the projections, and the weights of those whose inputs have a known shape."""
        if query_shape is None or len(query_shape) < 3:
            raise ShapeError(
                f"layer {self.name!r} takes queries of three axes or more, not of shape "
                f"{query_shape}"
            )
        rank = len(query_shape)
        self._axes = self._attended(rank)
        self._query = self._projection("query", rank, self.key_dim)
        self._key = self._projection("key", rank, self.key_dim)
        gate = self._projection("gate", rank, self.value_dim) if self.use_gate else None
        self._gate = gate
        self._value = self._projection("value", rank, self.value_dim)
        self.seed_generator = seeds_of(self.seed) if self.dropout else None
        self._output = self._output_projection(rank, self._out or (query_shape[-1],))
        self._query.build_for(query_shape)
        if gate is not None:
            gate.build_for(query_shape)
        if value_shape is not None:
            self._build_others(value_shape, key_shape or value_shape, query_shape)

    def _attended(self, rank: int) -> list[int]:
        """Return the axes of the attention, counted from 0."""
        given: Any = self.attention_axes
        axes = list(given) if isinstance(given, (list, tuple)) else [given]
        if given is None:
            axes = list(range(1, rank - 1))
        if not axes or not all(is_whole(n) and 0 < n % rank < rank - 1 for n in axes):
            raise ArgumentValueError(
                f"layer {self.name!r}: attention_axes must be axes of queries between the first "
                "and "
                f"the last, not {given!r}"
            )
        return sorted(axis % rank for axis in axes)

    def _projection(self, name: str, rank: int, size: int) -> EinsumDense:
        """Return the layer that maps (..., features) to (..., heads, size)."""
        before, last = _LETTERS[: rank - 1], _LETTERS[rank - 1]
        shape = (*[None] * (rank - 2), self.num_heads, size)
        return EinsumDense(
            f"{before}{last},{last}hk->{before}hk",
            shape,
            bias_axes="hk" if self.use_bias else None,
            name=name,
            dtype=self.dtype,
            **self._options,  # type: ignore[arg-type]
        )

    def _output_projection(self, rank: int, sizes: Any) -> EinsumDense:
        """Return the layer that maps (..., heads, size of values) to (..., *sizes)."""
        before = _LETTERS[: rank - 1]
        after = _LETTERS[rank - 1 : rank - 1 + len(sizes)]
        return EinsumDense(
            f"{before}hv,hv{after}->{before}{after}",
            (*[None] * (rank - 2), *sizes),
            bias_axes=after if self.use_bias else None,
            name="attention_output",
            dtype=self.dtype,
            **self._options,  # type: ignore[arg-type]
        )

    def _build_others(self, value_shape: Any, key_shape: Any, query_shape: Any) -> None:
        self._key.build_for(key_shape)
        self._value.build_for(value_shape)
        self._output.build_for((*query_shape[:-1], self.num_heads, self.value_dim))

    def call(
        self,
        query: Any,
        value: Any,
        key: Any = None,
        query_mask: Any = None,
        value_mask: Any = None,
        key_mask: Any = None,
        attention_mask: Any = None,
        return_attention_scores: bool = False,
        training: Any = None,
        use_causal_mask: bool = False,
    ) -> Tensor | Any:
        """Return the attention output of the queries.

        Args:
            query, value, key: floats; keys are by default the values.
            query_mask, value_mask, key_mask: bools of shape (batch, steps); by default the masks
                of the tensors.
            attention_mask: bools of shape (batch, queries, keys): the keys that each query sees.
            return_attention_scores: whether the attention weights are returned, too.
            training: whether attention weights are dropped.
            use_causal_mask: whether each query only sees keys up to its own step.
        """
        key = value if key is None else key
        if not self._output.built:
            self._build_others(*map(shapes_of, (value, key, query)))
        masks = [
            (mask_of(query) if query_mask is None else query_mask, -1),
            (mask_of(value) if value_mask is None else value_mask, -2),
            (key_mask if key is value or key_mask is not None else mask_of(key), -2),
        ]
        allowed = [
            expand_dims(cast(mask, "bool"), axis) for mask, axis in masks if mask is not None
        ]
        if use_causal_mask:
            allowed.append(expand_dims(causal_mask(shape_of(query)[1], shape_of(value)[1]), 0))
        if self.sliding_window is not None:
            near = near_mask(shape_of(query)[1], shape_of(value)[1], self.sliding_window)
            allowed.append(expand_dims(near, 0))
        if attention_mask is not None:
            allowed.append(cast(attention_mask, "bool"))
        projected = self._query(query), self._key(key), self._value(value)
        found, weights = self._attention(*projected, allowed, training)
        if self._gate is not None:
            found = found * sigmoid(self._gate(query))
        output = self._output(found)
        return (output, weights) if return_attention_scores else output

    def _attention(
        self, query: Any, key: Any, value: Any, allowed: list[Any], training: Any
    ) -> tuple[Any, Any]:
        """Return means of values, (..., heads, size), and their weights."""
        rank, count = query.shape.rank, len(self._axes)
        own = _LETTERS[: rank - 2]
        other = list(own)
        for axis, letter in zip(self._axes, _LETTERS[rank - 2 :], strict=False):
            other[axis] = letter
        seen = "".join(other)
        batch = "".join(letter for n, letter in enumerate(own) if n not in self._axes)
        pairs = (
            f"{batch}h{''.join(own[n] for n in self._axes)}{''.join(seen[n] for n in self._axes)}"
        )
        scores = einsum(f"{own}hk,{seen}hk->{pairs}", query * (1 / math.sqrt(self.key_dim)), key)
        mask = None
        for each in allowed:
            mask = each if mask is None else logical_and(mask, each)
        while mask is not None and mask.shape.rank < scores.shape.rank:
            mask = expand_dims(mask, -2 * count - 1)
        weights = masked_softmax(scores, list(range(-count, 0)), mask)
        kept = drop_weights(self, weights, training)
        return einsum(f"{pairs},{seen}hv->{own}hv", kept, value), weights


def _shape(value: Any) -> Any:
    return shapes_of(value if isinstance(value, Tensor) else as_inputs(value, None))
