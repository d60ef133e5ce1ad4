"""Which module declares which operations: `REGISTRY` imports one when its first op is asked for.

Whoever walks the registry gets all of them. `tests/laws/test_op_homes.py` prints the table as it
should be.
"""

from __future__ import annotations

OP_HOMES: dict[str, str] = {
    "runtime.autodiff.given": "given_gradient",
    "runtime.state.generator": "skip_variable",
    "runtime.graph.calling": "function_call",
    "runtime.graph.recursion": "call recursion",
    "runtime.graph.region_ops": "cond switch_case try_except while_loop",
    "runtime.ops.arithmetic": (
        "add add_n atan2 clip_by_value divide divide_no_nan floordiv floormod maximum minimum "
        "multiply multiply_no_nan pow squared_difference subtract truncatediv xlogy"
    ),
    "runtime.ops.attempts": "from_exception leave_try note_state raise_again",
    "runtime.ops.backward.arranging": "joined_part repeats_summed tiles_summed unpadded",
    "runtime.ops.backward.gru_gates": "gru_gates_slope",
    "runtime.ops.backward.lstm_gates": "lstm_gates_slope",
    "runtime.ops.backward.matrices": "on_diagonal",
    "runtime.ops.backward.orders": "placed_along taken_along",
    "runtime.ops.backward.places": "replaced_part slice_back sliced_back",
    "runtime.ops.backward.products": "einsum_slope tensordot_slope",
    "runtime.ops.backward.rows": "gathered_back rows_back unmasked",
    "runtime.ops.backward.scans": "moved recurrence",
    "runtime.ops.backward.shapes": "spread",
    "runtime.ops.bands": "diagonals from_diagonals set_diag",
    "runtime.ops.bessel": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e",
    "runtime.ops.bits": "bitcast",
    "runtime.ops.buckets": "hash_bucket hash_bucket_fast hash_bucket_strong",
    "runtime.ops.clock": "timestamp",
    "runtime.ops.combining": "concat repeat reverse roll split tile unstack",
    "runtime.ops.comparison": "equal greater greater_equal less less_equal not_equal",
    "runtime.ops.complex_numbers": "angle complex conj imag real",
    "runtime.ops.convert": "cast constant stack",
    "runtime.ops.convolution": "convolution convolution_to_filter convolution_to_input",
    "runtime.ops.creation": "fill linspace one_hot ones_like range zeros_like",
    "runtime.ops.cumulative": "cumprod cumsum cumulative_logsumexp",
    "runtime.ops.dataset_state": "dataset_seeds dataset_store",
    "runtime.ops.datasets": (
        "dataset_begin dataset_has_item dataset_item dataset_place_after dataset_size"
    ),
    "runtime.ops.debugging": "assert_data assert_relation check_numerics",
    "runtime.ops.diagonals": "band_part diag diag_part",
    "runtime.ops.einsum": "einsum tensordot",
    "runtime.ops.elementwise": (
        "abs acos asin atan ceil cos cosh erf exp expm1 floor is_finite is_inf is_nan log "
        "log1p negative reciprocal round rsqrt sigmoid sign sin sinh sqrt square tan tanh"
    ),
    "runtime.ops.embedding": "in_top_k",
    "runtime.ops.error_functions": "erfc erfinv ndtri",
    "runtime.ops.extremes": "first_extreme python_order",
    "runtime.ops.factorizations": "eig eigh eigvals eigvalsh qr singular_values svd",
    "runtime.ops.formatting": "format_values",
    "runtime.ops.fourier": "fourier real_fourier real_from_fourier",
    "runtime.ops.gamma": "digamma lgamma polygamma zeta",
    "runtime.ops.gates": "gru_gates lstm_gates",
    "runtime.ops.gather": "boolean_mask gather gather_nd",
    "runtime.ops.gradient": "broadcast_like identity stop_gradient sum_to_like",
    "runtime.ops.guarded": "xdivy xlog1py",
    "runtime.ops.hyperbolic": "acosh asinh atanh",
    "runtime.ops.incomplete": "betainc igamma igamma_slope igammac",
    "runtime.ops.indexing": "set_item slice strided_slice",
    "runtime.ops.io": "assert check print py_function refuse",
    "runtime.ops.item_gradients": (
        "drop_item_gradients gather_item_gradients join_item_gradients limit_item_gradients "
        "no_item_gradients pick_item_gradients place_item_gradients scatter_item_gradients"
    ),
    "runtime.ops.item_moves": "move_item_gradients move_item_gradients_back",
    "runtime.ops.item_rows": (
        "item_gradients_as_parts item_gradients_as_rows lengths_of_items "
        "parts_as_item_gradients rows_as_item_gradients"
    ),
    "runtime.ops.iterators": "iterator_has_next iterator_next",
    "runtime.ops.linalg": (
        "cholesky eye matmul matrix_determinant matrix_inverse matrix_solve matrix_transpose "
        "transpose"
    ),
    "runtime.ops.list_kernels": (
        "list_append list_delete list_delete_slice list_extend list_get list_insert "
        "list_length list_of list_pop list_repeat list_reverse list_set list_set_slice "
        "list_slice list_take"
    ),
    "runtime.ops.list_tensors": "list_concat list_from_parts list_from_rows list_stack",
    "runtime.ops.logic": (
        "bitwise_and bitwise_or bitwise_xor invert left_shift logical_and logical_not "
        "logical_or logical_xor right_shift"
    ),
    "runtime.ops.matrix_functions": (
        "log_matrix_determinant matrix_exponential matrix_square_root pseudo_inverse"
    ),
    "runtime.ops.neural": "elu log_softmax relu relu6 relu_slope softmax softplus softsign",
    "runtime.ops.number_methods": "number_method",
    "runtime.ops.numbering": "new_number",
    "runtime.ops.optimizing": "adam_variable",
    "runtime.ops.padding": "pad",
    "runtime.ops.partitions": "dynamic_partition dynamic_stitch",
    "runtime.ops.pool_places": "max_pool_places",
    "runtime.ops.pooling": "avg_pool avg_pool_back max_pool max_pool_back max_pool_picked",
    "runtime.ops.python_arithmetic": "python_divide python_fold python_operand python_power",
    "runtime.ops.python_math": "python_math",
    "runtime.ops.python_numbers": "power_modulo python_int python_round",
    "runtime.ops.raising": "make_error raise",
    "runtime.ops.reduction": (
        "argmax argmin count_nonzero reduce_all reduce_any reduce_logsumexp reduce_max "
        "reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance"
    ),
    "runtime.ops.remainders": "nextafter truncatemod",
    "runtime.ops.samplers": (
        "random_categorical random_gamma random_normal random_poisson random_shuffle "
        "random_uniform random_uniform_int stateless_binomial stateless_categorical "
        "stateless_full_int stateless_gamma stateless_normal stateless_poisson "
        "stateless_shuffle stateless_truncated_normal stateless_uniform stateless_uniform_int "
        "truncated_normal"
    ),
    "runtime.ops.scatter": (
        "scatter_nd tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min "
        "tensor_scatter_nd_update"
    ),
    "runtime.ops.searching": "invert_permutation searchsorted unravel_index",
    "runtime.ops.segment_texts": "unsorted_segment_join",
    "runtime.ops.segments": (
        "segment_max segment_mean segment_min segment_prod segment_sum unsorted_segment_max "
        "unsorted_segment_min unsorted_segment_prod unsorted_segment_sum"
    ),
    "runtime.ops.selection": "nonzero select",
    "runtime.ops.sequences": "reverse_sequence",
    "runtime.ops.shape": "broadcast_to ensure_shape expand_dims rank reshape shape size squeeze",
    "runtime.ops.shape_checks": "assert_rank assert_shapes",
    "runtime.ops.sorting": "argsort sort top_k unique unique_with_counts",
    "runtime.ops.sparse_entropy": (
        "sparse_softmax_both sparse_softmax_cross_entropy sparse_softmax_slope"
    ),
    "runtime.ops.state": "assign_add_variable assign_sub_variable assign_variable new_variable "
    "read_variable",
    "runtime.ops.state_places": "assign_item_variable scatter_nd_variable scatter_variable",
    "runtime.ops.stateless": "stateless_key_counter",
    "runtime.ops.strings": (
        "as_string reduce_join string_join string_length string_lower string_strip "
        "string_upper substr to_number"
    ),
    "runtime.ops.tensor_arrays": (
        "tensor_array tensor_array_fill tensor_array_items "
        "tensor_array_read tensor_array_scatter tensor_array_size tensor_array_write"
    ),
    "runtime.ops.text_format": "string_format",
    "runtime.ops.text_items": "text_item",
    "runtime.ops.text_methods": "text_method",
    "runtime.ops.text_search": (
        "bytes_split regex_full_match regex_replace string_ngrams string_split"
    ),
    "runtime.ops.triangular_factors": "lu",
    "runtime.ops.unicode": "unicode_decode unicode_encode unicode_split unicode_transcode",
    "runtime.ops.weighted_losses": "sigmoid_cross_entropy",
    "runtime.summary.writer": "close_summaries flush_summaries",
    "runtime.summary.writing": "write_summary",
}
