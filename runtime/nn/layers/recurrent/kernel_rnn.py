"""What recurrent layers with a cell of their own have in common: they show what it was made of."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import shown
from runtime.errors import ArgumentValueError
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.recurrent.rnn import RNN


class OfCell:
    """An attribute of a layer that is the one of its cell."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, layer: Any, owner: Any = None) -> Any:
        return self if layer is None else getattr(layer.cell, self._name)


class KernelRNN(RNN):
    """An RNN whose cell has kernels and a bias; its arguments are those of the cell, and more."""

    units = OfCell()
    activation = OfCell()
    use_bias = OfCell()
    kernel_initializer = OfCell()
    recurrent_initializer = OfCell()
    bias_initializer = OfCell()
    kernel_regularizer = OfCell()
    recurrent_regularizer = OfCell()
    bias_regularizer = OfCell()
    kernel_constraint = OfCell()
    recurrent_constraint = OfCell()
    bias_constraint = OfCell()
    dropout = OfCell()
    recurrent_dropout = OfCell()
    seed = OfCell()

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self.input_spec = InputSpec(ndim=3)


def of_cell(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return what of the options of a layer its cell is told, and its name."""
    told: dict[str, Any] = {key: options[key] for key in ("dtype", "trainable") if key in options}
    if "implementation" in options:
        told["implementation"] = options.pop("implementation")
    told["name"] = name
    return told


def check_use_cudnn(use_cudnn: Any) -> None:
    """Raise ArgumentValueError for what is not 'auto' or False: there is no graphics card here."""
    if use_cudnn is not False and not (isinstance(use_cudnn, str) and use_cudnn == "auto"):
        raise ArgumentValueError(f"use_cudnn is 'auto' or False, not {shown(use_cudnn)}")
