"""Variables: arithmetic, assignments, and items."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import autograph.runtime as rt
from autograph.runtime import Tensor, Variable

v: Variable = Variable([1.0, 2.0, 3.0], name="v")
w = Variable(lambda: rt.zeros((3,)), trainable=False, dtype=rt.float32)
x = rt.constant([1.0, 1.0, 1.0])

assert_type(v + 1, Tensor)
assert_type(2.0 * v, Tensor)
assert_type(v - x, Tensor)
assert_type(x / v, Tensor)
assert_type(v * w, Tensor)
assert_type(np.ones(3, np.float32) + v, Tensor)
assert_type(-v, Tensor)
assert_type(v > 1, Tensor)
assert_type(v == x, Tensor)
assert_type(rt.reduce_sum(v), Tensor)
assert_type(float(v[0]), float)
for element in v:
    assert_type(element, Tensor)

assert_type(v.assign([1.0, 2.0, 4.0]), Variable)
assert_type(v.assign_add(x), Variable)
assert_type(v.assign_sub(w), Variable)
assert_type(v[0].assign(5.0), Variable)
assert_type(v.scatter_nd_add([[0]], [1.0]), Variable)
assert_type(v.read_value(), Tensor)
assert_type(v.value(), Tensor)
assert_type(v.name, str)
assert_type(v.shape, rt.TensorShape)
assert_type(v.dtype, rt.DType)
assert_type(v.trainable, bool)
print(v.numpy().tolist())


def mistakes() -> None:
    global v
    v += 1.0  # error
    v.assign()  # error
    v.assign(None)  # error
    v.assign_add({"a": 1})  # error
    v.asign(1.0)  # error
    v[0] = 1.0  # error
    Variable(1.0, trainabl=True)  # error
    Variable(1.0, dtype=3)  # error
    text: str = v + 1  # error
    print(text)
