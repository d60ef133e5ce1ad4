"""Summaries of models, as they are printed."""

from __future__ import annotations

import pytest

from runtime.nn import Input, Model, Sequential
from runtime.nn.layers import Dense

SEQUENCE = """\
Model: "seq"
=====================================
Layer (type)   Output Shape   Param #
=====================================
one (Dense)    (None, 5)           20
two (Dense)    (None, 1)            6
=====================================
Total params: 26 (104.00 B)
Trainable params: 6 (24.00 B)
Non-trainable params: 20 (80.00 B)
"""

BRANCHED = """\
Model: "both"
==========================================================================
Layer (type)       Output Shape   Param #   Trainable   Connected to
==========================================================================
x (InputLayer)     (None, 3)            0   -           -
seq (Sequential)   (None, 1)            4   yes         x
  d (Dense)        (None, 1)            4   yes         -
e (Dense)          (None, 1000)     2,000   yes         seq, strided_slice
==========================================================================
Total params: 2,004 (7.83 KB)
Trainable params: 2,004 (7.83 KB)
Non-trainable params: 0 (0.00 B)
Optimizer params: 2 (12.00 B)
"""


def test_a_sequence_with_a_layer_that_does_not_train(capsys: pytest.CaptureFixture[str]) -> None:
    model = Sequential([Dense(5, name="one", input_shape=(3,)), Dense(1, name="two")], name="seq")
    model.layers[0].trainable = False
    model.summary()
    assert SEQUENCE == capsys.readouterr().out


def test_connections_and_models_inside() -> None:
    x = Input((3,), name="x")
    inner = Sequential([Input((3,)), Dense(1, name="d")], name="seq")
    last = Dense(1000, name="e")
    model = Model(x, [last(inner(x)), last(x[:, :1])], name="both")
    model.compile("sgd", "mse")
    lines: list[str] = []
    model.summary(print_fn=lines.append, expand_nested=True, show_trainable=True)
    assert BRANCHED == "\n".join(lines) + "\n"


def test_a_narrow_summary_cuts_names(capsys: pytest.CaptureFixture[str]) -> None:
    Sequential([Dense(5, name="a_name_that_is_long", input_shape=(3,))]).summary(line_length=40)
    printed = capsys.readouterr().out
    assert "\na_name_that_i..   (None, 5)           20\n" in printed


def test_a_model_that_is_not_built_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    Sequential([Dense(5, name="later")], name="open").summary()
    assert "later (Dense)   ?              not built" in capsys.readouterr().out
