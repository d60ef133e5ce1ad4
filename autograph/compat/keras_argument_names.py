"""Table of functions of `tf.keras.ops` and `tf.keras.backend` whose arguments have other names.

A row has Keras's name, the function here, and Keras's names of the arguments in the syntax of
`renamed_arguments.py`.
"""

from __future__ import annotations

_BINARY = "x1:x, x2:y"
_REDUCTION = "x:input_tensor, axis=None, keepdims=False"
_OF_ONE = "x:input"
_OF_TWO = "x1:, x2:"

_OPS: dict[str, str] = {
    # elementwise
    **{
        f"{name}=rt.{here}": _BINARY
        for name, here in (
            each.split("=") if "=" in each else (each, each)
            for each in """
            add equal floor_divide=floordiv greater greater_equal less less_equal logical_and
            logical_or logical_xor=math.logical_xor maximum minimum mod multiply not_equal power=pow
            subtract divide_no_nan=math.divide_no_nan
            """.split()
        )
    },
    "arctan2=rt.atan2": "x1:y, x2:x",
    "clip=rt.nn.backend.clip": "x, x_min:min_value, x_max:max_value",
    "dot=rt.nn.backend.dot": _BINARY,
    "matmul=rt.matmul": "x1:a, x2:b",
    "round=rt.nn.ops.elementwise.rounded": "x, decimals=0",
    "saturate_cast=rt.saturate_cast": "x:value, dtype",
    "stop_gradient=rt.stop_gradient": "variable:input",
    "where=rt.where": "condition, x1:x=None, x2:y=None",
    **{f"{name}=rt.math.{name}": _OF_ONE for name in ("angle", "imag", "real")},
    # reductions
    **{
        f"{name}=rt.{here}": _REDUCTION
        for name, here in (
            ("all", "reduce_all"),
            ("any", "reduce_any"),
            ("logsumexp", "reduce_logsumexp"),
            ("std", "math.reduce_std"),
            ("sum", "reduce_sum"),
            ("var", "math.reduce_variance"),
        )
    },
    "prod=rt.reduce_prod": f"{_REDUCTION}, !dtype=None",
    **{
        f"{name}=rt.reduce_{name[-3:]}": f"{_REDUCTION}, !initial=None"
        for name in ("amax", "amin", "max", "min")
    },
    "cumprod=rt.nn.ops.statistics.cumprod": "x, axis=None, dtype=None",
    "moments=rt.nn.moments": "x, axes, keepdims=False, -synchronized=False",
    "norm=rt.norm": "x:tensor, ord=None, axis=None, keepdims=False",
    "segment_max=rt.nn.ops.segments.segment_max": (
        "data, segment_ids, num_segments=None, -sorted=False"
    ),
    "segment_sum=rt.nn.ops.segments.segment_sum": (
        "data, segment_ids, num_segments=None, -sorted=False"
    ),
    # made and arranged
    "arange=rt.range": "start, stop:limit=None, step:delta=None, dtype=None",
    "argsort=rt.argsort": "x:values, axis=-1",
    "array=rt.convert_to_tensor": "x:value, dtype=None",
    "bincount=rt.math.bincount": "x:arr, weights=None, minlength=0, !sparse=False",
    "broadcast_to=rt.broadcast_to": "x:input, shape",
    "convert_to_tensor=rt.convert_to_tensor": "x:value, dtype=None, !sparse=None, !ragged=None",
    "depth_to_space=rt.nn.ops.neural.depth_to_space": (
        "x, block_size, data_format='channels_last'"
    ),
    "diag=rt.nn.ops.manipulation.diag": "x, k=0",
    "expand_dims=rt.expand_dims": "x:input, axis",
    "eye=rt.nn.ops.creation.eye": "N, M=None, k=0, dtype=None",
    "identity=rt.eye": "n:num_rows, dtype=None",
    "linspace=rt.nn.ops.creation.linspace": (
        "start, stop, num=50, endpoint=True, !retstep=False, dtype=None, axis=0"
    ),
    "ones=rt.ones": "shape, dtype=None",
    "ones_like=rt.ones_like": "x:input, dtype=None",
    "repeat=rt.repeat": "x:input, repeats, axis=None",
    "reshape=rt.reshape": "x:tensor, newshape:shape",
    "scatter_update=rt.nn.ops.manipulation.scatter_update": (
        "inputs, indices, updates, !reduction=None"
    ),
    "size=rt.size": _OF_ONE,
    "slice=rt.slice": "inputs:input_, start_indices:begin, shape:size",
    "sort=rt.sort": "x:values, axis=-1",
    "space_to_depth=rt.nn.ops.neural.space_to_depth": (
        "x, block_size, data_format='channels_last'"
    ),
    "squeeze=rt.squeeze": "x:input, axis=None",
    "stack=rt.stack": "x:values, axis=0",
    "tile=rt.tile": "x:input, repeats:multiples",
    "top_k=rt.math.top_k": "x:input, k, sorted=True",
    "transpose=rt.transpose": "x:a, axes:perm=None",
    "unravel_index=rt.unravel_index": "indices, shape:dims",
    "unstack=rt.unstack": "x:value, num=None, axis=0",
    "zeros=rt.zeros": "shape, dtype=None",
    "zeros_like=rt.zeros_like": "x:input, dtype=None",
    # NumPy's signatures
    **{
        f"{name}=rt.nn.ops.elementwise.{name}": "x1:, x2:, rtol=1e-05, atol=1e-08, !equal_nan=False"
        for name in ("allclose", "isclose")
    },
    "append=rt.nn.ops.manipulation.append": f"{_OF_TWO}, axis=None",
    "diff=rt.nn.ops.statistics.diff": "a:, n=1, axis=-1",
    "inner=rt.nn.ops.linalg.inner": _OF_TWO,
    "outer=rt.nn.ops.linalg.outer": _OF_TWO,
    "vdot=rt.nn.ops.linalg.vdot": _OF_TWO,
    "hstack=rt.nn.ops.manipulation.hstack": "xs:",
    "vstack=rt.nn.ops.manipulation.vstack": "xs:",
    # matrices
    "cholesky=rt.linalg.cholesky": "x:input, !upper=False",
    "cross=rt.linalg.cross": "x1:a, x2:b, !axisa=-1, !axisb=-1, !axisc=-1, !axis=None",
    **{f"{name}=rt.linalg.{name}": _OF_ONE for name in ("det", "inv", "slogdet")},
    "eigh=rt.linalg.eigh": "x:tensor",
    "logdet=rt.linalg.logdet": "x:matrix",
    "lstsq=rt.linalg.lstsq": "a:matrix, b:rhs, !rcond=None",
    "matrix_rank=rt.linalg.matrix_rank": "x:a, tol=None",
    "pinv=rt.linalg.pinv": "x:a, rcond=None",
    "qr=rt.nn.ops.linalg.qr": "x, mode='reduced'",
    "solve=rt.linalg.solve": "a:matrix, b:rhs",
    "svd=rt.nn.ops.linalg.svd": "x, full_matrices=True, compute_uv=True",
    "tensordot=rt.tensordot": "x1:a, x2:b, axes=2",
    "trace=rt.nn.ops.linalg.trace": "x, offset=0, axis1=0, axis2=1",
    # networks
    "categorical_crossentropy=rt.nn.losses.categorical_crossentropy": (
        "target:y_true, output:y_pred, from_logits=False, axis=-1"
    ),
    "log_softmax=rt.math.log_softmax": "x:logits, axis=-1",
    "softmax=rt.math.softmax": "x:logits, axis=-1",
    "softplus=rt.math.softplus": "x:features",
    "softsign=rt.math.softsign": "x:features",
    "relu6=rt.nn.activations.relu6": "x:features",
    "silu=rt.nn.activations.silu": "x:features",
    "swish=rt.nn.activations.silu": "x:features",
    "sparse_categorical_crossentropy=rt.nn.losses.sparse_categorical_crossentropy": (
        "target:y_true, output:y_pred, from_logits=False, axis=-1"
    ),
    # functions of functions
    "jvp=rt.jvp": "fun:f, primals, tangents, !has_aux=False",
    "map=rt.map_fn": "f:fn, xs:elems",
    "vectorized_map=rt.vectorized_map": "function:fn, elements:elems",
    "while_loop=rt.while_loop": "cond, body, loop_vars, maximum_iterations=None",
}
_BACKEND: dict[str, str] = {
    **{
        f"{name}=rt.{here}": _REDUCTION
        for name, here in (
            ("all", "reduce_all"),
            ("any", "reduce_any"),
            ("max", "reduce_max"),
            ("min", "reduce_min"),
            ("prod", "reduce_prod"),
            ("std", "math.reduce_std"),
            ("sum", "reduce_sum"),
            ("var", "math.reduce_variance"),
        )
    },
    "categorical_crossentropy=rt.nn.losses.categorical_crossentropy": (
        "target:y_true, output:y_pred, from_logits=False, axis=-1"
    ),
    "expand_dims=rt.expand_dims": "x:input, axis=-1",
    "gather=rt.gather": "reference:params, indices",
    "one_hot=rt.one_hot": "indices, num_classes:depth",
    "ones_like=rt.ones_like": "x:input, dtype=None, name=None",
    "permute_dimensions=rt.transpose": "x:a, pattern:perm",
    "pow=rt.pow": "x, a:y",
    "relu=rt.nn.activations.relu": ("x, alpha:negative_slope=0.0, max_value=None, threshold=0.0"),
    "reshape=rt.reshape": "x:tensor, shape",
    "shape=rt.shape": _OF_ONE,
    "softmax=rt.nn.softmax": "x:logits, axis=-1",
    "softplus=rt.nn.softplus": "x:features",
    "sparse_categorical_crossentropy=rt.nn.losses.sparse_categorical_crossentropy": (
        "target:y_true, output:y_pred, from_logits=False, axis=-1, ignore_class=None"
    ),
    "squeeze=rt.squeeze": "x:input, axis",
    "stack=rt.stack": "x:values, axis=0",
    "stop_gradient=rt.stop_gradient": "variables:input",
    "tile=rt.tile": "x:input, n:multiples",
    "transpose=rt.transpose": "x:a",
    "zeros_like=rt.zeros_like": "x:input, dtype=None, name=None",
}
_OTHERS: dict[str, str] = {
    "experimental.dlpack.to_dlpack=rt.interop.dlpack.to_dlpack": "tf_tensor:",
    "parallel_stack=rt.stack": "values, -name=None",
}


def _by_path() -> dict[str, tuple[str, str]]:
    spaces = (("keras.ops.", _OPS), ("keras.backend.", _BACKEND), ("", _OTHERS))
    named = ((space + key, text) for space, table in spaces for key, text in table.items())
    pairs = ((key.split("="), text) for key, text in named)
    return {path: (target, text) for (path, target), text in pairs}


# By path: the function here, and the names of its arguments.
RENAMED_ARGUMENTS = _by_path()
