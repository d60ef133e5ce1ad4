"""Layers: the namespace `rt.nn.layers`."""

from __future__ import annotations

from runtime.nn.layers.activation import Activation as Activation
from runtime.nn.layers.dense import Dense as Dense
from runtime.nn.layers.dropout import Dropout as Dropout
from runtime.nn.layers.input_layer import InputLayer as InputLayer
from runtime.nn.layers.layer import Layer as Layer
from runtime.nn.layers.reshaping import Flatten as Flatten
from runtime.nn.layers.reshaping import Reshape as Reshape
from runtime.nn.layers.specs import InputSpec as InputSpec
