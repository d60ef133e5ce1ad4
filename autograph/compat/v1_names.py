"""Names of TensorFlow 1 in `tf.compat.v1`, with their arguments and counterparts here.

Most are the same objects as in `tf`. If the arguments have another order or other names, there is a
function that passes them on with the current names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import runtime as rt
from autograph.compat.namespace import MISSING, Namespace, resolve
from autograph.compat.tensorflow_names import SAME

# Names at the top of TensorFlow 1, and in a namespace of TensorFlow 2.
_FORMERLY_AT_TOP = {
    "math": """
        ceil cumprod digamma erf erfc igamma igammac imag invert_permutation is_finite is_inf is_nan
        lbeta lgamma log log1p log_sigmoid polygamma real reciprocal rint rsqrt segment_max
        segment_mean segment_min segment_prod segment_sum squared_difference expm1 floordiv floormod
        mod unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod
        unsorted_segment_sum zeta betainc conj angle bincount accumulate_n confusion_matrix
        logical_xor
    """,
    "linalg": "cholesky cholesky_solve cross diag diag_part qr set_diag svd trace global_norm",
    "strings": "as_string regex_replace substr",
}
_ELSEWHERE = {
    "div_no_nan": "math.divide_no_nan",
    "matrix_band_part": "linalg.band_part",
    "matrix_determinant": "linalg.det",
    "matrix_diag": "linalg.diag",
    "matrix_diag_part": "linalg.diag_part",
    "matrix_inverse": "linalg.inv",
    "matrix_set_diag": "linalg.set_diag",
    "matrix_solve": "linalg.solve",
    "matrix_transpose": "linalg.matrix_transpose",
    "matrix_triangular_solve": "linalg.triangular_solve",
    "random_gamma": "random.gamma",
    "random_normal": "random.normal",
    "random_poisson": "random.poisson",
    "random_shuffle": "random.shuffle",
    "random_uniform": "random.uniform",
    "self_adjoint_eig": "linalg.eigh",
    "string_join": "strings.join",
    "string_to_number": "strings.to_number",
    "truncated_normal": "random.truncated_normal",
    "read_file": "io.read_file",
    "write_file": "io.write_file",
    "zeros_initializer": "zeros_initializer",
    "ones_initializer": "ones_initializer",
    "constant_initializer": "constant_initializer",
    "nn.softmax_cross_entropy_with_logits_v2": "nn.softmax_cross_entropy_with_logits",
}
_UNCHANGED = """
    Assert DType as_dtype as_string bool debugging double function half import_graph_def io print
    audio autograph compat config data distribute errors experimental feature_column image
    initializers keras losses metrics nest queue ragged saved_model sparse summary sysconfig test
