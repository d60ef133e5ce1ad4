"""TensorFlow programs with changed imports run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograph.compat.porting import path_of, ported

ROOT = Path(__file__).resolve().parents[3]

# Each prints what it computes; the last line is what TensorFlow 2.21 prints.
PROGRAMS = {
    "one_import": (
        """
import tensorflow as tf
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        return x * 2
    return x - 1
print(f(tf.constant([1, 2])).numpy().tolist())
""",
        "[2, 4]",
    ),
    "without_as": (
        """
import tensorflow
import tensorflow.keras
print(tensorflow.add(1, 2).numpy(), tensorflow.keras.layers.Dense.__name__)
""",
        "3 Dense",
    ),
    "keras_alone": (
        """
import keras
import keras.layers
from keras import ops, initializers
model = keras.Sequential([keras.layers.Dense(1, kernel_initializer=initializers.Ones())])
print(model(ops.ones((1, 3))).numpy().tolist())
""",
        "[[3.0]]",
    ),
    "in_parentheses": (
        '''
"""A network."""
from __future__ import annotations
import tensorflow as tf
from tensorflow.keras.layers import (
    Dense as D,  # fully connected
    Flatten,
)
from tensorflow.keras.models import Sequential
model = Sequential([Flatten(), D(2, kernel_initializer="ones", use_bias=False)])
print(model(tf.ones([1, 2, 2])).numpy().tolist())
''',
        "[[4.0, 4.0]]",
    ),
    "backend": (
        """
import tensorflow.keras.backend as K
import tensorflow.keras.layers as layers, math
print(K.int_shape(K.constant([[1.0, 2.0]])), layers.Add.__name__, math.floor(1.5))
""",
        "(1, 2) Add 1",
    ),
    "first_version": (
        """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None])
with tf.Session() as session:
    print(session.run(tf.reduce_sum(x, keep_dims=False), {x: [1.0, 2.0]}))
""",
        "3.0",
    ),
    "in_a_function": (
        """
def total(values):
    import tensorflow as tf; from tensorflow import math as m
    return m.reduce_sum(tf.constant(values)).numpy()
if True: import os, tensorflow as tf, sys
print(total([1, 2, 3]), tf.rank([[1]]).numpy())
""",
        "6 2",
    ),
    "in_a_try": (
        """
try:
    import tensorflow as tf
    from tensorflow \\
        import keras
    HAS_TENSORFLOW = True
except ImportError:
    HAS_TENSORFLOW = False
print(HAS_TENSORFLOW, float(keras.losses.MeanSquaredError()([[1.0]], [[3.0]])))
""",
        "True 4.0",
    ),
    "everything": (
        """
from tensorflow.math import *
from tensorflow import constant
print(add(constant(1), constant(2)).numpy())
""",
        "3",
    ),
    "data": (
        """
import tensorflow as tf
from tensorflow.data import Dataset
from tensorflow.errors import OutOfRangeError
strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
tf.config.set_visible_devices([], "GPU")
text = "import tensorflow as tf"  # import tensorflow as tf
with strategy.scope():
    print([int(x) for x in Dataset.range(3).map(lambda x: x + 1)], text, OutOfRangeError.__name__)
""",
        "[1, 2, 3] import tensorflow as tf OutOfRangeError",
    ),
}


def run(source: str, path: Path) -> str:
    path.write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert "" == done.stderr
    return done.stdout.strip().splitlines()[-1]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_ported_program_runs(name: str, tmp_path: Path) -> None:
    source, printed = PROGRAMS[name]
    assert printed == run(ported(source), tmp_path / "program.py")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_ported_once(name: str) -> None:
    once = ported(PROGRAMS[name][0])
    assert once == ported(once)


@pytest.mark.parametrize(
    "before, after",
    [
        ("import tensorflow as tf", "from autograph.compat import tensorflow as tf"),
        ("import tensorflow", "from autograph.compat import tensorflow"),
        ("import tensorflow.keras", "from autograph.compat import tensorflow"),
        ("import keras as k", "from autograph.compat.tensorflow import keras as k"),
        (
            "import tensorflow.keras.layers as L",
            "from autograph.compat.tensorflow.keras import layers as L",
        ),
        ("import os, tensorflow as tf", "import os; from autograph.compat import tensorflow as tf"),
        (
            "from tensorflow import keras as K, nn",
            "from autograph.compat.tensorflow import keras as K, nn",
        ),
        ("from tensorflow import (\n  keras,\n)  # x", None),
        ("é = 1; import tensorflow as tf", "é = 1; from autograph.compat import tensorflow as tf"),
        ("import tensorflow as tf\r\nx = 1\r\n", None),
        ("from . import tensorflow", "from . import tensorflow"),
        ("from .keras import x", "from .keras import x"),
        ("import tensorflow_hub as hub", "import tensorflow_hub as hub"),
        ("x = 'import tensorflow as tf'", "x = 'import tensorflow as tf'"),
    ],
)  # fmt: skip
def test_only_import_statements_change(before: str, after: str | None) -> None:
    if after is None:
        after = before.replace("from tensorflow", "from autograph.compat.tensorflow")
        after = after.replace("import tensorflow as", "from autograph.compat import tensorflow as")
    assert after == ported(before)


def test_a_path_is_one_of_tensorflows_names() -> None:
    assert ("", "keras.layers", "keras.ops", None, None) == tuple(
        map(path_of, ("tensorflow", "tensorflow.keras.layers", "keras.ops", "numpy", "keras_cv"))
    )
