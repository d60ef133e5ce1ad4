"""Valid calls that no docstring shows: operators, indices, methods of objects with state."""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy as np

import runtime as rt
from tests.laws.wrong_inputs.examples import Call

# Read as the examples of a docstring are: each call in it is one that the law makes wrong.
EXAMPLES = """
>>> v = rt.Variable([1.0, 2.0, 3.0])
>>> v.assign([3.0, 2.0, 1.0])
>>> v.assign_add([1.0, 1.0, 1.0], read_value=False)
>>> v.scatter_update(rt.IndexedSlices([5.0], [0]))
>>> v.scatter_add(rt.IndexedSlices([5.0], [0]))
>>> v.scatter_sub(rt.IndexedSlices([5.0], [0]))
>>> v.scatter_mul(rt.IndexedSlices([5.0], [0]))
>>> v.scatter_div(rt.IndexedSlices([5.0], [0]))
>>> v.scatter_max(rt.IndexedSlices([5.0], [0]))
>>> v.scatter_min(rt.IndexedSlices([5.0], [0]))
>>> v.scatter_nd_update([[0], [2]], [7.0, 8.0])
>>> v.scatter_nd_add([[0], [2]], [7.0, 8.0])
>>> v.scatter_nd_sub([[0], [2]], [7.0, 8.0])
>>> v.scatter_nd_max([[0], [2]], [7.0, 8.0])
>>> v.scatter_nd_min([[0], [2]], [7.0, 8.0])
>>> v.batch_scatter_update(rt.IndexedSlices([5.0], [0]))
>>> v.sparse_read([0, 2])
>>> v.gather_nd([[0], [2]])
>>> v.set_shape([3])
>>> rt.Variable([1, 2], trainable=False, dtype="int64", shape=[2])
>>> a = rt.TensorArray("float32", 3)
>>> a = rt.TensorArray("float32", size=3, dynamic_size=True, element_shape=[2])
>>> a = a.write(0, [1.0, 2.0])
>>> a.unstack([[1.0, 2.0], [3.0, 4.0]])
>>> a.scatter([0, 1], [[1.0, 2.0], [3.0, 4.0]])
>>> a.split([[1.0, 2.0], [3.0, 4.0]], [1, 1])
>>> a.read(0)
>>> a.gather([0])
>>> rt.assert_greater([2, 3], [1, 1])
>>> rt.assert_less([2, 3], [4, 4], message="words", summarize=2)
>>> rt.debugging.assert_greater_equal([2, 3], 1)
>>> rt.debugging.assert_less_equal([2, 3], 3)
>>> rt.debugging.assert_none_equal([2, 3], 1)
>>> rt.debugging.assert_positive([2.0, 3.0])
>>> rt.debugging.assert_negative([-2.0])
>>> rt.debugging.assert_non_negative([2.0])
>>> rt.debugging.assert_non_positive([-2.0])
>>> rt.debugging.assert_rank_at_least([[1]], 1)
>>> rt.debugging.assert_rank_in([[1]], [1, 2])
>>> rt.debugging.assert_scalar(1.0)
>>> rt.debugging.assert_type(rt.constant(1.0), "float32")
>>> rt.debugging.assert_all_finite([1.0], "words")
>>> rt.debugging.check_numerics([1.0], "words")
>>> rt.nn.initializers.GlorotUniform(seed=1)([3, 2], "float32")
>>> rt.nn.initializers.HeNormal(seed=1)([3, 2])
>>> rt.foldl(lambda x, y: x + y, rt.constant([1, 2, 3]))
>>> rt.map_fn(lambda x: x + 1, rt.constant([1, 2, 3]))
>>> rt.scan(lambda x, y: x + y, rt.constant([1, 2, 3]))
>>> rt.cond(rt.constant(True), lambda: 1, lambda: 2)
>>> rt.switch_case(rt.constant(1), [lambda: 1, lambda: 2])
>>> rt.while_loop(lambda i: i < 3, lambda i: [i + 1], [rt.constant(0)], maximum_iterations=9)
>>> rt.numpy_function(lambda x: x + 1, [rt.constant(2.0)], "float32")
>>> rt.nest.pack_sequence_as({"a": 0}, [1])
>>> rt.assert_(rt.constant(True), ["words"])
>>> d = rt.data.Dataset.from_tensor_slices([1, 2, 3])
>>> rt.data.Dataset.range(1, 9, 2)
>>> rt.data.Dataset.from_tensors([1, 2])
>>> rt.data.Dataset.zip((d, d))
>>> rt.data.Dataset.random(seed=1)
>>> rt.data.Dataset.from_generator(lambda: [1, 2], output_types="int32", output_shapes=[])
>>> d.take(2)
>>> d.skip(1)
>>> d.repeat(2)
>>> d.prefetch(1)
>>> d.cache("")
>>> d.element_at(1)
>>> d.map(lambda x: x + 1, num_parallel_calls=2)
>>> d.zip(d)
>>> g = rt.random.Generator.from_seed(7)
>>> g.normal([2], 0.0, 1.0)
>>> g.truncated_normal([2])
>>> g.uniform([2], 0, 9, dtype="int32")
>>> g.uniform_full_int([2], dtype="uint32")
>>> g.binomial([2], 5.0, 0.5)
>>> g.skip(3)
>>> g.make_seeds(2)
>>> g.split(2)
>>> g.reset_from_seed(3)
>>> g.reset([1, 2, 3])
>>> g.reset_from_key_counter(1, [2, 3])
>>> rt.random.Generator.from_state([1, 2, 3], "philox")
>>> rt.random.Generator.from_key_counter(1, [2, 3], "philox")
>>> rt.train.CheckpointManager(rt.train.Checkpoint(v=v), "folder", max_to_keep=2)
>>> rt.train.list_variables("folder")
>>> rt.train.load_variable("folder", "v")
>>> tape = rt.GradientTape(persistent=True)
>>> tape.watch(rt.constant(1.0))
"""

