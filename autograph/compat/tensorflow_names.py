"""Tables of TensorFlow's names and their counterparts here.

Names that `runtime` lacks may be listed too; the namespaces omit them, and their use is an error.
"""

from __future__ import annotations

_CONFIG = {
    "config": """
        LogicalDeviceConfiguration get_logical_device_configuration get_soft_device_placement
        get_visible_devices set_logical_device_configuration set_soft_device_placement
        set_visible_devices
    """,
    "config.experimental": """
        disable_mlir_bridge enable_mlir_bridge enable_op_determinism
        enable_tensor_float_32_execution get_device_details get_device_policy get_memory_growth
        get_memory_info get_synchronous_execution get_visible_devices set_device_policy
        set_memory_growth set_synchronous_execution set_visible_devices
        tensor_float_32_execution_enabled
    """,
    "config.optimizer": "get_experimental_options get_jit set_experimental_options set_jit",
    "debugging": """
        disable_traceback_filtering enable_traceback_filtering get_log_device_placement
        is_traceback_filtering_enabled set_log_device_placement
    """,
    "test": """
        gpu_device_name is_built_with_cuda is_built_with_gpu_support is_built_with_rocm
        is_built_with_xla is_gpu_available
    """,
}
_DISTRIBUTE = """
    InputContext InputOptions MirroredStrategy OneDeviceStrategy ReduceOp ReplicaContext RunOptions
    Strategy
    experimental_set_strategy get_replica_context get_strategy has_strategy
    in_cross_replica_context
"""
_PROFILER = "Profile ProfilerOptions Trace start stop"
_CONFIG_AT = "rt.distribute.config"
_PROFILER_AT = "rt.summary.profiler"

DEVICES = {
    **{
        f"config.threading.{way}_{kind}_op_parallelism_threads": (
            f"rt.config.threading.{way}_{kind}_op_parallelism_threads"
        )
        for way in ("get", "set")
        for kind in ("inter", "intra")
    },
    **{
        f"{space}.{name}": f"{_CONFIG_AT}.{name}"
        for space, names in _CONFIG.items()
        for name in names.split()
    },
    **{f"distribute.{name}": f"rt.distribute.{name}" for name in _DISTRIBUTE.split()},
    **{f"profiler.experimental.{name}": f"{_PROFILER_AT}.{name}" for name in _PROFILER.split()},
    "config.LogicalDevice": "rt.core.devices.LogicalDevice",
    "config.PhysicalDevice": "rt.core.devices.PhysicalDevice",
    "config.experimental.VirtualDeviceConfiguration": f"{_CONFIG_AT}.LogicalDeviceConfiguration",
    "config.experimental.get_virtual_device_configuration": (
        f"{_CONFIG_AT}.get_logical_device_configuration"
    ),
    "config.experimental.list_logical_devices": "rt.list_logical_devices",
    "config.experimental.set_virtual_device_configuration": (
        f"{_CONFIG_AT}.set_logical_device_configuration"
    ),
    "profiler.experimental.server.start": f"{_PROFILER_AT}.start_server",
    "saved_model.LoadOptions": "rt.export.saved_model.options.LoadOptions",
    "saved_model.SaveOptions": "rt.export.saved_model.options.SaveOptions",
}


# -- names -----------------------------------------------------------------------------------------


