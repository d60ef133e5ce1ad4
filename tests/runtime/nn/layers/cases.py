"""Layers with arguments and input shapes, for the laws of layers.

A case is the name of a class, its arguments by name, the shapes of its inputs without the batch
(one shape, or a list of them for a list of inputs), and what the call is told besides.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Case(NamedTuple):
    """One layer with the inputs and options of its call."""

    kind: str
    arguments: dict[str, Any]
    shapes: Any
    told: dict[str, Any] = {}
    # Which of the values that inputs may have: "floats", or a number of whole ones from 0.
    values: Any = "floats"


def _cases() -> list[Case]:
    return [*CONVOLUTIONS, *POOLS, *ARRANGING, *NORMALIZING, *MERGING, *OTHERS]


FIRST = {"data_format": "channels_first"}
SEQUENCE, IMAGE, VOLUME = (6, 4), (5, 6, 2), (4, 3, 5, 2)

CONVOLUTIONS = [
    Case("Conv1D", {"filters": 3, "kernel_size": 2}, SEQUENCE),
    Case(
        "Conv1D",
        {"filters": 3, "kernel_size": 3, "padding": "causal", "dilation_rate": 2},
        SEQUENCE,
    ),
    Case("Conv1D", {"filters": 4, "kernel_size": 2, "groups": 2, "activation": "tanh"}, SEQUENCE),
    Case("Conv1D", {"filters": 2, "kernel_size": 2, "padding": "causal", **FIRST}, (2, 5)),
    Case("Conv2D", {"filters": 3, "kernel_size": (2, 3)}, IMAGE),
    Case("Conv2D", {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same"}, IMAGE),
    Case(
        "Conv2D",
        {"filters": 2, "kernel_size": 2, "dilation_rate": (1, 2), "use_bias": False},
        IMAGE,
    ),
    Case("Conv2D", {"filters": 2, "kernel_size": 2, "activation": "relu", **FIRST}, (3, 4, 5)),
    Case("Conv3D", {"filters": 3, "kernel_size": 2, "padding": "same"}, VOLUME),
    Case("Conv3D", {"filters": 2, "kernel_size": (1, 2, 3), "strides": (2, 1, 1)}, VOLUME),
    Case("Conv1DTranspose", {"filters": 3, "kernel_size": 3, "strides": 2}, SEQUENCE),
    Case(
        "Conv1DTranspose",
        {"filters": 3, "kernel_size": 2, "strides": 3, "padding": "same"},
        SEQUENCE,
    ),
    Case(
        "Conv1DTranspose",
        {"filters": 2, "kernel_size": 3, "strides": 3, "padding": "same", "output_padding": 1},
        SEQUENCE,
    ),
    Case(
        "Conv1DTranspose",
        {"filters": 2, "kernel_size": 2, "strides": 3, "output_padding": 0},
        SEQUENCE,
    ),
    Case("Conv2DTranspose", {"filters": 3, "kernel_size": (2, 3), "strides": (2, 1)}, IMAGE),
    Case("Conv2DTranspose", {"filters": 3, "kernel_size": 3, "dilation_rate": 2}, IMAGE),
    Case("Conv2DTranspose", {"filters": 3, "kernel_size": 3, "strides": 2, **FIRST}, (2, 3, 4)),
    Case("Conv3DTranspose", {"filters": 3, "kernel_size": 2, "strides": 2}, (2, 3, 2, 2)),
    Case("DepthwiseConv1D", {"kernel_size": 3, "strides": 2, "depth_multiplier": 2}, SEQUENCE),
    Case("DepthwiseConv2D", {"kernel_size": 2, "depth_multiplier": 3, "padding": "same"}, IMAGE),
    Case("DepthwiseConv2D", {"kernel_size": 2, "activation": "sigmoid", **FIRST}, (2, 4, 4)),
    Case("SeparableConv1D", {"filters": 3, "kernel_size": 2, "depth_multiplier": 2}, SEQUENCE),
    Case(
        "SeparableConv2D", {"filters": 3, "kernel_size": 2, "strides": 2, "padding": "same"}, IMAGE
    ),
    Case("SeparableConv2D", {"filters": 3, "kernel_size": 2, "dilation_rate": 2}, IMAGE),
]
POOLS = [
    Case("MaxPooling1D", {"pool_size": 2}, SEQUENCE),
    Case("MaxPooling1D", {"pool_size": 3, "strides": 1, "padding": "same", **FIRST}, (2, 5)),
    Case("MaxPooling2D", {"pool_size": (2, 3)}, IMAGE),
    Case("MaxPooling2D", {"pool_size": 2, "strides": 2, "padding": "same"}, IMAGE),
    Case("MaxPooling3D", {"pool_size": 2, "strides": 1}, VOLUME),
    Case("AveragePooling1D", {"pool_size": 2, "padding": "same", "strides": 1}, SEQUENCE),
    Case("AveragePooling2D", {"pool_size": 2, "padding": "same", "strides": (1, 2)}, IMAGE),
    Case("AveragePooling2D", {"pool_size": 2, **FIRST}, (2, 4, 5)),
    Case("AveragePooling3D", {"pool_size": (1, 2, 3)}, VOLUME),
    Case("GlobalMaxPooling1D", {}, SEQUENCE),
    Case("GlobalMaxPooling2D", {"keepdims": True}, IMAGE),
    Case("GlobalMaxPooling3D", {**FIRST}, (2, 3, 4, 2)),
    Case("GlobalAveragePooling1D", {}, SEQUENCE),
    Case("GlobalAveragePooling2D", {"keepdims": True, **FIRST}, (2, 3, 4)),
    Case("GlobalAveragePooling3D", {}, VOLUME),
]
ARRANGING = [
    Case("ZeroPadding1D", {"padding": (1, 2)}, SEQUENCE),
    Case("ZeroPadding2D", {}, IMAGE),
    Case("ZeroPadding2D", {"padding": ((1, 0), (2, 3)), **FIRST}, (2, 3, 4)),
    Case("ZeroPadding3D", {"padding": (1, 0, 2)}, VOLUME),
    Case("Cropping1D", {"cropping": (2, 0)}, SEQUENCE),
    Case("Cropping2D", {"cropping": ((1, 0), (2, 1))}, IMAGE),
    Case("Cropping2D", {"cropping": 1, **FIRST}, (2, 3, 4)),
    Case("Cropping3D", {}, (4, 3, 5, 2)),
    Case("UpSampling1D", {"size": 3}, SEQUENCE),
    Case("UpSampling2D", {"size": (1, 3)}, IMAGE),
    Case("UpSampling2D", {"size": (2, 3), "interpolation": "bilinear"}, IMAGE),
    Case("UpSampling2D", {"interpolation": "bilinear", **FIRST}, (2, 3, 4)),
    Case("UpSampling2D", {"interpolation": "bicubic"}, IMAGE),
    Case("UpSampling2D", {"interpolation": "lanczos3"}, IMAGE),
    Case("UpSampling2D", {"interpolation": "lanczos5"}, IMAGE),
    Case("UpSampling3D", {"size": (1, 2, 3)}, VOLUME),
    Case("Permute", {"dims": (3, 1, 2)}, IMAGE),
    Case("RepeatVector", {"n": 3}, (4,)),
    Case("Flatten", {}, IMAGE),
    Case("Reshape", {"target_shape": (3, -1)}, SEQUENCE),
]
NORMALIZING = [
    Case("BatchNormalization", {}, SEQUENCE),
    Case("BatchNormalization", {"axis": 1, "momentum": 0.8}, SEQUENCE, {"training": True}),
    Case("BatchNormalization", {"epsilon": 0.1, "scale": False}, IMAGE, {"training": True}),
    Case("BatchNormalization", {"center": False, "trainable": False}, (4,), {"training": True}),
    Case("LayerNormalization", {}, SEQUENCE),
    Case("LayerNormalization", {"axis": (2, 1), "epsilon": 0.1}, IMAGE),
    Case("LayerNormalization", {"axis": 1, "center": False}, SEQUENCE),
    Case("RMSNormalization", {}, SEQUENCE),
    Case("RMSNormalization", {"axis": (1, 2), "epsilon": 0.1}, SEQUENCE),
    Case("UnitNormalization", {}, SEQUENCE),
    Case("UnitNormalization", {"axis": (1, 2)}, SEQUENCE),
    Case("GroupNormalization", {"groups": 2}, SEQUENCE),
    Case("GroupNormalization", {"groups": -1, "scale": False}, IMAGE),
    Case("GroupNormalization", {"groups": 2, "axis": 1, "epsilon": 0.1}, (4, 2, 3)),
    Case("Normalization", {"mean": [1.0, 2.0], "variance": [0.5, 4.0]}, (3, 2)),
    Case("Normalization", {"axis": None, "mean": 3.0, "variance": 0.25, "invert": True}, (3, 2)),
    Case("Rescaling", {"scale": 0.5, "offset": 2.0}, SEQUENCE),
    Case("Rescaling", {"scale": [1.0, 2.0], "offset": [0.0, 3.0]}, (3, 2)),
]
PAIR = [(3, 4), (3, 4)]
MERGING = [
    *(
        Case(kind, {}, [(3, 4), (3, 4), (4,)])
        for kind in ("Add", "Average", "Maximum", "Minimum", "Multiply")
    ),
    Case("Subtract", {}, PAIR),
    Case("Concatenate", {}, [(3, 4), (3, 2), (3, 1)]),
    Case("Concatenate", {"axis": 1}, [(3, 4), (2, 4)]),
    Case("Dot", {"axes": 1}, [(4,), (4,)]),
    Case("Dot", {"axes": (2, 1)}, [(3, 4), (4, 5)]),
    Case("Dot", {"axes": -1, "normalize": True}, [(3, 4), (5, 4)]),
    Case("Dot", {"axes": (1, 3)}, [(4,), (2, 3, 4)]),
]
ATTENDING = [(3, 4), (5, 4)]
OTHERS = [
    Case("Activation", {"activation": "gelu"}, SEQUENCE),
    Case("Dense", {"units": 3, "activation": "tanh"}, SEQUENCE),
    Case("EinsumDense", {"equation": "ab,bc->ac", "output_shape": 5}, (4,)),
    Case(
        "EinsumDense",
        {"equation": "abc,cde->abde", "output_shape": (None, 2, 3), "bias_axes": "de"},
        SEQUENCE,
    ),
    Case(
        "EinsumDense", {"equation": "...x,xy->...y", "output_shape": 7, "bias_axes": "y"}, SEQUENCE
    ),
    Case(
        "EinsumDense",
        {"equation": "ab...,bc->ac...", "output_shape": (3, None), "bias_axes": "c"},
        SEQUENCE,
    ),
    Case(
        "EinsumDense",
        {"equation": "abc,bde->adce", "output_shape": (2, 4, 3), "bias_axes": "de"},
        SEQUENCE,
    ),
    Case("Embedding", {"input_dim": 7, "output_dim": 3}, (5,), {}, 7),
    Case("Embedding", {"input_dim": 7, "output_dim": 2, "mask_zero": True}, (2, 3), {}, 7),
    Case("ReLU", {}, SEQUENCE),
    Case("ReLU", {"max_value": 1.0, "negative_slope": 0.1, "threshold": 0.3}, SEQUENCE),
    Case("LeakyReLU", {}, SEQUENCE),
    Case("ELU", {"alpha": 0.5}, SEQUENCE),
    Case("PReLU", {}, SEQUENCE),
    Case("PReLU", {"shared_axes": [1, 2]}, IMAGE),
    Case("Softmax", {}, SEQUENCE),
    Case("Softmax", {"axis": (1, 2)}, SEQUENCE),
    Case("Attention", {}, ATTENDING),
    Case("Attention", {"use_scale": True}, [(3, 4), (5, 2), (5, 4)], {"use_causal_mask": True}),
    Case("Attention", {"use_scale": True, "score_mode": "concat"}, ATTENDING),
    Case("AdditiveAttention", {}, ATTENDING),
    Case("AdditiveAttention", {"use_scale": False}, [(3, 4), (5, 2), (5, 4)]),
    Case("Masking", {}, SEQUENCE),
    Case("Identity", {}, SEQUENCE),
    Case("ActivityRegularization", {"l1": 0.1, "l2": 0.2}, SEQUENCE),
    Case("Dropout", {"rate": 0.5}, SEQUENCE),
    Case("SpatialDropout1D", {"rate": 0.5}, SEQUENCE),
    Case("SpatialDropout2D", {"rate": 0.5}, IMAGE),
    Case("SpatialDropout3D", {"rate": 0.5, **FIRST}, VOLUME),
    Case("AlphaDropout", {"rate": 0.5}, SEQUENCE),
    Case("GaussianDropout", {"rate": 0.5}, SEQUENCE),
    Case("GaussianNoise", {"stddev": 0.5}, SEQUENCE),
]
CASES = _cases()


def case_name(case: Case) -> str:
    """Return the name of a case in reports of tests."""
    told = [f"{name}={value}" for name, value in {**case.arguments, **case.told}.items()]
    return " ".join([case.kind, *told])
