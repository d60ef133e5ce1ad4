"""The registry of ops by name, and the index of the modules that declare them.

`REGISTRY` imports the module of an op on first use; iterating over it imports all modules.
`tests/laws/test_op_index.py` prints the correct index.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any, TypeVar, overload

from runtime.core.lazy_imports import load_module

Value = TypeVar("Value")
Default = TypeVar("Default")


class Registry(dict[str, Value]):
    """A dict that imports the module of an entry on access, and all modules on iteration.

    >>> known = Registry({"cmath": "phase polar"})
    >>> "polar" in known, "sqrt" in known
    (True, False)
    """

    def __init__(self, homes: Mapping[str, str]) -> None:
        super().__init__()
        self._homes = {name: home for home, names in homes.items() for name in names.split()}

    def has(self, name: str) -> bool:
        """Return whether an entry is loaded."""
        return super().__contains__(name)

    def home_of(self, name: str) -> str:
        """Return the module that declares an entry, "" if it is in no index."""
        return self._homes.get(name, "")

    def complete(self) -> None:
        """Import all modules that declare entries."""
        for home in dict.fromkeys(self._homes.values()):
            load_module(home)

    def __missing__(self, name: str) -> Value:
        home = self._homes.get(name)
        if home is not None:
            load_module(home)
        if home is None or not self.has(name):
            raise KeyError(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._homes

    @overload
    def get(self, name: str, default: None = None, /) -> Value | None: ...

    @overload
    def get(self, name: str, default: Value | Default, /) -> Value | Default: ...

    def get(self, name: str, default: Any = None, /) -> Any:
        """Return the value of a name; `default` if the registry has no such name."""
        return self[name] if name in self else default

    def __iter__(self) -> Iterator[str]:
        self.complete()
        return super().__iter__()

    def __len__(self) -> int:
        self.complete()
        return super().__len__()

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        """Return the names, after loading all modules that register values."""
        self.complete()
        return super().keys()

    def values(self) -> ValuesView[Value]:  # type: ignore[override]
        """Return the values, after loading all modules that register values."""
        self.complete()
        return super().values()

    def items(self) -> ItemsView[str, Value]:  # type: ignore[override]
        """Return the names with their values, after loading all modules that register values."""
        self.complete()
        return super().items()


# -- the index: the ops that each module declares -------------------------------------------------


OP_MODULES: dict[str, str] = {
    "runtime.autodiff.custom_vjp": "given_gradient",
    "runtime.state.generator": "skip_variable",
    "runtime.graph.function_calls": "function_call",
    "runtime.graph.recursion": "call recursion",
    "runtime.graph.region_ops": "cond switch_case try_except while_loop",
    "runtime.ops.effects.try_ops": "from_exception leave_try note_state raise_again",
    "runtime.ops.grad.manipulation": "joined_part repeats_summed tiles_summed unpadded",
    "runtime.ops.grad.recurrent_gates": "gru_gates_grad lstm_gates_grad",
    "runtime.ops.grad.matrices": "on_diagonal",
    "runtime.ops.grad.sorting": "placed_along taken_along",
    "runtime.ops.grad.indexing": "replaced_part slice_back sliced_back",
    "runtime.ops.grad.einsum": "einsum_grad tensordot_grad",
    "runtime.ops.grad.gather": "gathered_back rows_back unmasked",
    "runtime.ops.grad.cumulative": "moved recurrence",
    "runtime.ops.grad.reductions": "spread",
    "runtime.ops.linalg.diagonals": "band_part diag diag_part diagonals from_diagonals set_diag",
    "runtime.ops.elementwise.bessel": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e",
    "runtime.ops.elementwise.casts": "bitcast",
    "runtime.ops.text.hash_buckets": "hash_bucket hash_bucket_fast hash_bucket_strong",
    "runtime.ops.effects.clock": "timestamp",
    "runtime.ops.files.contents": "read_file write_file",
    "runtime.ops.files.images": "decode_image encode_png",
    "runtime.ops.files.wav": "decode_wav encode_wav",
    "runtime.ops.arrays.concatenation": "concat repeat reverse roll split tile unstack",
    "runtime.ops.elementwise.comparison": "equal greater greater_equal less less_equal not_equal",
    "runtime.ops.elementwise.complex_numbers": "angle complex conj imag real",
    "runtime.ops.convert": "cast constant exact_cast stack",
    "runtime.ops.neural.convolution": "convolution convolution_to_filter convolution_to_input",
    "runtime.ops.arrays.creation": "fill linspace one_hot ones_like range zeros_like",
    "runtime.ops.arrays.cumulative": "cumprod cumsum cumulative_logsumexp",
    "runtime.ops.data.dataset_state": "dataset_seeds dataset_store",
    "runtime.ops.data.datasets": (
        "dataset_begin dataset_has_item dataset_item dataset_place_after dataset_size"
    ),
    "runtime.ops.effects.assertions": "assert_data assert_relation check_numerics",
    "runtime.ops.linalg.einsum": "einsum tensordot",
    "runtime.ops.elementwise.unary": (
        "abs acos asin atan ceil cos cosh erf exp expm1 floor is_finite is_inf is_nan log "
        "log1p negative reciprocal round rsqrt sigmoid sign sin sinh sqrt square tan tanh"
    ),
    "runtime.ops.elementwise.error_functions": "erfc erfinv ndtri",
    "runtime.ops.python.min_max": "first_extreme python_order",
    "runtime.ops.linalg.factorizations": "eig eigh eigvals eigvalsh qr singular_values svd",
    "runtime.ops.python.formatting": "format_values",
    "runtime.ops.signal.fourier": "fourier real_fourier real_from_fourier",
    "runtime.ops.elementwise.gamma": "digamma lgamma polygamma zeta",
    "runtime.ops.neural.recurrent_gates": "gru_gates lstm_gates",
    "runtime.ops.arrays.sharding": "shard",
    "runtime.ops.arrays.gather": "boolean_mask gather gather_nd",
    "runtime.ops.gradient_rules": "broadcast_like identity stop_gradient sum_to_like",
    "runtime.ops.elementwise.zero_safe": "xdivy xlog1py",
    "runtime.ops.elementwise.hyperbolic": "acosh asinh atanh",
    "runtime.ops.elementwise.incomplete_gamma": "betainc igamma igamma_grad igammac",
    "runtime.ops.arrays.indexing": "set_item slice strided_slice",
    "runtime.ops.effects.checks": "assert check refuse",
    "runtime.ops.effects.printing": "print",
    "runtime.ops.effects.python_calls": "py_function",
    "runtime.ops.containers.item_gradients": (
        "drop_item_gradients gather_item_gradients join_item_gradients limit_item_gradients "
        "no_item_gradients pick_item_gradients place_item_gradients scatter_item_gradients"
    ),
    "runtime.ops.containers.item_moves": "move_item_gradients move_item_gradients_back",
    "runtime.ops.containers.list_gradients": (
        "item_gradients_as_parts item_gradients_as_rows lengths_of_items "
        "parts_as_item_gradients rows_as_item_gradients"
    ),
    "runtime.ops.data.iterators": "iterator_has_next iterator_next",
    "runtime.ops.linalg.matrices": (
        "cholesky eye matmul matrix_determinant matrix_inverse matrix_solve matrix_transpose "
        "transpose"
    ),
    "runtime.ops.containers.list_kernels": (
        "list_append list_delete list_delete_slice list_extend list_get list_insert "
        "list_length list_of list_pop list_repeat list_reverse list_set list_set_slice "
        "list_slice list_take"
    ),
    "runtime.ops.containers.list_tensors": "list_concat list_from_parts list_from_rows list_stack",
    "runtime.ops.elementwise.logic": (
        "bitwise_and bitwise_or bitwise_xor invert left_shift logical_and logical_not "
        "logical_or logical_xor right_shift"
    ),
    "runtime.ops.linalg.matrix_functions": (
        "log_matrix_determinant matrix_exponential matrix_square_root pseudo_inverse"
    ),
    "runtime.ops.neural.activations": "elu relu relu6 relu_grad softplus softsign",
    "runtime.ops.neural.softmax": "log_softmax softmax",
    "runtime.ops.python.numbers": "number_method power_modulo python_int python_round",
    "runtime.ops.effects.run_counters": "new_number",
    "runtime.ops.neural.optimizer_updates": "adam_variable",
    "runtime.ops.arrays.padding": "pad",
    "runtime.ops.arrays.partitions": "dynamic_partition dynamic_stitch",
    "runtime.ops.neural.max_pool_positions": "max_pool_places",
    "runtime.ops.neural.pooling": "avg_pool avg_pool_back max_pool max_pool_back max_pool_picked",
    "runtime.ops.python.arithmetic": "python_divide python_fold python_operand python_power",
    "runtime.ops.python.math_module": "python_math",
    "runtime.ops.effects.raising": "make_error raise",
    "runtime.ops.arrays.reduction": (
        "argmax argmin count_nonzero reduce_all reduce_any reduce_logsumexp reduce_max "
        "reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance"
    ),
    "runtime.ops.elementwise.arithmetic": (
        "add add_n atan2 clip_by_value divide divide_no_nan floordiv floormod maximum minimum "
        "multiply multiply_no_nan nextafter pow squared_difference subtract truncatediv "
        "truncatemod xlogy"
    ),
    "runtime.ops.random.samplers": (
        "random_categorical random_gamma random_normal random_poisson random_shuffle "
        "random_uniform random_uniform_int stateless_binomial stateless_categorical "
        "stateless_full_int stateless_gamma stateless_normal stateless_poisson "
        "stateless_shuffle stateless_truncated_normal stateless_uniform stateless_uniform_int "
        "truncated_normal"
    ),
    "runtime.ops.arrays.scatter": (
        "scatter_nd tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min "
        "tensor_scatter_nd_update"
    ),
    "runtime.ops.arrays.searching": "invert_permutation searchsorted unravel_index",
    "runtime.ops.text.segment_join": "unsorted_segment_join",
    "runtime.ops.arrays.segments": (
        "segment_max segment_mean segment_min segment_prod segment_sum unsorted_segment_max "
        "unsorted_segment_min unsorted_segment_prod unsorted_segment_sum"
    ),
    "runtime.ops.elementwise.selection": "nonzero select",
    "runtime.ops.arrays.reverse_sequence": "reverse_sequence",
    "runtime.ops.arrays.shape": (
        "broadcast_to ensure_shape expand_dims rank reshape shape size squeeze"
    ),
    "runtime.ops.effects.spec_assertions": "assert_rank assert_shapes",
    "runtime.ops.arrays.sorting": "argsort in_top_k sort top_k unique unique_with_counts",
    "runtime.ops.neural.sparse_cross_entropy": (
        "sparse_softmax_both sparse_softmax_cross_entropy sparse_softmax_grad"
    ),
    "runtime.ops.effects.variables": (
        "assign_add_variable assign_sub_variable assign_variable new_variable read_variable"
    ),
    "runtime.ops.effects.variable_items": (
        "assign_item_variable scatter_nd_variable scatter_variable"
    ),
    "runtime.ops.random.stateless": "stateless_key_counter",
    "runtime.ops.text.strings": (
        "as_string reduce_join string_join string_length string_lower string_strip "
        "string_upper substr to_number"
    ),
    "runtime.ops.containers.tensor_arrays": (
        "tensor_array tensor_array_fill tensor_array_items "
        "tensor_array_read tensor_array_resize tensor_array_scatter tensor_array_size "
        "tensor_array_sum tensor_array_write"
    ),
    "runtime.ops.text.string_format": "string_format",
    "runtime.ops.python.string_items": "text_item",
    "runtime.ops.python.string_methods": "text_method",
    "runtime.ops.text.regular_expressions": (
        "bytes_split regex_full_match regex_replace string_ngrams string_split"
    ),
    "runtime.ops.linalg.triangular_factors": "lu",
    "runtime.ops.text.unicode": "unicode_decode unicode_encode unicode_split unicode_transcode",
    "runtime.ops.neural.weighted_losses": "sigmoid_cross_entropy",
    "runtime.summary.writer": "close_summaries flush_summaries",
    "runtime.summary.summaries": "write_summary",
}