"""
_REDUCTIONS = "reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod"
_OLD_ARGUMENTS = {
    "keep_dims": "keepdims",
    "reduction_indices": "axis",
    "dimension": "axis",
    "dim": "axis",
    "squeeze_dims": "axis",
    "filter": "filters",
    "value": "input",
    "fn1": "true_fn",
    "fn2": "false_fn",
}
# Arguments in the order of TensorFlow 1, if the order or a name differs; `-`: is not passed on.
_ORDERS = {
    **dict.fromkeys(f"{_REDUCTIONS} reduce_sum".split(), "input_tensor axis keepdims name"),
    "argmax": "input axis name -dimension output_type",
    "argmin": "input axis name -dimension output_type",
    "boolean_mask": "tensor mask name axis",
    "cond": "pred true_fn false_fn -strict name",
    "expand_dims": "input axis name",
    "gather": "params indices validate_indices name axis batch_dims",
    "norm": "tensor ord axis keepdims name",
    "pad": "tensor paddings mode name constant_values",
    "shape": "input name out_type",
    "size": "input name out_type",
    "squeeze": "input axis name",
    "nn.avg_pool": "input ksize strides padding data_format name",
    "nn.conv2d": "input filters strides padding -use_cudnn_on_gpu data_format dilations name",
    "nn.l2_normalize": "x axis epsilon name",
    "nn.log_softmax": "logits axis name",
    "nn.max_pool": "input ksize strides padding data_format name",
    "nn.moments": "x axes shift name keepdims",
    "nn.sigmoid_cross_entropy_with_logits": "-_sentinel labels logits name",
    "nn.softmax": "logits axis name",
    "nn.sparse_softmax_cross_entropy_with_logits": "-_sentinel labels logits name",
}


def add_v1_names(tree: Namespace) -> None:
    """Add the names of TensorFlow 1 to `compat.v1` of a tree with the current names."""
    for path in _current_paths():
        _copy(tree, path, path)
    for namespace, names in _FORMERLY_AT_TOP.items():
        for name in names.split():
            _copy(tree, name, f"{namespace}.{name}")
    for path, target in _ELSEWHERE.items():
        _copy(tree, path, target)
    for path, order in _ORDERS.items():
        tree.put_lookup(f"compat.v1.{path}", partial(_find_with_old_arguments, tree, path, order))
    for path, value in _OWN_FUNCTIONS.items():
        tree.put_lookup(f"compat.v1.{path}", partial(_itself, value))


def _current_paths() -> Iterator[str]:
    for namespace, names in SAME.items():
        if namespace not in ("data", "summary", "train"):
            yield from (f"{namespace}.{name}" if namespace else name for name in names.split())
    yield from _UNCHANGED.split()


def _copy(tree: Namespace, path: str, target: str) -> None:
    if path != "compat":
        find = partial(resolve, tree, target)
        tree.put_lookup(f"compat.v1.{path}", find, is_tried_last=True)


def _find_with_old_arguments(tree: Namespace, path: str, order: str) -> object:
    current = resolve(tree, path)
    return current if current is MISSING else with_old_arguments(current, order)


def _itself(value: object) -> object:
    return value


def with_old_arguments(function: Any, order: str) -> Callable[..., Any]:
    """Return a function that passes its arguments on with the current names.

    The function raises a TypeError for too many arguments, or two values for one name.

    Args:
        function: the function to call.
        order: the names of positional arguments; `-` in front of ignored ones.

    >>> total = with_old_arguments(rt.reduce_sum, "input_tensor axis keepdims name")
    >>> total([[1, 2]], 1, keep_dims=True)
    <rt.Tensor: shape=(1, 1), dtype=int32, numpy=array([[3]], dtype=int32)>
    """
    names = order.split()
    silent = {each[1:] for each in names if each.startswith("-")}
    places = [each.lstrip("-") for each in names]

    def passed(*args: Any, name: Any = None, **kwargs: Any) -> Any:
        if len(args) > len(places):
            raise TypeError(f"{passed.__name__}() takes {len(places)} arguments, not {len(args)}")
        given = dict(zip(places, args))
        name = given.pop("name", None) or name
        for key, value in kwargs.items():
            current = _OLD_ARGUMENTS.get(key, key) if key not in places or key in silent else key
            if current in given and given[current] is not None and value is not None:
                raise TypeError(f"{passed.__name__}() has two values for {current!r}")
            given[current] = given.get(current) if value is None else value
        said = {key: value for key, value in given.items() if value is not None}
        return function(**{key: said[key] for key in said if key not in silent}, name=name)

    passed.__name__, passed.__doc__ = function.__name__, function.__doc__
    # The code's name is the frame's name, which a graph uses to name its nodes.
    passed.__code__ = passed.__code__.replace(co_name=function.__name__)
    return passed


def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: Any = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """Set random elements to zero and scale the others; `keep_prob` is the share of the others.

    >>> dropout([1.0, 2.0], keep_prob=1.0).numpy().tolist()
    [1.0, 2.0]
    """
    if (keep_prob is None) == (rate is None):
        raise rt.errors.InvalidArgumentError("dropout: give either keep_prob or rate")
    return rt.nn.dropout(x, 1.0 - keep_prob if rate is None else rate, noise_shape, seed, name)


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Any:
    """Return the cross-entropy of each row; `labels` get no gradient.

    >>> loss = softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[0.0, 0.0]])
    >>> round(float(loss[0]), 4)  # the logarithm of 2
    0.6931
    """
    held = rt.stop_gradient(labels)
    along = dim if axis is None else axis
    return rt.nn.softmax_cross_entropy_with_logits(held, logits, axis=along, name=name)


def while_loop(
    cond: Any,
    body: Any,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Run a loop; a single variable is returned alone, unless `return_same_structure`.

    >>> while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    """
    found = rt.while_loop(
        cond,
        body,
        loop_vars,
        shape_invariants,
        back_prop=back_prop,
        maximum_iterations=maximum_iterations,
        name=name,
    )
    is_one = isinstance(found, (list, tuple)) and len(found) == 1 and not return_same_structure
    return found[0] if is_one else found


