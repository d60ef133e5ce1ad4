"""TensorFlow 2.21's results of wrong calls: refusals and values.

Recorded by evaluating each line with TensorFlow as `t`: "refused" stands for an exception of any
class, else dtype and value of the result, as text. Lines that it answers with memory that nobody
wrote, such as the factor of a matrix that has none, are not among these.
"""

from __future__ import annotations

REFUSED = """
t.reduce_sum(t.constant([[1, 2], [3, 4]]), axis=[0, 0])
t.reduce_max(t.constant([[1.0, 2.0]]), axis=[0, -2])
t.reduce_sum(t.constant([1, 2]), axis=1)
t.argmax(t.constant([], "float32"))
t.reshape(t.constant([1, 2, 3, 4]), [-2, -2])
t.reshape(t.constant([1, 2, 3, 4]), [-1, -1])
t.broadcast_to(t.constant([1, 2]), [-1, 2])
t.tile(t.constant([1, 2]), [-1])
t.tile(t.constant([1, 2]), [1, 2])
t.pad(t.constant([1, 2]), [[-1, 0]])
t.pad(t.constant([1, 2]), [[1, 2], [3, 4]])
t.repeat(t.constant([1, 2, 3]), [1, 2])
t.reverse(t.constant([[1, 2]]), [0, 0])
t.transpose(t.constant([[1, 2]]), [0, 0])
t.slice(t.constant([1, 2, 3]), [0, 0], [1, 1])
t.slice(t.constant([1, 2, 3]), [2], [2])
t.gather(t.constant([1, 2, 3]), t.constant([0.0]))
t.gather(t.constant([1, 2, 3]), [3])
t.gather(t.constant([[1, 2], [3, 4]]), [[0], [1], [0]], batch_dims=1)
t.gather_nd(t.constant([[1, 2], [3, 4]]), t.constant(1))
t.scatter_nd([[0]], [1.0], [-1])
t.scatter_nd([[4]], [1.0], [3])
t.tensor_scatter_nd_add(t.zeros([3]), [[0], [1]], [1.0])
t.one_hot([0, 1], -1)
t.one_hot([0, 1], 2, on_value=[1.0, 2.0])
t.linspace(t.constant(0.0), t.constant(1.0), -1)
t.range(0, 5, 0)
t.fill([2, 2], t.constant([1, 2]))
t.fill([2, -2], 1)
t.eye(-1)
t.stack([t.constant([1, 2]), t.constant([1])])
t.concat([t.constant([1]), t.constant([1.0])], 0)
t.split(t.constant([1, 2, 3]), [1, 1])
t.split(t.constant([1, 2, 3]), 2)
t.unstack(t.constant([1, 2, 3]), num=2)
t.add_n([t.constant([1, 2]), t.constant(1)])
t.add_n([])
t.matmul(t.constant([[1.0]]), t.constant([[1]]))
t.matmul(t.constant([1.0]), t.constant([[1.0]]))
t.einsum("ij->i", t.constant([1, 2]))
t.einsum("ij,jk->ik", t.ones([2, 1]), t.ones([2, 3]))
t.tensordot(t.ones([2, 3]), t.ones([2, 3]), [[0, 0], [0, 1]])
t.linalg.inv(t.zeros([2, 2]))
t.linalg.solve(t.ones([1, 2, 2]), t.ones([2, 1]))
t.linalg.band_part(t.constant([1, 2]), 0, 0)
t.math.floordiv(t.constant([1]), t.constant([0]))
t.math.floormod(t.constant([1]), t.constant([0]))
t.math.add(t.constant([1, 2]), t.constant([1, 2, 3]))
t.math.less(t.constant([1]), t.constant([1.0]))
t.math.logical_and(t.constant([1]), t.constant([1]))
t.bitwise.bitwise_and(t.constant([1.0]), t.constant([1.0]))
t.math.top_k(t.constant([1, 2]), k=-1)
t.math.top_k(t.constant([1, 2]), k=3)
t.math.segment_sum(t.constant([1, 2]), t.constant([1, 0]))
t.math.unsorted_segment_sum(t.constant([1]), t.constant([2]), 2)
t.nn.softmax(t.constant(1.0))
t.nn.softmax(t.constant([1]))
t.nn.bias_add(t.ones([2, 1]), t.ones([3]))
t.nn.sigmoid_cross_entropy_with_logits(t.ones([2]), t.ones([1]))
t.nn.weighted_cross_entropy_with_logits(t.ones([2]), t.ones([1]), 1.0)
t.nn.log_poisson_loss(t.ones([2]), t.ones([1]))
t.nn.sparse_softmax_cross_entropy_with_logits(t.constant([5]), t.ones([1, 2]))
t.nn.sparse_softmax_cross_entropy_with_logits(t.constant([0, 1]), t.ones([1, 2]))
t.nn.dropout(t.ones([2]), rate=1.5)
t.nn.conv2d(t.ones([1, 2, 2, 3]), t.ones([1, 1, 2, 1]), 1, "SAME")
t.nn.local_response_normalization(t.ones([1, 1, 1, 1]), depth_radius=-1)
t.strings.join([t.constant(["a", "b"]), t.constant(["c", "d", "e"])])
t.strings.to_number(t.constant(["x"]))
t.strings.substr(t.constant("ab"), 5, 1)
t.strings.unicode_encode(t.constant([104]), "UTF-8", replacement_char=-1)
t.cast(t.constant("1"), "int32")
t.constant([[1, 2], [3]])
t.constant([1, 2, 3], shape=[2])
t.boolean_mask(t.constant([1, 2, 3]), t.constant([True, False]))
t.where(t.constant([True, False]), t.constant([1, 2]), t.constant([1, 2, 3]))
t.clip_by_value(t.constant([1, 2]), t.constant(1.5), t.constant(2.5))
t.expand_dims(t.constant([1]), 3)
t.cumsum(t.constant([1, 2]), axis=1)
t.sort(t.constant([2, 1]), axis=1)
t.constant([1, 2, 3])[3]
t.constant([1, 2, 3])[0, 0]
t.constant([1, 2, 3])[::0]
t.ensure_shape(t.constant([1]), [2])
t.Variable([1.0]).assign([1.0, 2.0])
t.Variable([1.0]).assign(t.constant([1]))
"""

GIVEN = {
    "t.math.reduce_std(t.zeros([0]))": "[('float32', nan)]",
    't.gather_nd(t.ones([1], "int32"), t.zeros([2, 0], "int32"))': "[('int32', [[1], [1]])]",
    't.linspace(t.constant(0.0), t.constant(float("inf")), 3)': "[('float32', [0.0, inf, inf])]",
    "t.add_n(t.constant([1, 2]))": "[('int32', 3)]",
    "t.math.segment_sum(t.zeros([2, 0]), t.constant([0, 1]))": "[('float32', [[], []])]",
}
