"""Layers that people ship, with the shapes of their inputs, for the tests of exported models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as rt
from runtime import nn

LAYERS: dict[str, tuple[Callable[[], Any], tuple[int | None, ...]]] = {
    "dense": (lambda: nn.layers.Dense(4, activation="relu"), (None, 3)),
    "dense of sequences": (lambda: nn.layers.Dense(4, activation="gelu"), (None, 5, 3)),
    "softmax": (lambda: nn.layers.Softmax(), (None, 5)),
    "dropout": (lambda: nn.layers.Dropout(0.5), (None, 5)),
    "conv 1d": (lambda: nn.layers.Conv1D(4, 3, padding="same"), (None, 8, 2)),
    "conv 2d": (lambda: nn.layers.Conv2D(4, 3, strides=2, padding="same"), (None, 9, 8, 2)),
    "conv 2d, dilated": (lambda: nn.layers.Conv2D(4, 3, dilation_rate=2), (None, 9, 8, 2)),
    "conv 2d, any size": (lambda: nn.layers.Conv2D(4, 3, padding="same"), (None, None, None, 2)),
    "conv 3d": (lambda: nn.layers.Conv3D(3, 2), (None, 4, 5, 4, 2)),
    "grouped": (lambda: nn.layers.Conv2D(4, 3, groups=2), (None, 6, 6, 4)),
    "depthwise": (lambda: nn.layers.DepthwiseConv2D(3, depth_multiplier=2), (None, 6, 6, 3)),
    "separable": (lambda: nn.layers.SeparableConv2D(4, 3, padding="same"), (None, 6, 6, 3)),
    "transposed 1d": (lambda: nn.layers.Conv1DTranspose(3, 3, strides=2), (None, 5, 2)),
    "transposed 2d": (
        lambda: nn.layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
        (None, 5, 4, 2),
    ),
    "max pool": (lambda: nn.layers.MaxPooling2D(2, padding="same"), (None, 5, 5, 2)),
    "average pool": (lambda: nn.layers.AveragePooling2D(2, padding="same"), (None, 5, 5, 2)),
    "pool 1d": (lambda: nn.layers.MaxPooling1D(2), (None, 5, 2)),
    "pool 3d": (lambda: nn.layers.AveragePooling3D(2), (None, 4, 4, 4, 2)),
    "global pool": (lambda: nn.layers.GlobalAveragePooling2D(), (None, 5, 5, 2)),
    "batch normalization": (lambda: nn.layers.BatchNormalization(), (None, 4, 4, 3)),
    "layer normalization": (lambda: nn.layers.LayerNormalization(), (None, 4, 3)),
    "group normalization": (lambda: nn.layers.GroupNormalization(2), (None, 4, 4, 4)),
    "lstm": (lambda: nn.layers.LSTM(4), (None, 6, 3)),
    "lstm, all steps": (lambda: nn.layers.LSTM(4, return_sequences=True), (None, None, 3)),
    "gru": (lambda: nn.layers.GRU(4, return_sequences=True), (None, 6, 3)),
    "simple rnn": (lambda: nn.layers.SimpleRNN(4), (None, 6, 3)),
    "bidirectional": (lambda: nn.layers.Bidirectional(nn.layers.LSTM(3)), (None, 6, 3)),
    "attention": (lambda: _SelfAttention(), (None, 5, 8)),
    "embedding": (lambda: _Embedded(), (None, 4)),
    "flatten": (lambda: nn.layers.Flatten(), (None, 4, 3)),
    "padding": (lambda: nn.layers.ZeroPadding2D(1), (None, 4, 4, 2)),
    "upsampling": (lambda: nn.layers.UpSampling2D(2), (None, 4, 4, 2)),
}


class _SelfAttention(nn.Model):
    """Attention of a sequence to itself."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.layers.MultiHeadAttention(2, 4)

    def call(self, x: Any) -> Any:
        return self.attention(x, x)


class _Embedded(nn.Model):
    """An embedding of whole numbers that arrive as floats."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.layers.Embedding(10, 3)

    def call(self, x: Any) -> Any:
        return self.embedding(rt.cast(rt.abs(x) * 3, rt.int32))
