"""Layers: the namespace `rt.nn.layers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.layers.activation import ELU as ELU
    from runtime.nn.layers.activation import Activation as Activation
    from runtime.nn.layers.activation import LeakyReLU as LeakyReLU
    from runtime.nn.layers.activation import PReLU as PReLU
    from runtime.nn.layers.activation import ReLU as ReLU
    from runtime.nn.layers.activation import Softmax as Softmax
    from runtime.nn.layers.attention import AdditiveAttention as AdditiveAttention
    from runtime.nn.layers.attention import Attention as Attention
    from runtime.nn.layers.batch_normalization import BatchNormalization as BatchNormalization
    from runtime.nn.layers.convolution import Conv1D as Conv1D
    from runtime.nn.layers.convolution import Conv2D as Conv2D
    from runtime.nn.layers.convolution import Conv3D as Conv3D
    from runtime.nn.layers.convolution_transpose import Conv1DTranspose as Conv1DTranspose
    from runtime.nn.layers.convolution_transpose import Conv2DTranspose as Conv2DTranspose
    from runtime.nn.layers.convolution_transpose import Conv3DTranspose as Conv3DTranspose
    from runtime.nn.layers.dense import Dense as Dense
    from runtime.nn.layers.dense import EinsumDense as EinsumDense
    from runtime.nn.layers.depthwise_convolution import DepthwiseConv1D as DepthwiseConv1D
    from runtime.nn.layers.depthwise_convolution import DepthwiseConv2D as DepthwiseConv2D
    from runtime.nn.layers.depthwise_convolution import SeparableConv1D as SeparableConv1D
    from runtime.nn.layers.depthwise_convolution import SeparableConv2D as SeparableConv2D
    from runtime.nn.layers.embedding import Embedding as Embedding
    from runtime.nn.layers.group_normalization import GroupNormalization as GroupNormalization
    from runtime.nn.layers.input import Input as Input
    from runtime.nn.layers.input import InputLayer as InputLayer
    from runtime.nn.layers.input_spec import InputSpec as InputSpec
    from runtime.nn.layers.lambda_layer import Identity as Identity
    from runtime.nn.layers.lambda_layer import Lambda as Lambda
    from runtime.nn.layers.layer import Layer as Layer
    from runtime.nn.layers.layer_normalization import LayerNormalization as LayerNormalization
    from runtime.nn.layers.layer_normalization import RMSNormalization as RMSNormalization
    from runtime.nn.layers.layer_normalization import UnitNormalization as UnitNormalization
    from runtime.nn.layers.masking import Masking as Masking
    from runtime.nn.layers.merging import Add as Add
    from runtime.nn.layers.merging import Average as Average
    from runtime.nn.layers.merging import Concatenate as Concatenate
    from runtime.nn.layers.merging import Dot as Dot
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
    from runtime.nn.layers.padding import Cropping1D as Cropping1D
    from runtime.nn.layers.padding import Cropping2D as Cropping2D
    from runtime.nn.layers.padding import Cropping3D as Cropping3D
    from runtime.nn.layers.padding import ZeroPadding1D as ZeroPadding1D
    from runtime.nn.layers.padding import ZeroPadding2D as ZeroPadding2D
    from runtime.nn.layers.padding import ZeroPadding3D as ZeroPadding3D
    from runtime.nn.layers.pooling import AveragePooling1D as AveragePooling1D
    from runtime.nn.layers.pooling import AveragePooling2D as AveragePooling2D
    from runtime.nn.layers.pooling import AveragePooling3D as AveragePooling3D
    from runtime.nn.layers.pooling import GlobalAveragePooling1D as GlobalAveragePooling1D
    from runtime.nn.layers.pooling import GlobalAveragePooling2D as GlobalAveragePooling2D
    from runtime.nn.layers.pooling import GlobalAveragePooling3D as GlobalAveragePooling3D
    from runtime.nn.layers.pooling import GlobalMaxPooling1D as GlobalMaxPooling1D
    from runtime.nn.layers.pooling import GlobalMaxPooling2D as GlobalMaxPooling2D
    from runtime.nn.layers.pooling import GlobalMaxPooling3D as GlobalMaxPooling3D
    from runtime.nn.layers.pooling import MaxPooling1D as MaxPooling1D
    from runtime.nn.layers.pooling import MaxPooling2D as MaxPooling2D
    from runtime.nn.layers.pooling import MaxPooling3D as MaxPooling3D
    from runtime.nn.layers.preprocessing import CategoryEncoding as CategoryEncoding
    from runtime.nn.layers.preprocessing import Discretization as Discretization
    from runtime.nn.layers.preprocessing import Normalization as Normalization
    from runtime.nn.layers.preprocessing import Rescaling as Rescaling
    from runtime.nn.layers.recurrent.bidirectional import Bidirectional as Bidirectional
    from runtime.nn.layers.recurrent.gru import GRU as GRU
    from runtime.nn.layers.recurrent.gru import GRUCell as GRUCell
    from runtime.nn.layers.recurrent.lstm import LSTM as LSTM
    from runtime.nn.layers.recurrent.lstm import LSTMCell as LSTMCell
    from runtime.nn.layers.recurrent.rnn import RNN as RNN
    from runtime.nn.layers.recurrent.simple_rnn import SimpleRNN as SimpleRNN
    from runtime.nn.layers.recurrent.simple_rnn import SimpleRNNCell as SimpleRNNCell
    from runtime.nn.layers.recurrent.stacked_cells import StackedRNNCells as StackedRNNCells
    from runtime.nn.layers.recurrent.time_distributed import TimeDistributed as TimeDistributed
    from runtime.nn.layers.regularization import ActivityRegularization as ActivityRegularization
    from runtime.nn.layers.regularization import AlphaDropout as AlphaDropout
    from runtime.nn.layers.regularization import Dropout as Dropout
    from runtime.nn.layers.regularization import GaussianDropout as GaussianDropout
    from runtime.nn.layers.regularization import GaussianNoise as GaussianNoise
    from runtime.nn.layers.regularization import SpatialDropout1D as SpatialDropout1D
    from runtime.nn.layers.regularization import SpatialDropout2D as SpatialDropout2D
    from runtime.nn.layers.regularization import SpatialDropout3D as SpatialDropout3D
    from runtime.nn.layers.reshaping import Flatten as Flatten
    from runtime.nn.layers.reshaping import Permute as Permute
    from runtime.nn.layers.reshaping import RepeatVector as RepeatVector
    from runtime.nn.layers.reshaping import Reshape as Reshape
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
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.layers.activation": "Activation ELU LeakyReLU PReLU ReLU Softmax",
            "runtime.nn.layers.regularization": (
                "ActivityRegularization AlphaDropout Dropout GaussianDropout GaussianNoise "
                "SpatialDropout1D SpatialDropout2D SpatialDropout3D"
            ),
            "runtime.nn.layers.reshaping": "Flatten Permute RepeatVector Reshape",
            "runtime.nn.layers.attention": "AdditiveAttention Attention",
            "runtime.nn.layers.batch_normalization": "BatchNormalization",
            "runtime.nn.layers.preprocessing": (
                "CategoryEncoding Discretization Normalization Rescaling"
            ),
            "runtime.nn.layers.convolution": (
                "Conv1D Conv2D Conv3D Convolution1D=Conv1D Convolution2D=Conv2D "
                "Convolution3D=Conv3D"
            ),
            "runtime.nn.layers.dense": "Dense EinsumDense",
            "runtime.nn.layers.depthwise_convolution": (
                "DepthwiseConv1D DepthwiseConv2D SeparableConv1D SeparableConv2D "
                "SeparableConvolution1D=SeparableConv1D SeparableConvolution2D=SeparableConv2D"
            ),
            "runtime.nn.layers.embedding": "Embedding",
            "runtime.nn.layers.upsampling": "UpSampling1D UpSampling2D UpSampling3D",
            "runtime.nn.layers.pooling": (
                "AveragePooling1D AveragePooling2D AveragePooling3D AvgPool1D=AveragePooling1D "
                "AvgPool2D=AveragePooling2D AvgPool3D=AveragePooling3D GlobalAveragePooling1D "
                "GlobalAveragePooling2D GlobalAveragePooling3D "
                "GlobalAvgPool1D=GlobalAveragePooling1D GlobalAvgPool2D=GlobalAveragePooling2D "
                "GlobalAvgPool3D=GlobalAveragePooling3D GlobalMaxPool1D=GlobalMaxPooling1D "
                "GlobalMaxPool2D=GlobalMaxPooling2D GlobalMaxPool3D=GlobalMaxPooling3D "
                "GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D "
                "MaxPool1D=MaxPooling1D MaxPool2D=MaxPooling2D MaxPool3D=MaxPooling3D "
                "MaxPooling1D MaxPooling2D MaxPooling3D"
            ),
            "runtime.nn.layers.group_normalization": "GroupNormalization",
            "runtime.nn.layers.input": "Input InputLayer",
            "runtime.nn.layers.merging": (
                "Add Average Concatenate Dot Maximum Minimum Multiply Subtract"
            ),
            "runtime.nn.layers.lambda_layer": "Identity Lambda",
            "runtime.nn.layers.layer": "Layer",
            "runtime.nn.layers.layer_normalization": (
                "LayerNormalization RMSNormalization UnitNormalization"
            ),
            "runtime.nn.layers.padding": (
                "Cropping1D Cropping2D Cropping3D ZeroPadding1D ZeroPadding2D ZeroPadding3D"
            ),
            "runtime.nn.layers.masking": "Masking",
            "runtime.nn.layers.merging_functions": (
                "add average concatenate dot maximum minimum multiply subtract"
            ),
            "runtime.nn.layers.multi_head_attention": "MultiHeadAttention",
            "runtime.nn.layers.recurrent.bidirectional": "Bidirectional",
            "runtime.nn.layers.recurrent.gru": "GRU GRUCell",
            "runtime.nn.layers.recurrent.lstm": "LSTM LSTMCell",
            "runtime.nn.layers.recurrent.rnn": "RNN",
            "runtime.nn.layers.recurrent.simple_rnn": "SimpleRNN SimpleRNNCell",
            "runtime.nn.layers.recurrent.stacked_cells": "StackedRNNCells",
            "runtime.nn.layers.recurrent.time_distributed": "TimeDistributed",
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
