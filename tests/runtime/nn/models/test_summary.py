"""Summaries of models, as Keras 3.15 prints them where no terminal is (recorded)."""

from __future__ import annotations

import pytest

from runtime.nn import Input, Model, Sequential
from runtime.nn.layers import LSTM, Add, Dense

SEQUENCE = """\
Model: "m"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ one (Dense)                     │ (None, 3)              │             9 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ two (Dense)                     │ (None, 1)              │             4 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 13 (52.00 B)
 Trainable params: 13 (52.00 B)
 Non-trainable params: 0 (0.00 B)
"""

BRANCHED = """\
Model: "fm"
┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃
┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩
│ i (InputLayer)      │ (None, 4)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ a (Dense)           │ (None, 3)         │         15 │ i[0][0]           │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ b (Dense)           │ (None, 3)         │         15 │ i[0][0]           │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ add (Add)           │ (None, 3)         │          0 │ a[0][0], b[0][0]  │
└─────────────────────┴───────────────────┴────────────┴───────────────────┘
 Total params: 30 (120.00 B)
 Trainable params: 15 (60.00 B)
 Non-trainable params: 15 (60.00 B)
"""

TRAINABLE = """\
Model: "fm"
┏━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━┓
┃ Layer (type)       ┃ Output Shape     ┃    Param # ┃ Connected to    ┃ Trai… ┃
┡━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━┩
│ i (InputLayer)     │ (None, 4)        │          0 │ -               │   -   │
├────────────────────┼──────────────────┼────────────┼─────────────────┼───────┤
│ a (Dense)          │ (None, 3)        │         15 │ i[0][0]         │   Y   │
├────────────────────┼──────────────────┼────────────┼─────────────────┼───────┤
│ b (Dense)          │ (None, 3)        │         15 │ i[0][0]         │   N   │
├────────────────────┼──────────────────┼────────────┼─────────────────┼───────┤
│ add (Add)          │ (None, 3)        │          0 │ a[0][0],        │   -   │
│                    │                  │            │ b[0][0]         │       │
└────────────────────┴──────────────────┴────────────┴─────────────────┴───────┘
 Total params: 30 (120.00 B)
 Trainable params: 15 (60.00 B)
 Non-trainable params: 15 (60.00 B)
"""

UNBUILT = """\
Model: "n"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ q (Dense)                       │ ?                      │   0 (unbuilt) │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ m (Sequential)                  │ (None, 1)              │            13 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 13 (52.00 B)
 Trainable params: 13 (52.00 B)
 Non-trainable params: 0 (0.00 B)
"""

NARROW = """\
Model: "n"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━┓
┃ Layer (type)             ┃ Output Shape      ┃   Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━┩
│ q (Dense)                │ ?                 │         0 │
│                          │                   │ (unbuilt) │
├──────────────────────────┼───────────────────┼───────────┤
│ m (Sequential)           │ (None, 1)         │        13 │
└──────────────────────────┴───────────────────┴───────────┘
 Total params: 13 (52.00 B)
 Trainable params: 13 (52.00 B)
 Non-trainable params: 0 (0.00 B)
"""

NESTED = """\
Model: "nn"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ fm (Functional)                 │ (None, 3)              │            30 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│    └ i (InputLayer)             │ (None, 4)              │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│    └ a (Dense)                  │ (None, 3)              │            15 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│    └ b (Dense)                  │ (None, 3)              │            15 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│    └ add (Add)                  │ (None, 3)              │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ a_very_long_layer_name_that_do… │ (None, 2)              │             8 │
│ (Dense)                         │                        │               │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 38 (152.00 B)
 Trainable params: 23 (92.00 B)
 Non-trainable params: 15 (60.00 B)
"""

SEVERAL = """\
Model: "st"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ y (InputLayer)                  │ (None, 4, 2)           │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ l (LSTM)                        │ [(None, 2), (None, 2), │            40 │
│                                 │ (None, 2)]             │               │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 40 (160.00 B)
 Trainable params: 40 (160.00 B)
 Non-trainable params: 0 (0.00 B)
"""


def sequence() -> Sequential:
    return Sequential([Input((2,)), Dense(3, name="one"), Dense(1, name="two")], name="m")


def branched() -> Model:
    x = Input((4,), name="i")
    parts = [Dense(3, name="a")(x), Dense(3, name="b", trainable=False)(x)]
    return Model(x, Add(name="add")(parts), name="fm")


def printed(capsys: pytest.CaptureFixture[str], model: Model, **options: object) -> str:
    model.summary(**options)  # type: ignore[arg-type]
    return capsys.readouterr().out


def test_a_sequence(capsys: pytest.CaptureFixture[str]) -> None:
    assert SEQUENCE == printed(capsys, sequence())


def test_an_optimizer_counts_when_it_is_built(capsys: pytest.CaptureFixture[str]) -> None:
    model = sequence()
    model.compile("adam", "mse")
    assert SEQUENCE == printed(capsys, model)
    model.optimizer.build(model.trainable_weights)
    *_, total, _, _, last = printed(capsys, model).splitlines()
    assert (" Total params: 41 (168.00 B)", " Optimizer params: 28 (116.00 B)") == (total, last)


def test_connections(capsys: pytest.CaptureFixture[str]) -> None:
    assert BRANCHED == printed(capsys, branched())
    assert TRAINABLE == printed(capsys, branched(), show_trainable=True, line_length=80)


def test_layers_that_are_not_built(capsys: pytest.CaptureFixture[str]) -> None:
    model = Sequential([Dense(2, name="q"), sequence()], name="n")
    assert UNBUILT == printed(capsys, model)
    assert NARROW == printed(capsys, model, line_length=60)


def test_models_inside_and_long_names(capsys: pytest.CaptureFixture[str]) -> None:
    last = Dense(2, name="a_very_long_layer_name_that_does_not_fit_in")
    model = Sequential([Input((4,)), branched(), last], name="nn")
    assert NESTED == printed(capsys, model, expand_nested=True)
    lines: list[str] = []
    model.summary(print_fn=lines.append, expand_nested=True)
    assert NESTED == "\n".join(lines) + "\n"


def test_several_outputs(capsys: pytest.CaptureFixture[str]) -> None:
    y = Input((4, 2), name="y")
    model = Model(y, LSTM(2, return_state=True, name="l")(y), name="st")
    assert SEVERAL == printed(capsys, model)


def test_a_layer_called_twice_has_numbered_calls(capsys: pytest.CaptureFixture[str]) -> None:
    x = Input((3,), name="x")
    twice = Dense(3, name="e")
    # Keras 3.15 says the same.
    assert "│ x[0][0], e[0][0]  │" in printed(capsys, Model(x, twice(twice(x))))