def name_scope(name: Any = None, default_name: str | None = None, values: Any = None) -> Any:
    """Return a context manager that adds a name prefix, by default `default_name`.

    >>> with name_scope(None, "layer") as scope:
    ...     scope
    'layer/'
    """
    return rt.name_scope(default_name or "" if name is None else name)


def div(x: Any, y: Any, name: str | None = None) -> Any:
    """Divide as in Python 2: the quotient of integers is an integer, rounded down.

    >>> div(7, 2).numpy().item(), div(7.0, 2.0).numpy().item()
    (3, 3.5)
    """
    first = rt.convert_to_tensor(x)
    return (rt.math.floordiv if first.dtype.is_integer else rt.divide)(first, y, name=name)


def to_double(x: Any, name: str = "ToDouble") -> Any:
    """Return x as float64.

    >>> to_double(3).dtype
    rt.float64
    """
    return rt.cast(x, rt.float64, name)


def to_float(x: Any, name: str = "ToFloat") -> Any:
    """Return x as float32.

    >>> to_float(3).dtype
    rt.float32
    """
    return rt.cast(x, rt.float32, name)


def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """Return x as int32, truncated towards zero.

    >>> to_int32(-1.5).numpy().item()
    -1
    """
    return rt.cast(x, rt.int32, name)


def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """Return x as int64, truncated towards zero.

    >>> to_int64(-1.5).numpy().item()
    -1
    """
    return rt.cast(x, rt.int64, name)


def random_normal_initializer(
    mean: float = 0.0, stddev: float = 1.0, seed: Any = None, dtype: Any = None
) -> Any:
    """Return an initializer that draws normal numbers.

    >>> random_normal_initializer(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """
    return rt.nn.initializers.RandomNormal(mean, stddev, seed)


def truncated_normal_initializer(
    mean: float = 0.0, stddev: float = 1.0, seed: Any = None, dtype: Any = None
) -> Any:
    """Return an initializer that draws normal numbers within two deviations of the mean.

    >>> truncated_normal_initializer(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """
    return rt.nn.initializers.TruncatedNormal(mean, stddev, seed)


def random_uniform_initializer(
    minval: float = 0.0, maxval: Any = None, seed: Any = None, dtype: Any = None
) -> Any:
    """Return an initializer that draws uniform numbers from `minval` to below `maxval` (or 1).

    >>> random_uniform_initializer(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """
    return rt.nn.initializers.RandomUniform(minval, 1.0 if maxval is None else maxval, seed)


def glorot_uniform_initializer(seed: Any = None, dtype: Any = None) -> Any:
    """Return an initializer of uniform numbers; see `rt.nn.initializers.GlorotUniform`.

    >>> glorot_uniform_initializer(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """
    return rt.nn.initializers.GlorotUniform(seed)


def glorot_normal_initializer(seed: Any = None, dtype: Any = None) -> Any:
    """Return an initializer of truncated normal numbers; see `rt.nn.initializers.GlorotNormal`.

    >>> glorot_normal_initializer(seed=1)((2, 3)).shape
    TensorShape([2, 3])
    """
    return rt.nn.initializers.GlorotNormal(seed)


def enable_eager_execution() -> None:
    """Do nothing: ops run eagerly here.

    >>> enable_eager_execution()
    """


def enable_resource_variables() -> None:
    """Do nothing: all variables are of one kind here.

    >>> enable_resource_variables()
    """


_OWN_FUNCTIONS: dict[str, Any] = {
    "div": div,
    "enable_eager_execution": enable_eager_execution,
    "enable_resource_variables": enable_resource_variables,
    "glorot_normal_initializer": glorot_normal_initializer,
    "glorot_uniform_initializer": glorot_uniform_initializer,
    "name_scope": name_scope,
    "nn.dropout": dropout,
    "nn.softmax_cross_entropy_with_logits": softmax_cross_entropy_with_logits,
    "random_normal_initializer": random_normal_initializer,
    "random_uniform_initializer": random_uniform_initializer,
    "to_double": to_double,
    "to_float": to_float,
    "to_int32": to_int32,
    "to_int64": to_int64,
    "truncated_normal_initializer": truncated_normal_initializer,
    "while_loop": while_loop,
}