# Names that are the same here: `tf.strings.split` is `rt.strings.split`.
SAME: dict[str, str] = {
    "": """
        Graph GradientTape IndexedSlices Module Tensor TensorArray TensorShape TensorSpec
        UnconnectedGradients Variable VariableAggregation VariableSynchronization
        abs acos acosh add add_n argmax argmin argsort asin asinh atan atan2 atanh batch_to_space
        bitcast boolean_mask broadcast_dynamic_shape
        broadcast_static_shape broadcast_to case cast clip_by_global_norm
        clip_by_norm clip_by_value complex concat cond constant control_dependencies
        convert_to_tensor cos cosh cumsum custom_gradient device divide dynamic_partition
        dynamic_stitch einsum ensure_shape equal executing_eagerly exp expand_dims eye fill floor
        foldl foldr gather gather_nd get_static_value gradients greater greater_equal group
        guarantee_const hessians histogram_fixed_width
        histogram_fixed_width_bins identity identity_n init_scope inside_function is_symbolic_tensor
        is_tensor less
        less_equal linspace logical_and logical_not logical_or make_ndarray map_fn matmul maximum
        meshgrid minimum multiply name_scope negative no_gradient no_op norm not_equal
        numpy_function one_hot ones ones_like pad pow py_function range rank
        realdiv recompute_grad reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean
        reduce_min reduce_prod reduce_sum register_tensor_conversion_function repeat reshape
        reverse reverse_sequence roll round saturate_cast scalar_mul scan scatter_nd searchsorted
        sequence_mask shape shape_n sigmoid sign sin sinh size slice sort space_to_batch
        space_to_batch_nd split
        sqrt square squeeze stack stop_gradient strided_slice subtract switch_case tan tanh
        tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min tensor_scatter_nd_sub
        tensor_scatter_nd_update tensordot tile timestamp transpose truediv truncatediv
        truncatemod tuple unique unique_with_counts unravel_index unstack variable_creator_scope
        vectorized_map where while_loop zeros zeros_like
        bfloat16 complex128 complex64 float16 float32 float64 int16 int32 int64 int8 string
        uint16 uint32 uint64 uint8 variant
    """,
    "math": """
        abs accumulate_n acos acosh add add_n angle argmax argmin asin asinh atan atan2 atanh
        bessel_i0 bessel_i0e bessel_i1 bessel_i1e betainc bincount ceil
        confusion_matrix conj cos cosh count_nonzero
        cumprod cumsum cumulative_logsumexp digamma divide divide_no_nan equal erf erfc erfcinv
        erfinv exp expm1 floor floordiv floormod greater greater_equal igamma igammac imag
        in_top_k invert_permutation is_finite is_inf is_nan is_non_decreasing
        is_strictly_increasing l2_normalize lbeta less less_equal lgamma log log1p log_sigmoid
        log_softmax logical_and logical_not logical_or logical_xor maximum minimum mod multiply
        multiply_no_nan ndtri negative nextafter not_equal polygamma polyval pow real reciprocal
        reciprocal_no_nan reduce_all reduce_any reduce_euclidean_norm reduce_logsumexp reduce_max
        reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance rint round rsqrt
        scalar_mul segment_max segment_mean segment_min segment_prod segment_sum sigmoid sign sin
        sinh sobol_sample softmax softplus softsign sqrt square squared_difference subtract tan
        tanh top_k truediv unsorted_segment_max unsorted_segment_mean unsorted_segment_min
        unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum
        xdivy xlog1py xlogy zero_fraction zeta
    """,
    "nn": """
        " atrous_conv2d avg_pool avg_pool1d avg_pool2d avg_pool3d batch_normalization bias_add
        conv1d conv1d_transpose conv2d conv2d_transpose conv3d conv3d_transpose conv_transpose
        convolution crelu depth_to_space depthwise_conv2d dropout elu embedding_lookup gelu
        compute_average_loss in_top_k l2_loss l2_normalize leaky_relu local_response_normalization
        log_poisson_loss log_softmax lrn max_pool max_pool1d max_pool2d max_pool3d
        max_pool_with_argmax moments normalize_moments pool relu relu6 scale_regularization_loss
        selu separable_conv2d sigmoid sigmoid_cross_entropy_with_logits silu softmax
        softmax_cross_entropy_with_logits softplus softsign space_to_batch space_to_depth
        sparse_softmax_cross_entropy_with_logits sufficient_statistics swish tanh top_k
        weighted_cross_entropy_with_logits weighted_moments zero_fraction
    """,
    "linalg": """
        adjoint band_part cholesky cholesky_solve cross det diag diag_part eig eigh eigvals
        eigvalsh einsum expm eye global_norm inv l2_normalize logdet lstsq lu lu_matrix_inverse
        lu_reconstruct lu_solve matmul matrix_rank matrix_transpose matvec norm normalize pinv qr
        set_diag slogdet solve sqrtm svd tensor_diag tensor_diag_part tensordot trace
        triangular_solve eigh_tridiagonal tridiagonal_matmul tridiagonal_solve
    """,
    "random": """
        Algorithm Generator categorical create_rng_state fixed_unigram_candidate_sampler fold_in
        gamma get_global_generator normal poisson set_global_generator set_seed shuffle split
        stateless_binomial stateless_categorical stateless_gamma stateless_normal
        stateless_poisson stateless_truncated_normal stateless_uniform truncated_normal uniform
    """,
    "random.experimental": """
        Algorithm Generator create_rng_state get_global_generator set_global_generator
        stateless_fold_in stateless_shuffle stateless_split
    """,
    "strings": """
        as_string bytes_split format join length lower ngrams reduce_join regex_full_match
        regex_replace split strip substr to_hash_bucket to_hash_bucket_fast
        to_hash_bucket_strong to_number unicode_decode unicode_encode unicode_split
        unicode_split_with_offsets unicode_transcode unsorted_segment_join upper
    """,
    "bitwise": "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
    "nest": "assert_same_structure flatten is_nested map_structure pack_sequence_as",
    "debugging": """
        assert_all_finite assert_equal assert_greater assert_greater_equal assert_integer
        assert_less assert_less_equal assert_near assert_negative assert_non_negative
        assert_non_positive assert_none_equal assert_positive assert_proper_iterable assert_rank
        assert_rank_at_least assert_rank_in assert_same_float_dtype assert_scalar assert_shapes
        assert_type check_numerics is_numeric_tensor
    """,
    "dtypes": """
        DType as_dtype bfloat16 cast complex complex128 complex64 float16 float32 float64 int16
        int32 int64 int8 saturate_cast string uint16 uint32 uint64 uint8
    """,
    "data": """
        AUTOTUNE Dataset DatasetSpec INFINITE_CARDINALITY Iterator Options TextLineDataset
        UNKNOWN_CARDINALITY
    """,
    "data.experimental": """
        AUTOTUNE AutoShardPolicy Counter RandomDataset assert_cardinality at
        bucket_by_sequence_length cardinality choose_from_datasets
        enumerate_dataset from_list get_next_as_optional get_single_element get_structure
        group_by_window ignore_errors map_and_batch parallel_interleave prefetch_to_device
        rejection_resample sample_from_datasets scan shuffle_and_repeat take_while unbatch unique
    """,
    "errors": """
        AbortedError AlreadyExistsError CancelledError DataLossError DeadlineExceededError
        FailedPreconditionError InternalError InvalidArgumentError NotFoundError OpError
        OutOfRangeError PermissionDeniedError ResourceExhaustedError UnauthenticatedError
        UnavailableError UnimplementedError UnknownError
        ABORTED ALREADY_EXISTS CANCELLED DATA_LOSS DEADLINE_EXCEEDED FAILED_PRECONDITION INTERNAL
        INVALID_ARGUMENT NOT_FOUND OK OUT_OF_RANGE PERMISSION_DENIED RESOURCE_EXHAUSTED
        UNAUTHENTICATED UNAVAILABLE UNIMPLEMENTED UNKNOWN
    """,
    "signal": """
        dct fft fft2d fft3d fftshift frame hamming_window hann_window idct ifft ifft2d ifft3d
        ifftshift inverse_stft inverse_stft_window_fn irfft irfft2d irfft3d
        kaiser_bessel_derived_window kaiser_window linear_to_mel_weight_matrix
        mfccs_from_log_mel_spectrograms overlap_and_add rfft rfft2d rfft3d stft vorbis_window
    """,
    "lookup": """
        KeyValueTensorInitializer StaticHashTable StaticVocabularyTable TextFileIndex
        TextFileInitializer
    """,
    "sets": "difference intersection size union",
    "summary": """
        SummaryWriter audio create_file_writer create_noop_writer experimental.get_step
        experimental.set_step experimental.summary_scope flush graph histogram image record_if
        scalar should_record_summaries text trace_export trace_off trace_on write
    """,
    "train": """
        Checkpoint CheckpointManager ExponentialMovingAverage experimental.PythonState
        get_checkpoint_state latest_checkpoint list_variables load_checkpoint load_variable
    """,
    "io": """
        decode_bmp decode_gif decode_image decode_jpeg decode_png encode_png read_file write_file
    """,
    "audio": "decode_wav encode_wav",
    "io.gfile": """
        GFile copy exists glob isdir join listdir makedirs mkdir remove rename rmtree walk
    """,
    "test": "TestCase main",
}

