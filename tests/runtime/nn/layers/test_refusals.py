"""Layers refuse wrong arguments and inputs with messages of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, OpError, OutOfBoundsError, ShapeError
from runtime.nn import layers

ARGUMENTS = [
    ("Conv2D", {"filters": 0, "kernel_size": 2}, "filters must be a whole number of at least 1"),
    ("Conv2D", {"filters": 2, "kernel_size": 0}, "kernel_size"),
    ("Conv2D", {"filters": 2, "kernel_size": (1, 2, 3)}, "kernel_size must be a whole number"),
    ("Conv2D", {"filters": 2, "kernel_size": 2, "strides": 1.5}, "strides"),
    ("Conv2D", {"filters": 2, "kernel_size": 2, "padding": "causal"}, "'valid' or 'same'"),
    ("Conv2D", {"filters": 2, "kernel_size": 2, "padding": 1}, "padding must be"),
    ("Conv2D", {"filters": 3, "kernel_size": 2, "groups": 2}, "groups"),
    ("Conv2D", {"filters": 3, "kernel_size": 2, "data_format": "NHWC"}, "data_format must be"),
    ("Conv2D", {"filters": 3, "kernel_size": 2, "strides": 2, "dilation_rate": 2}, "cannot both"),
    ("Conv2D", {"filters": 3, "kernel_size": 2, "kernel_initializer": "noughts"}, "noughts"),
    ("Conv2D", {"filters": 3, "kernel_size": 2, "activation": "rellu"}, "did you mean 'relu'"),
    ("Conv2D", {"filters": 3, "kernel_size": 2, "colour": 1}, "no argument colour"),
    (
        "Conv1DTranspose",
        {"filters": 3, "kernel_size": 2, "output_padding": 1},
        "output_padding .* below strides",
    ),
    ("DepthwiseConv1D", {"kernel_size": 2, "padding": "causal"}, "'valid' or 'same'"),
    ("DepthwiseConv2D", {"kernel_size": 2, "depth_multiplier": 0}, "depth_multiplier"),
    ("MaxPooling2D", {"pool_size": None}, "pool_size"),
    ("AveragePooling1D", {"pool_size": 2, "strides": 0}, "strides"),
    ("ZeroPadding2D", {"padding": -1}, "padding must be one whole number"),
    ("ZeroPadding2D", {"padding": (1, 2, 3)}, "padding"),
    ("Cropping1D", {"cropping": (1, 2, 3)}, "cropping"),
    ("UpSampling1D", {"size": 0}, "size must be a whole number"),
    ("UpSampling2D", {"interpolation": "area"}, "interpolation must be one of"),
    ("Permute", {"dims": (2, 3)}, "dims must be the axes"),
    ("RepeatVector", {"n": 2.5}, "n must be a whole number"),
    ("BatchNormalization", {"axis": [1, 2]}, "one number"),
    ("BatchNormalization", {"momentum": 2}, "momentum must be from 0 to 1"),
    ("BatchNormalization", {"renorm": True, "renorm_clipping": {"max": 1}}, "rmax, rmin and dmax"),
    ("BatchNormalization", {"renorm_momentum": -1}, "renorm_momentum"),
    ("LayerNormalization", {"axis": "last"}, "axis must be an int or a list of ints"),
    ("LayerNormalization", {"epsilon": -1}, "epsilon"),
    ("GroupNormalization", {"groups": 0}, "groups"),
    ("Normalization", {"mean": 1.0}, "both mean and variance"),
    ("Concatenate", {"axis": "a"}, "axis must be an int"),
    ("Dot", {"axes": 0}, "without 0, the batch"),
    ("Dot", {"axes": (1, 2, 3)}, "axes must be one axis or a pair"),
    ("EinsumDense", {"equation": "ab->a", "output_shape": 3}, "not an equation of two operands"),
    ("EinsumDense", {"equation": "ab,bc->acd", "output_shape": 3}, "in neither operand"),
    (
        "EinsumDense",
        {"equation": "ab,bc->ac", "output_shape": 3, "bias_axes": "b"},
        "bias cannot have",
    ),
    ("Embedding", {"input_dim": 0, "output_dim": 3}, "input_dim"),
    ("Embedding", {"input_dim": 5, "output_dim": 2.5}, "output_dim"),
    ("ReLU", {"max_value": -1.0}, "max_value must be a number of at least 0"),
    ("LeakyReLU", {"negative_slope": None}, "negative_slope"),
    ("ELU", {"alpha": "a"}, "alpha"),
    ("PReLU", {"shared_axes": 0}, "shared_axes"),
    ("Softmax", {"axis": "a"}, "axis"),
    ("GaussianNoise", {"stddev": 3.0}, "stddev must be from 0 to 1"),
    ("GaussianDropout", {"rate": 1.0}, "below 1"),
    ("AlphaDropout", {"rate": 1.5}, "rate must be from 0 to 1"),
    ("SpatialDropout1D", {"rate": -0.5}, "rate must be from 0 to 1"),
    ("Attention", {"score_mode": "sum"}, "score_mode"),
    ("Attention", {"dropout": 2}, "dropout"),
]


@pytest.mark.parametrize(("kind", "arguments", "words"), ARGUMENTS)
def test_wrong_arguments_are_refused(kind: str, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentValueError, match=words):
        getattr(layers, kind)(**arguments)


INPUTS = [
    ("Conv2D", {"filters": 2, "kernel_size": 2}, (4, 4, 2), ShapeError, "4 axes or more"),
    ("Conv2D", {"filters": 2, "kernel_size": 5}, (1, 4, 4, 2), ShapeError, "does not fit"),
    ("Conv2D", {"filters": 2, "kernel_size": 2, "groups": 2}, (1, 4, 4, 3), ShapeError, "groups"),
    ("Conv2D", {"filters": 2, "kernel_size": 2}, (1, 4, 4, 0), ShapeError, "number of channels"),
    ("Conv2DTranspose", {"filters": 2, "kernel_size": 2}, (4, 4, 2), ShapeError, "4 axes"),
    ("MaxPooling2D", {"pool_size": 5}, (1, 4, 4, 2), ShapeError, "does not fit"),
    ("MaxPooling2D", {}, (4, 4, 2), ShapeError, "4 axes"),
    ("GlobalMaxPooling2D", {}, (4, 4), ShapeError, "4 axes"),
    ("ZeroPadding1D", {}, (4, 4), ShapeError, "3 axes"),
    ("Cropping1D", {"cropping": 2}, (1, 4, 4), ShapeError, "nothing would be left"),
    ("UpSampling1D", {}, (4, 4), ShapeError, "3 axes"),
    ("Permute", {"dims": (2, 1)}, (2, 3), ShapeError, "3 axes"),
    ("RepeatVector", {"n": 2}, (2, 3, 4), ShapeError, "2 axes"),
    ("BatchNormalization", {"axis": 5}, (2, 3), ShapeError, "no axis 5"),
    ("LayerNormalization", {"axis": 5}, (2, 3), ShapeError, "no axis 5"),
    ("UnitNormalization", {"axis": 5}, (2, 3), ShapeError, "no axis 5"),
    ("GroupNormalization", {"groups": 3}, (2, 4), ShapeError, "groups"),
    ("Normalization", {"axis": 3}, (2, 3), ShapeError, "no axis 3"),
    ("Normalization", {"mean": [1.0, 2.0], "variance": 1.0}, (2, 3), ShapeError, "does not fit"),
    ("Rescaling", {"scale": [1.0, 2.0]}, (2, 3), ShapeError, "3"),
    ("EinsumDense", {"equation": "abc,cd->abd", "output_shape": (1, 2)}, (2, 3), ShapeError, "fit"),
    ("PReLU", {"shared_axes": 3}, (2, 3), ShapeError, "no axis 3"),
    ("SpatialDropout2D", {"rate": 0.5}, (2, 3), ShapeError, "4 axes"),
    ("Add", {}, (2, 3), ArgumentValueError, "list of tensors"),
    ("Concatenate", {}, (2, 3), ArgumentValueError, "list of tensors"),
    ("Dot", {"axes": 1}, (2, 3), ArgumentValueError, "list of tensors"),
    ("Attention", {}, (2, 3, 4), ArgumentValueError, "query, value"),
    ("Add", {}, [(2, 3), (3, 3)], ShapeError, "one batch size"),
    ("Add", {}, [(2, 3), (2, 4)], ShapeError, "broadcast"),
    ("Subtract", {}, [(2, 3)] * 3, ArgumentValueError, "two tensors"),
    ("Concatenate", {}, [(2, 3), (3, 4)], ShapeError, "differ elsewhere"),
    ("Concatenate", {"axis": 2}, [(2, 3), (2, 3)], ShapeError, "no axis 2"),
    ("Dot", {"axes": 1}, [(2, 3), (2, 4)], ShapeError, "differ in size"),
    ("Dot", {"axes": 2}, [(2, 3), (2, 3)], ShapeError, "no axis 2"),
    ("Attention", {}, [(2, 3, 4)], ArgumentValueError, "query, value"),
    ("Attention", {}, [(2, 3, 4), (2, 5, 3)], ShapeError, "."),
]


@pytest.mark.parametrize(("kind", "arguments", "shapes", "error", "words"), INPUTS)
def test_wrong_inputs_are_refused(
    kind: str, arguments: Any, shapes: Any, error: type[OpError], words: str
) -> None:
    is_list = isinstance(shapes, list)
    inputs = [rt.ones(shape) for shape in shapes] if is_list else rt.ones(shapes)
    with pytest.raises(error, match=words):
        getattr(layers, kind)(**arguments)(inputs)


def test_a_layer_is_for_the_channels_it_was_built_for() -> None:
    for layer in (layers.Conv1D(2, 2), layers.BatchNormalization(), layers.PReLU()):
        layer(rt.ones([1, 4, 3]))
        with pytest.raises(ShapeError, match="size 3"):
            layer(rt.ones([1, 4, 2]))


def test_weights_need_known_sizes() -> None:
    with pytest.raises(ShapeError, match="known number of channels"):
        layers.Conv1D(2, 2).build((None, 4, None))
    with pytest.raises(ArgumentValueError, match="must be known"):
        layers.LayerNormalization().build((2, None))
    with pytest.raises(ShapeError, match="known rank"):
        layers.BatchNormalization().build(None)


def test_texts_are_no_numbers() -> None:
    for layer in (layers.Conv1D(2, 1), layers.LayerNormalization(), layers.Rescaling(2.0)):
        with pytest.raises(DTypeError, match="takes numbers, not"):
            layer(rt.constant([[["a"]]]))


def test_an_out_of_range_embedding_row_is_refused() -> None:
    layer = layers.Embedding(5, 3)
    with pytest.raises(OutOfBoundsError):
        layer([[7]])
    np.testing.assert_array_equal(layer([4]).numpy(), layer([-1]).numpy())


def test_whole_numbers_become_floats_where_layers_compute() -> None:
    x = np.arange(16).reshape(1, 2, 4, 2)
    for kind, arguments in (
        ("Conv2D", {"filters": 1, "kernel_size": 1}),
        ("Dense", {"units": 1}),
        ("AveragePooling2D", {"pool_size": 2}),
        ("GlobalAveragePooling2D", {}),
        ("LayerNormalization", {}),
        ("BatchNormalization", {}),
    ):
        whole = getattr(layers, kind)(**arguments)
        found = whole(x)
        assert rt.float32 is found.dtype
        np.testing.assert_array_equal(whole(x.astype(np.float32)).numpy(), found.numpy())
    for kind in ("MaxPooling2D", "ZeroPadding2D", "UpSampling2D", "ReLU"):
        assert rt.int64 is getattr(layers, kind)()(x).dtype


@pytest.mark.parametrize(
    "layer",
    [
        layers.Embedding(3, 2),
        layers.Masking(),
        layers.UnitNormalization(),
        layers.GaussianNoise(0.5),
        layers.CategoryEncoding(3),
    ],
)
def test_lists_of_tensors_that_differ_are_refused(layer: Any) -> None:
    with pytest.raises(OpError):
        rt.nn.Sequential([layer])([rt.ones([2, 3]), rt.ones([2, 4])], training=True)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda layer: layer.set_weights(3), "weights must be a list, not 3"),
        (lambda layer: layer.build(3), "the shape of inputs must be a list, not 3"),
        (lambda layer: layer.add_weight([1], name=3), "name must be a string, not 3"),
        (lambda layer: setattr(layer, "trainable", "no"), "trainable must be True or False"),
    ],
)
def test_settings_of_wrong_types_are_refused(call: Any, words: str) -> None:
    with pytest.raises(DTypeError, match=words):
        call(layers.Dense(2))


RANK_LIMITS = [
    ({"ndim": 2}, "takes inputs of 2 axes", (2,)),
    ({"min_ndim": 2}, "takes inputs of 2 axes or more", (2, 3)),
    ({"max_ndim": 2}, "takes inputs of at most 2 axes", (0, 1, 2)),
]


@pytest.mark.parametrize("limits, words, taken", RANK_LIMITS)
def test_limits_of_the_rank_hold_for_graphs_of_unknown_rank(
    limits: dict[str, int], words: str, taken: tuple[int, ...]
) -> None:
    class Doubled(layers.Layer):
        def call(self, inputs: Any) -> Any:
            return inputs * 2.0

    layer = Doubled(name="doubled")
    layer.input_spec = layers.InputSpec(**limits)
    staged = ag.function(
        lambda inputs: layer(inputs), input_signature=[rt.TensorSpec(None, rt.float32)]
    )
    for rank in range(4):
        for call in (layer, staged):
            if rank in taken:
                assert call(rt.ones([2] * rank)).numpy().tolist() == np.full([2] * rank, 2).tolist()
            else:
                with pytest.raises(ShapeError, match=f"'doubled' .Doubled. {words}"):
                    call(rt.ones([2] * rank))