OPERATORS = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lt le gt ge eq ne"
_OF_ONE = (
    operator.neg, operator.pos, operator.abs, operator.invert, bool, int, float, complex, len, list,
    round, operator.index, str, repr, hash,
)  # fmt: skip
MATRIX = np.array([[1.5, 2.5], [3.5, 4.5]], np.float32)
KEYS = (
    0, -1, 5, 1.5, "x", None, ..., True, (0, 1), (0, 0, 0), (..., ...), (None, 9), [0, 1], [0, 9],
    [True, False], [True], [[True, False]], ([0], [1]), [0.5], [], {}, slice(0, 9),
    slice(None, None, 0),
    slice("a"), slice(1.5), slice(None, None, -1), np.array([[0]]), np.array([True, False, True]),
    rt.constant(1.5), rt.constant("a"), rt.constant([5]), rt.constant(7), object(),
)  # fmt: skip


def operations() -> Iterator[Call]:
    """Yield calls of the operators and Python's builtins on tensors and variables."""
    of_kinds = (MATRIX, (MATRIX * 2).astype(np.int32), MATRIX > 2, np.array(3, np.int64))
    for array in of_kinds:
        for owner in (rt.constant(array), rt.Variable(array)):
            kind = type(owner).__name__
            for name in OPERATORS.split():
                function = getattr(operator, name)
                yield Call(f"{kind} {name}", function, (owner, array), {}, "")
                yield Call(f"number {name} {kind}", function, (3, owner), {}, "")
            for function in _OF_ONE:
                yield Call(f"{function.__name__}({kind})", function, (owner,), {}, "")
            for key in KEYS:
                yield Call(f"{kind}[{key!r}]", operator.getitem, (owner, key), {}, "")
                yield Call(
                    f"{kind}[{key!r}] = ", rt.set_item, (owner, key, array.ravel()[:1]), {}, ""
                )
            yield Call(f"in {kind}", operator.contains, (owner, 2), {}, "")
            yield Call(f"format {kind}", format, (owner, ".2f"), {}, "")
