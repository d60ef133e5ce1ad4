"""Models: layers made of layers."""

from __future__ import annotations

from runtime.nn.models.input import Input as Input
from runtime.nn.models.model import Model as Model
from runtime.nn.models.sequential import Sequential as Sequential
