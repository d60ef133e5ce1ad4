"""Neural networks: the namespace `rt.nn`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn import activations as activations
    from runtime.nn import backend as backend
    from runtime.nn import callbacks as callbacks
    from runtime.nn import constraints as constraints
    from runtime.nn import dataset_utils as dataset_utils
    from runtime.nn import datasets as datasets
    from runtime.nn import initializers as initializers
    from runtime.nn import layers as layers
    from runtime.nn import losses as losses
    from runtime.nn import metrics as metrics
    from runtime.nn import models as models
    from runtime.nn import ops as ops
    from runtime.nn import optimizers as optimizers
    from runtime.nn import preprocessing as preprocessing
    from runtime.nn import random as random
    from runtime.nn import regularizers as regularizers
    from runtime.nn import seeds as seeds
    from runtime.nn.layers.input import Input as Input
    from runtime.nn.models.model import Model as Model
    from runtime.nn.models.sequential import Sequential as Sequential
    from runtime.nn.modules.module import Module as Module
    from runtime.nn.training.py_dataset import PyDataset as PyDataset
    from runtime.ops.arrays.sorting import in_top_k as in_top_k
    from runtime.ops.arrays.sorting import top_k as top_k
    from runtime.ops.arrays.space_to_batch import space_to_batch as space_to_batch
    from runtime.ops.arrays.space_to_depth import depth_to_space as depth_to_space
    from runtime.ops.arrays.space_to_depth import space_to_depth as space_to_depth
    from runtime.ops.elementwise.composites import zero_fraction as zero_fraction
    from runtime.ops.elementwise.unary import sigmoid as sigmoid
    from runtime.ops.elementwise.unary import tanh as tanh
    from runtime.ops.linalg.norms import l2_loss as l2_loss
    from runtime.ops.linalg.norms import l2_normalize as l2_normalize
    from runtime.ops.neural.activations import crelu as crelu
    from runtime.ops.neural.activations import elu as elu
    from runtime.ops.neural.activations import gelu as gelu
    from runtime.ops.neural.activations import leaky_relu as leaky_relu
    from runtime.ops.neural.activations import relu as relu
    from runtime.ops.neural.activations import relu6 as relu6
    from runtime.ops.neural.activations import selu as selu
    from runtime.ops.neural.activations import silu as silu
    from runtime.ops.neural.activations import softplus as softplus
    from runtime.ops.neural.activations import softsign as softsign
    from runtime.ops.neural.activations import swish as swish
    from runtime.ops.neural.bias_add import bias_add as bias_add
    from runtime.ops.neural.convolution import conv1d as conv1d
    from runtime.ops.neural.convolution import conv1d_transpose as conv1d_transpose
    from runtime.ops.neural.convolution import conv2d as conv2d
    from runtime.ops.neural.convolution import conv2d_transpose as conv2d_transpose
    from runtime.ops.neural.convolution import conv3d as conv3d
    from runtime.ops.neural.convolution import conv3d_transpose as conv3d_transpose
    from runtime.ops.neural.convolution import conv_transpose as conv_transpose
    from runtime.ops.neural.convolution import convolution as convolution
    from runtime.ops.neural.depthwise import atrous_conv2d as atrous_conv2d
    from runtime.ops.neural.depthwise import depthwise_conv2d as depthwise_conv2d
    from runtime.ops.neural.depthwise import separable_conv2d as separable_conv2d
    from runtime.ops.neural.dropout import dropout as dropout
    from runtime.ops.neural.dropout import stateless_dropout as stateless_dropout
    from runtime.ops.neural.embedding import embedding_lookup as embedding_lookup
    from runtime.ops.neural.max_pool_positions import max_pool_with_argmax as max_pool_with_argmax
    from runtime.ops.neural.max_pool_positions import pool as pool
    from runtime.ops.neural.moments import compute_average_loss as compute_average_loss
    from runtime.ops.neural.moments import moments as moments
    from runtime.ops.neural.moments import normalize_moments as normalize_moments
    from runtime.ops.neural.moments import scale_regularization_loss as scale_regularization_loss
    from runtime.ops.neural.moments import sufficient_statistics as sufficient_statistics
    from runtime.ops.neural.moments import weighted_moments as weighted_moments
    from runtime.ops.neural.normalization import batch_normalization as batch_normalization
    from runtime.ops.neural.normalization import (
        local_response_normalization as local_response_normalization,
    )
    from runtime.ops.neural.normalization import lrn as lrn
    from runtime.ops.neural.pooling import avg_pool as avg_pool
    from runtime.ops.neural.pooling import avg_pool1d as avg_pool1d
    from runtime.ops.neural.pooling import avg_pool2d as avg_pool2d
    from runtime.ops.neural.pooling import avg_pool3d as avg_pool3d
    from runtime.ops.neural.pooling import max_pool as max_pool
    from runtime.ops.neural.pooling import max_pool1d as max_pool1d
    from runtime.ops.neural.pooling import max_pool2d as max_pool2d
    from runtime.ops.neural.pooling import max_pool3d as max_pool3d
    from runtime.ops.neural.softmax import log_softmax as log_softmax
    from runtime.ops.neural.softmax import softmax as softmax
    from runtime.ops.neural.softmax import (
        softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
    )
    from runtime.ops.neural.softmax import (
        sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
    )
    from runtime.ops.neural.weighted_losses import log_poisson_loss as log_poisson_loss
    from runtime.ops.neural.weighted_losses import (
        sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
    )
    from runtime.ops.neural.weighted_losses import (
        weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits,
    )
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn": (
                "activations backend callbacks constraints dataset_utils datasets "
                "initializers layers losses metrics models ops optimizers preprocessing random "
                "regularizers seeds"
            ),
            "runtime.nn.layers.input": "Input",
            "runtime.nn.models.model": "Model",
            "runtime.nn.models.sequential": "Sequential",
            "runtime.nn.modules.module": "Module",
            "runtime.nn.training.py_dataset": "PyDataset",
            "runtime.ops.arrays.space_to_batch": "space_to_batch",
            "runtime.ops.arrays.space_to_depth": "depth_to_space space_to_depth",
            "runtime.ops.neural.convolution": (
                "conv1d conv1d_transpose conv2d conv2d_transpose conv3d conv3d_transpose "
                "conv_transpose convolution"
            ),
            "runtime.ops.neural.depthwise": "atrous_conv2d depthwise_conv2d separable_conv2d",
            "runtime.ops.neural.dropout": "dropout stateless_dropout",
            "runtime.ops.elementwise.composites": "zero_fraction",
            "runtime.ops.elementwise.unary": "sigmoid tanh",
            "runtime.ops.neural.embedding": "embedding_lookup",
            "runtime.ops.neural.bias_add": "bias_add",
            "runtime.ops.neural.activations": (
                "crelu elu gelu leaky_relu relu relu6 selu silu softplus softsign swish"
            ),
            "runtime.ops.linalg.norms": "l2_loss l2_normalize",
            "runtime.ops.neural.softmax": (
                "log_softmax softmax softmax_cross_entropy_with_logits "
                "sparse_softmax_cross_entropy_with_logits"
            ),
            "runtime.ops.neural.normalization": (
                "batch_normalization local_response_normalization lrn"
            ),
            "runtime.ops.neural.max_pool_positions": "max_pool_with_argmax pool",
            "runtime.ops.neural.pooling": (
                "avg_pool avg_pool1d avg_pool2d avg_pool3d max_pool max_pool1d max_pool2d "
                "max_pool3d"
            ),
            "runtime.ops.arrays.sorting": "in_top_k top_k",
            "runtime.ops.neural.moments": (
                "compute_average_loss moments normalize_moments scale_regularization_loss "
                "sufficient_statistics weighted_moments"
            ),
            "runtime.ops.neural.weighted_losses": (
                "log_poisson_loss sigmoid_cross_entropy_with_logits "
                "weighted_cross_entropy_with_logits"
            ),
        },
    )