# Namespaces whose names TensorFlow has at the top too, with the same meaning: `tf.math.exp` may be
# `rt.exp`. For other namespaces the top may have another function: `tf.strings.split`.
FLAT = frozenset({"", "bitwise", "debugging", "dtypes", "linalg", "math", "nn"})

# TensorFlow 1's names at the top, and their replacements.
MOVED: dict[str, str] = {
    "Session": "tf.compat.v1.Session(graph=...)",
    "assign": "variable.assign(value)",
    "assign_add": "variable.assign_add(value)",
    "assign_sub": "variable.assign_sub(value)",
    "get_default_graph": "tf.compat.v1.get_default_graph()",
    "global_variables_initializer": "tf.compat.v1.global_variables_initializer()",
    "placeholder": "tf.compat.v1.placeholder(dtype, shape), and a graph to put it in",
}

# Names with another path here, which starts with `rt` (runtime) or `ag` (autograph).
RENAMED: dict[str, str] = {
    # names of Python too
    "Assert": "rt.Assert",
    "bool": "rt.bool",
    "dtypes.bool": "rt.bool",
    "lookup.experimental.DenseHashTable": "rt.lookup.experimental.DenseHashTable",
    "lookup.experimental.MutableHashTable": "rt.lookup.experimental.MutableHashTable",
    "nn.experimental.stateless_dropout": "rt.nn.stateless_dropout",
    "print": "rt.print_",
    "debugging.Assert": "rt.Assert",
    "debugging.assert_equal": "rt.assert_equal",
    "assert_equal": "rt.assert_equal",
    "assert_greater": "rt.assert_greater",
    "assert_less": "rt.assert_less",
    "assert_rank": "rt.assert_rank",
    "data.experimental.INFINITE_CARDINALITY": "rt.data.INFINITE_CARDINALITY",
    "data.experimental.Optional": "rt.data.Optional",
    "data.experimental.UNKNOWN_CARDINALITY": "rt.data.UNKNOWN_CARDINALITY",
    "experimental.Optional": "rt.data.Optional",
    **{
        f"image.{name}": f"rt.io.{name}"
        for name in ("decode_bmp decode_gif decode_image decode_jpeg decode_png encode_png".split())
    },
    # short names of the top level
    "DType": "rt.DType",
    "compat.as_bytes": "rt.text_values.as_bytes",
    "compat.as_str": "rt.text_values.as_text",
    "compat.as_str_any": "rt.text_values.as_str_any",
    "compat.as_text": "rt.text_values.as_text",
    "errors.OperatorNotAllowedInGraphError": "rt.errors.SymbolicTensorError",
    "math.special.bessel_i0": "rt.math.bessel_i0",
    "math.special.bessel_i0e": "rt.math.bessel_i0e",
    "math.special.bessel_i1": "rt.math.bessel_i1",
    "math.special.bessel_i1e": "rt.math.bessel_i1e",
    "as_dtype": "rt.as_dtype",
    "as_string": "rt.strings.as_string",
    "autodiff.ForwardAccumulator": "rt.ForwardAccumulator",
    "compat.v1.gradients": "rt.gradients",
    "compat.v1.hessians": "rt.hessians",
    "experimental.dlpack.from_dlpack": "rt.from_dlpack",
    "experimental.dlpack.to_dlpack": "rt.interop.dlpack.to_dlpack",
    "eig": "rt.linalg.eig",
    "eigvals": "rt.linalg.eigvals",
    "matrix_square_root": "rt.linalg.sqrtm",
    "parallel_stack": "rt.stack",
    "constant_initializer": "rt.nn.initializers.Constant",
    "ones_initializer": "rt.nn.initializers.Ones",
    "random_normal_initializer": "rt.nn.initializers.RandomNormal",
    "random_uniform_initializer": "rt.nn.initializers.RandomUniform",
    "zeros_initializer": "rt.nn.initializers.Zeros",
    "dtypes.double": "rt.float64",
    "dtypes.half": "rt.float16",
    "dtypes.variant": "rt.variant",
    "double": "rt.float64",
    "half": "rt.float16",
    "strings.format": "rt.strings.format_",
    # tf.function and tf.autograph
    "function": "ag.function",
    "autograph.to_code": "ag.to_code",
    "autograph.to_graph": "ag.to_graph",
    "autograph.set_verbosity": "ag.set_verbosity",
    "autograph.trace": "ag.trace",
    "lite.Interpreter": "ag.exporting.lite_converter.interpreter",
    "lite.TFLiteConverter": "ag.exporting.lite_converter.TFLiteConverter",
    "saved_model.Asset": "ag.saved_model.Asset",
    "saved_model.contains_saved_model": "ag.saved_model.contains_saved_model",
    "saved_model.load": "ag.saved_model.load",
    "saved_model.save": "ag.saved_model.save",
    "autograph.experimental.Feature": "ag.Feature",
    "autograph.experimental.do_not_convert": "ag.do_not_convert",
    "autograph.experimental.set_loop_options": "ag.set_loop_options",
    "config.experimental_functions_run_eagerly": "ag.functions_run_eagerly",
    "config.experimental_run_functions_eagerly": "ag.run_functions_eagerly",
    "config.list_logical_devices": "rt.list_logical_devices",
    "config.list_physical_devices": "rt.list_physical_devices",
    "config.experimental.list_physical_devices": "rt.list_physical_devices",
    "config.functions_run_eagerly": "ag.functions_run_eagerly",
    "config.run_functions_eagerly": "ag.run_functions_eagerly",
    # Keras
    "keras.Input": "rt.nn.Input",
    "keras.Layer": "rt.nn.layers.Layer",
    "keras.Loss": "rt.nn.losses.Loss",
    "keras.Metric": "rt.nn.metrics.Metric",
    "keras.Model": "rt.nn.Model",
    "keras.Optimizer": "rt.nn.optimizers.Optimizer",
    "keras.Sequential": "rt.nn.Sequential",
    "keras.activations": "rt.nn.activations",
    "keras.backend.clear_session": "rt.nn.modules.names.forget_names",
    "keras.backend.abs": "rt.abs",
    "keras.backend.all": "rt.reduce_all",
    "keras.backend.any": "rt.reduce_any",
    "keras.backend.argmax": "rt.nn.backend.argmax",
    "keras.backend.argmin": "rt.nn.backend.argmin",
    "keras.backend.binary_crossentropy": "rt.nn.ops.neural.binary_crossentropy",
    "keras.backend.cast": "rt.cast",
    "keras.backend.categorical_crossentropy": "rt.nn.losses.categorical_crossentropy",
    "keras.backend.clip": "rt.nn.backend.clip",
    "keras.backend.concatenate": "rt.nn.backend.concatenate",
    "keras.backend.constant": "rt.constant",
    "keras.backend.cos": "rt.cos",
    "keras.backend.cumsum": "rt.cumsum",
    "keras.backend.dot": "rt.nn.backend.dot",
    "keras.backend.epsilon": "rt.nn.backend.epsilon",
    "keras.backend.equal": "rt.equal",
    "keras.backend.exp": "rt.exp",
    "keras.backend.expand_dims": "rt.expand_dims",
    "keras.backend.flatten": "rt.nn.backend.flatten",
    "keras.backend.floatx": "rt.nn.backend.floatx",
    "keras.backend.gather": "rt.gather",
    "keras.backend.get_value": "rt.nn.backend.get_value",
    "keras.backend.greater": "rt.greater",
    "keras.backend.greater_equal": "rt.greater_equal",
    "keras.backend.int_shape": "rt.nn.backend.int_shape",
    "keras.backend.is_tensor": "rt.is_tensor",
    "keras.backend.less": "rt.less",
    "keras.backend.less_equal": "rt.less_equal",
    "keras.backend.log": "rt.math.log",
    "keras.backend.max": "rt.reduce_max",
    "keras.backend.maximum": "rt.maximum",
    "keras.backend.mean": "rt.nn.backend.mean",
    "keras.backend.min": "rt.reduce_min",
    "keras.backend.minimum": "rt.minimum",
    "keras.backend.not_equal": "rt.not_equal",
    "keras.backend.one_hot": "rt.one_hot",
    "keras.backend.ones_like": "rt.ones_like",
    "keras.backend.permute_dimensions": "rt.transpose",
    "keras.backend.pow": "rt.pow",
    "keras.backend.prod": "rt.reduce_prod",
    "keras.backend.relu": "rt.nn.relu",
    "keras.backend.reshape": "rt.reshape",
    "keras.backend.round": "rt.round",
    "keras.backend.set_value": "rt.nn.backend.set_value",
    "keras.backend.shape": "rt.shape",
    "keras.backend.sigmoid": "rt.sigmoid",
    "keras.backend.sign": "rt.sign",
    "keras.backend.sin": "rt.sin",
    "keras.backend.softmax": "rt.nn.softmax",
    "keras.backend.softplus": "rt.nn.softplus",
    "keras.backend.sparse_categorical_crossentropy": "rt.nn.losses.sparse_categorical_crossentropy",
    "keras.backend.sqrt": "rt.sqrt",
    "keras.backend.square": "rt.square",
    "keras.backend.squeeze": "rt.squeeze",
    "keras.backend.stack": "rt.stack",
    "keras.backend.std": "rt.math.reduce_std",
    "keras.backend.stop_gradient": "rt.stop_gradient",
    "keras.backend.sum": "rt.reduce_sum",
    "keras.backend.tanh": "rt.tanh",
    "keras.backend.tile": "rt.tile",
    "keras.backend.transpose": "rt.transpose",
    "keras.backend.var": "rt.math.reduce_variance",
    "keras.backend.zeros_like": "rt.zeros_like",
    "keras.callbacks": "rt.nn.callbacks",
    "keras.constraints": "rt.nn.constraints",
    "keras.datasets": "rt.nn.datasets",
    "keras.initializers": "rt.nn.initializers",
    "keras.layers": "rt.nn.layers",
    "keras.losses": "rt.nn.losses",
    "keras.metrics": "rt.nn.metrics",
    "keras.models": "rt.nn.models",
    "keras.saving.register_keras_serializable": "rt.nn.models.register_keras_serializable",
    "keras.utils.register_keras_serializable": "rt.nn.models.register_keras_serializable",
    "keras.utils.set_random_seed": "rt.nn.seeds.set_random_seed",
    "keras.optimizers": "rt.nn.optimizers",
    "keras.regularizers": "rt.nn.regularizers",
    "keras.preprocessing.sequence.pad_sequences": "rt.nn.preprocessing.pad_sequences",
    "keras.utils.PyDataset": "rt.nn.PyDataset",
    "keras.utils.Sequence": "rt.nn.PyDataset",
    "keras.utils.clear_session": "rt.nn.modules.names.forget_names",
    "keras.utils.normalize": "rt.nn.preprocessing.normalize",
    "keras.utils.pad_sequences": "rt.nn.preprocessing.pad_sequences",
    "keras.utils.Progbar": "rt.nn.callbacks.progress_bar.Progbar",
    "keras.utils.split_dataset": "rt.nn.dataset_utils.split_dataset",
    "keras.utils.to_categorical": "rt.nn.preprocessing.to_categorical",
    "optimizers": "rt.nn.optimizers",
    "losses": "rt.nn.losses",
    "metrics": "rt.nn.metrics",
    "initializers": "rt.nn.initializers",
    # graphs and sessions of TensorFlow 1
    "compat.v1.AUTO_REUSE": "rt.session.AUTO_REUSE",
    "compat.v1.ConfigProto": "rt.session.ConfigProto",
    "compat.v1.Graph": "rt.Graph",
    "compat.v1.GraphKeys": "rt.session.GraphKeys",
    "compat.v1.add_to_collection": "rt.session.add_to_collection",
    "compat.v1.get_collection": "rt.session.get_collection",
    "compat.v1.GraphDef": "rt.export.GraphDef",
    "compat.v1.InteractiveSession": "rt.session.InteractiveSession",
    "compat.v1.Session": "rt.session.Session",
    "compat.v1.VariableScope": "rt.session.VariableScope",
    "compat.v1.assign": "rt.session.assign",
    "compat.v1.assign_add": "rt.session.assign_add",
    "compat.v1.assign_sub": "rt.session.assign_sub",
    "compat.v1.disable_eager_execution": "rt.session.disable_eager_execution",
    "compat.v1.disable_v2_behavior": "rt.session.disable_eager_execution",
    "compat.v1.get_default_graph": "rt.session.get_default_graph",
    "compat.v1.get_default_session": "rt.session.get_default_session",
    "compat.v1.get_variable": "rt.session.get_variable",
    "compat.v1.get_variable_scope": "rt.session.get_variable_scope",
    "compat.v1.global_variables": "rt.session.global_variables",
    "compat.v1.global_variables_initializer": "rt.session.global_variables_initializer",
    "compat.v1.initialize_all_variables": "rt.session.global_variables_initializer",
    "compat.v1.local_variables_initializer": "rt.session.no_initializer",
    "compat.v1.tables_initializer": "rt.session.no_initializer",
    "compat.v1.placeholder": "rt.session.placeholder",
    "compat.v1.placeholder_with_default": "rt.session.placeholder_with_default",
    "compat.v1.random.set_random_seed": "rt.random.set_seed",
    "compat.v1.reset_default_graph": "rt.session.reset_default_graph",
    "compat.v1.set_random_seed": "rt.random.set_seed",
    "compat.v1.train.AdagradOptimizer": "rt.session.optimizers.AdagradOptimizer",
    "compat.v1.train.AdamOptimizer": "rt.session.optimizers.AdamOptimizer",
    "compat.v1.train.GradientDescentOptimizer": "rt.session.optimizers.GradientDescentOptimizer",
    "compat.v1.train.MomentumOptimizer": "rt.session.optimizers.MomentumOptimizer",
    "compat.v1.train.Optimizer": "rt.session.optimizers.Optimizer",
    "compat.v1.train.RMSPropOptimizer": "rt.session.optimizers.RMSPropOptimizer",
    "compat.v1.train.Saver": "rt.session.Saver",
    "compat.v1.train.latest_checkpoint": "rt.train.latest_checkpoint",
    "compat.v1.train.get_global_step": "rt.session.get_global_step",
    "compat.v1.train.get_or_create_global_step": "rt.session.get_or_create_global_step",
    "compat.v1.trainable_variables": "rt.session.trainable_variables",
    "compat.v1.variable_scope": "rt.session.variable_scope",
    "compat.v1.variables_initializer": "rt.session.variables_initializer",
    "compat.v1.import_graph_def": "rt.export.import_graph_def",
    "graph_util.import_graph_def": "rt.export.import_graph_def",
    "import_graph_def": "rt.export.import_graph_def",
}
