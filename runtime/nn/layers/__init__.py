"""Layers: the namespace `rt.nn.layers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import door

if TYPE_CHECKING:
    from runtime.nn.layers.activation import Activation as Activation
    from runtime.nn.layers.activity import ActivityRegularization as ActivityRegularization
    from runtime.nn.layers.arranging import Permute as Permute
    from runtime.nn.layers.arranging import RepeatVector as RepeatVector
    from runtime.nn.layers.attention import AdditiveAttention as AdditiveAttention
    from runtime.nn.layers.attention import Attention as Attention
    from runtime.nn.layers.batch_normalization import BatchNormalization as BatchNormalization
    from runtime.nn.layers.category_encoding import CategoryEncoding as CategoryEncoding
    from runtime.nn.layers.category_encoding import Discretization as Discretization
    from runtime.nn.layers.convolution import Conv1D as Conv1D
    from runtime.nn.layers.convolution import Conv2D as Conv2D
    from runtime.nn.layers.convolution import Conv3D as Conv3D
    from runtime.nn.layers.convolution_transpose import Conv1DTranspose as Conv1DTranspose
    from runtime.nn.layers.convolution_transpose import Conv2DTranspose as Conv2DTranspose
    from runtime.nn.layers.convolution_transpose import Conv3DTranspose as Conv3DTranspose
    from runtime.nn.layers.dense import Dense as Dense
    from runtime.nn.layers.depthwise_convolution import DepthwiseConv1D as DepthwiseConv1D
    from runtime.nn.layers.depthwise_convolution import DepthwiseConv2D as DepthwiseConv2D
    from runtime.nn.layers.depthwise_convolution import SeparableConv1D as SeparableConv1D
    from runtime.nn.layers.depthwise_convolution import SeparableConv2D as SeparableConv2D
    from runtime.nn.layers.dropout import Dropout as Dropout
    from runtime.nn.layers.einsum_dense import EinsumDense as EinsumDense
    from runtime.nn.layers.embedding import Embedding as Embedding
    from runtime.nn.layers.global_pooling import GlobalAveragePooling1D as GlobalAveragePooling1D
    from runtime.nn.layers.global_pooling import GlobalAveragePooling2D as GlobalAveragePooling2D
    from runtime.nn.layers.global_pooling import GlobalAveragePooling3D as GlobalAveragePooling3D
    from runtime.nn.layers.global_pooling import GlobalMaxPooling1D as GlobalMaxPooling1D
    from runtime.nn.layers.global_pooling import GlobalMaxPooling2D as GlobalMaxPooling2D
    from runtime.nn.layers.global_pooling import GlobalMaxPooling3D as GlobalMaxPooling3D
    from runtime.nn.layers.group_normalization import GroupNormalization as GroupNormalization
    from runtime.nn.layers.input import Input as Input
    from runtime.nn.layers.input_layer import InputLayer as InputLayer
    from runtime.nn.layers.input_spec import InputSpec as InputSpec
    from runtime.nn.layers.joining import Concatenate as Concatenate
    from runtime.nn.layers.joining import Dot as Dot
    from runtime.nn.layers.lambda_layer import Identity as Identity
    from runtime.nn.layers.lambda_layer import Lambda as Lambda
    from runtime.nn.layers.layer import Layer as Layer
    from runtime.nn.layers.layer_normalization import LayerNormalization as LayerNormalization
    from runtime.nn.layers.layer_normalization import RMSNormalization as RMSNormalization
    from runtime.nn.layers.layer_normalization import UnitNormalization as UnitNormalization
    from runtime.nn.layers.masking import Masking as Masking
    from runtime.nn.layers.merging import Add as Add
    from runtime.nn.layers.merging import Average as Average
    from runtime.nn.layers.merging import Maximum as Maximum
    from runtime.nn.layers.merging import Minimum as Minimum
    from runtime.nn.layers.merging import Multiply as Multiply
    from runtime.nn.layers.merging import Subtract as Subtract
    from runtime.nn.layers.merging_functions import add as add
    from runtime.nn.layers.merging_functions import average as average
    from runtime.nn.layers.merging_functions import concatenate as concatenate
    from runtime.nn.layers.merging_functions import dot as dot
    from runtime.nn.layers.merging_functions import maximum as maximum
    from runtime.nn.layers.merging_functions import minimum as minimum
    from runtime.nn.layers.merging_functions import multiply as multiply
    from runtime.nn.layers.merging_functions import subtract as subtract
    from runtime.nn.layers.multi_head_attention import MultiHeadAttention as MultiHeadAttention
    from runtime.nn.layers.noise import AlphaDropout as AlphaDropout
    from runtime.nn.layers.noise import GaussianDropout as GaussianDropout
    from runtime.nn.layers.noise import GaussianNoise as GaussianNoise
    from runtime.nn.layers.normalization import Normalization as Normalization
    from runtime.nn.layers.padding import Cropping1D as Cropping1D
    from runtime.nn.layers.padding import Cropping2D as Cropping2D
    from runtime.nn.layers.padding import Cropping3D as Cropping3D
    from runtime.nn.layers.padding import ZeroPadding1D as ZeroPadding1D
    from runtime.nn.layers.padding import ZeroPadding2D as ZeroPadding2D
    from runtime.nn.layers.padding import ZeroPadding3D as ZeroPadding3D
    from runtime.nn.layers.pooling import AveragePooling1D as AveragePooling1D
    from runtime.nn.layers.pooling import AveragePooling2D as AveragePooling2D
    from runtime.nn.layers.pooling import AveragePooling3D as AveragePooling3D
    from runtime.nn.layers.pooling import MaxPooling1D as MaxPooling1D
    from runtime.nn.layers.pooling import MaxPooling2D as MaxPooling2D
    from runtime.nn.layers.pooling import MaxPooling3D as MaxPooling3D
    from runtime.nn.layers.rectifiers import ELU as ELU
    from runtime.nn.layers.rectifiers import LeakyReLU as LeakyReLU
    from runtime.nn.layers.rectifiers import PReLU as PReLU
    from runtime.nn.layers.rectifiers import ReLU as ReLU
    from runtime.nn.layers.rectifiers import Softmax as Softmax
    from runtime.nn.layers.recurrent.bidirectional import Bidirectional as Bidirectional
    from runtime.nn.layers.recurrent.gru import GRU as GRU
    from runtime.nn.layers.recurrent.gru_cell import GRUCell as GRUCell
    from runtime.nn.layers.recurrent.lstm import LSTM as LSTM
    from runtime.nn.layers.recurrent.lstm_cell import LSTMCell as LSTMCell
    from runtime.nn.layers.recurrent.rnn import RNN as RNN
    from runtime.nn.layers.recurrent.simple_cell import SimpleRNNCell as SimpleRNNCell
    from runtime.nn.layers.recurrent.simple_rnn import SimpleRNN as SimpleRNN
    from runtime.nn.layers.recurrent.stacked_cells import StackedRNNCells as StackedRNNCells
    from runtime.nn.layers.recurrent.time_distributed import TimeDistributed as TimeDistributed
    from runtime.nn.layers.rescaling import Rescaling as Rescaling
    from runtime.nn.layers.reshaping import Flatten as Flatten
    from runtime.nn.layers.reshaping import Reshape as Reshape
    from runtime.nn.layers.spatial_dropout import SpatialDropout1D as SpatialDropout1D
    from runtime.nn.layers.spatial_dropout import SpatialDropout2D as SpatialDropout2D
    from runtime.nn.layers.spatial_dropout import SpatialDropout3D as SpatialDropout3D
    from runtime.nn.layers.spectral_normalization import (
        SpectralNormalization as SpectralNormalization,
    )
    from runtime.nn.layers.upsampling import UpSampling1D as UpSampling1D
    from runtime.nn.layers.upsampling import UpSampling2D as UpSampling2D
    from runtime.nn.layers.upsampling import UpSampling3D as UpSampling3D
    from runtime.nn.layers.wrapper import Wrapper as Wrapper
    from runtime.nn.models.serialization import deserialize as deserialize
    from runtime.nn.models.serialization import serialize as serialize

    AvgPool1D = AveragePooling1D
    AvgPool2D = AveragePooling2D
    AvgPool3D = AveragePooling3D
    Convolution1D = Conv1D
    Convolution1DTranspose = Conv1DTranspose
    Convolution2D = Conv2D
    Convolution2DTranspose = Conv2DTranspose
    Convolution3D = Conv3D
    Convolution3DTranspose = Conv3DTranspose
    GlobalAvgPool1D = GlobalAveragePooling1D
    GlobalAvgPool2D = GlobalAveragePooling2D
    GlobalAvgPool3D = GlobalAveragePooling3D
    GlobalMaxPool1D = GlobalMaxPooling1D
    GlobalMaxPool2D = GlobalMaxPooling2D
    GlobalMaxPool3D = GlobalMaxPooling3D
    MaxPool1D = MaxPooling1D
    MaxPool2D = MaxPooling2D
    MaxPool3D = MaxPooling3D
    SeparableConvolution1D = SeparableConv1D
    SeparableConvolution2D = SeparableConv2D
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.nn.layers.activation": "Activation",
            "runtime.nn.layers.activity": "ActivityRegularization",
            "runtime.nn.layers.arranging": "Permute RepeatVector",
            "runtime.nn.layers.attention": "AdditiveAttention Attention",
            "runtime.nn.layers.batch_normalization": "BatchNormalization",
            "runtime.nn.layers.category_encoding": "CategoryEncoding Discretization",
            "runtime.nn.layers.convolution": (
                "Conv1D Conv2D Conv3D Convolution1D=Conv1D Convolution2D=Conv2D "
                "Convolution3D=Conv3D"
            ),
            "runtime.nn.layers.dense": "Dense",
            "runtime.nn.layers.depthwise_convolution": (
                "DepthwiseConv1D DepthwiseConv2D SeparableConv1D SeparableConv2D "
                "SeparableConvolution1D=SeparableConv1D SeparableConvolution2D=SeparableConv2D"
            ),
            "runtime.nn.layers.dropout": "Dropout",
            "runtime.nn.layers.einsum_dense": "EinsumDense",
            "runtime.nn.layers.embedding": "Embedding",
            "runtime.nn.layers.upsampling": "UpSampling1D UpSampling2D UpSampling3D",
            "runtime.nn.layers.global_pooling": (
                "GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D "
                "GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D "
                "GlobalAvgPool1D=GlobalAveragePooling1D GlobalAvgPool2D=GlobalAveragePooling2D "
                "GlobalAvgPool3D=GlobalAveragePooling3D GlobalMaxPool1D=GlobalMaxPooling1D "
                "GlobalMaxPool2D=GlobalMaxPooling2D GlobalMaxPool3D=GlobalMaxPooling3D"
            ),
            "runtime.nn.layers.group_normalization": "GroupNormalization",
            "runtime.nn.layers.input": "Input",
            "runtime.nn.layers.input_layer": "InputLayer",
            "runtime.nn.layers.joining": "Concatenate Dot",
            "runtime.nn.layers.lambda_layer": "Identity Lambda",
            "runtime.nn.layers.layer": "Layer",
            "runtime.nn.layers.layer_normalization": (
                "LayerNormalization RMSNormalization UnitNormalization"
            ),
            "runtime.nn.layers.padding": (
                "Cropping1D Cropping2D Cropping3D ZeroPadding1D ZeroPadding2D ZeroPadding3D"
            ),
            "runtime.nn.layers.masking": "Masking",
            "runtime.nn.layers.merging": "Add Average Maximum Minimum Multiply Subtract",
            "runtime.nn.layers.merging_functions": (
                "add average concatenate dot maximum minimum multiply subtract"
            ),
            "runtime.nn.layers.multi_head_attention": "MultiHeadAttention",
            "runtime.nn.layers.noise": "AlphaDropout GaussianDropout GaussianNoise",
            "runtime.nn.layers.normalization": "Normalization",
            "runtime.nn.layers.pooling": (
                "AveragePooling1D AveragePooling2D AveragePooling3D MaxPooling1D MaxPooling2D "
                "MaxPooling3D AvgPool1D=AveragePooling1D AvgPool2D=AveragePooling2D "
                "AvgPool3D=AveragePooling3D MaxPool1D=MaxPooling1D MaxPool2D=MaxPooling2D "
                "MaxPool3D=MaxPooling3D"
            ),
            "runtime.nn.layers.rectifiers": "ELU LeakyReLU PReLU ReLU Softmax",
            "runtime.nn.layers.recurrent.bidirectional": "Bidirectional",
            "runtime.nn.layers.recurrent.gru": "GRU",
            "runtime.nn.layers.recurrent.gru_cell": "GRUCell",
            "runtime.nn.layers.recurrent.lstm": "LSTM",
            "runtime.nn.layers.recurrent.lstm_cell": "LSTMCell",
            "runtime.nn.layers.recurrent.rnn": "RNN",
            "runtime.nn.layers.recurrent.simple_cell": "SimpleRNNCell",
            "runtime.nn.layers.recurrent.simple_rnn": "SimpleRNN",
            "runtime.nn.layers.recurrent.stacked_cells": "StackedRNNCells",
            "runtime.nn.layers.recurrent.time_distributed": "TimeDistributed",
            "runtime.nn.layers.rescaling": "Rescaling",
            "runtime.nn.layers.reshaping": "Flatten Reshape",
            "runtime.nn.layers.spatial_dropout": (
                "SpatialDropout1D SpatialDropout2D SpatialDropout3D"
            ),
            "runtime.nn.layers.input_spec": "InputSpec",
            "runtime.nn.layers.spectral_normalization": "SpectralNormalization",
            "runtime.nn.layers.convolution_transpose": (
                "Conv1DTranspose Conv2DTranspose Conv3DTranspose "
                "Convolution1DTranspose=Conv1DTranspose Convolution2DTranspose=Conv2DTranspose "
                "Convolution3DTranspose=Conv3DTranspose"
            ),
            "runtime.nn.layers.wrapper": "Wrapper",
            "runtime.nn.models.serialization": "deserialize serialize",
        },
    )


# Other names of the same layers.
