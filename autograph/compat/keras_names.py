"""Table of the names of `tf.keras` whose counterparts are in other modules here."""

from __future__ import annotations

from runtime.core.name_suggestions import RENAMED_FROM_NUMPY

# The functions of `keras.ops` that have the same name here, by module.
_SAME = {
    "rt": """
        abs add argsort broadcast_to cast ceil cond convert_to_tensor cos cosh custom_gradient
        einsum equal erf exp expand_dims eye floor greater greater_equal is_tensor jvp
        less less_equal linspace log log1p logical_and logical_not logical_or logical_xor matmul
        maximum meshgrid minimum mod multiply negative norm not_equal ones ones_like repeat
        reshape round rsqrt saturate_cast searchsorted sigmoid sign sin sinh size slice sort
        sqrt square squeeze stack stop_gradient subtract tan tanh tensordot tile transpose
        unravel_index unstack vectorized_map where while_loop zeros zeros_like
    """,
    "rt.math": """
        angle bincount conj cumprod divide_no_nan erfc erfinv expm1 imag
        log_softmax real reciprocal segment_max segment_sum softmax softplus softsign top_k
    """,
    "rt.nn": "moments depth_to_space space_to_depth",
    "rt.nn.activations": """
        celu elu glu hard_shrink hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu
        log_sigmoid relu relu6 selu silu soft_shrink sparse_plus sparse_sigmoid squareplus swish
        tanh_shrink threshold
    """,
    "rt.nn.ops.elementwise": """
        allclose cbrt deg2rad divide exp2 fabs fmax fmin fmod heaviside hypot isclose isin
        isneginf isposinf isreal log10 log2 logaddexp logaddexp2 nan_to_num rad2deg signbit sinc
        trunc
    """,
    "rt.nn.ops.statistics": """
        argmax argmin average count_nonzero cumsum diff digitize histogram mean median nanmax
        nanmean nanmin nanprod nanstd nansum nanvar normalize percentile ptp quantile trapezoid
    """,
    "rt.nn.ops.creation": """
        diagflat empty empty_like full full_like tri tril triu vander
    """,
    "rt.nn.ops.manipulation": """
        append array_split concatenate convert_to_numpy copy diagonal dstack dtype
        extract_sequences flip fliplr flipud get_item hstack moveaxis ndim nonzero pad ravel
        roll rot90 scatter scatter_update select shape slice_update split swapaxes take
        take_along_axis vstack
    """,
    "rt.nn.ops.linalg": """
        inner kron outer solve_triangular vdot
    """,
    "rt.nn.ops.segments": """
        segment_min segment_prod
    """,
    "rt.nn.ops.fourier": """
        fft fft2 ifft2 irfft rfft view_as_complex
    """,
    "rt.nn.ops.neural": """
        average_pool batch_normalization binary_crossentropy conv dot_product_attention gelu
        in_top_k layer_normalization max_pool multi_hot one_hot rms_normalization
    """,
    "rt.nn.ops.control_flow": """
        associative_scan fori_loop scan switch
    """,
    "rt.nn.backend": "clip dot",
    "rt.nn.losses": "categorical_crossentropy sparse_categorical_crossentropy",
    "rt.linalg": """
        cholesky cross det diag eigh inv logdet lstsq matrix_rank pinv qr slogdet solve svd trace
    """,
}
# The functions of `keras.ops` that have another name here.
_RENAMED = {
    **RENAMED_FROM_NUMPY,
    "array": "rt.convert_to_tensor",
    "bitwise_and": "rt.bitwise.bitwise_and",
    "bitwise_invert": "rt.bitwise.invert",
    "bitwise_left_shift": "rt.bitwise.left_shift",
    "bitwise_not": "rt.bitwise.invert",
    "bitwise_or": "rt.bitwise.bitwise_or",
    "bitwise_right_shift": "rt.bitwise.right_shift",
    "bitwise_xor": "rt.bitwise.bitwise_xor",
    "conjugate": "rt.math.conj",
    "floor_divide": "rt.floordiv",
    "identity": "rt.eye",
    "isfinite": "rt.math.is_finite",
    "isinf": "rt.math.is_inf",
    "isnan": "rt.math.is_nan",
    "left_shift": "rt.bitwise.left_shift",
    "logspace": "rt.nn.ops.creation.logspace",
    "logsumexp": "rt.reduce_logsumexp",
    "map": "rt.map_fn",
    "right_shift": "rt.bitwise.right_shift",
    "sparsemax": "rt.nn.activations.sparsemax",
    "true_divide": "rt.nn.ops.elementwise.divide",
}
_RANDOM = """
    SeedGenerator binomial categorical dropout gamma normal randint shuffle truncated_normal
    uniform
"""
_SERIES = "timeseries_dataset_from_array"
_SETTINGS = """
    backend epsilon floatx image_data_format set_epsilon set_floatx set_image_data_format
"""
_CLASSES = {
    "keras.backend.get_uid": "rt.nn.backend.get_uid",
    "keras.DTypePolicy": "rt.nn.layers.dtype_policy.DTypePolicy",
    "keras.InputSpec": "rt.nn.layers.InputSpec",
    "keras.Initializer": "rt.nn.initializers.Initializer",
    "keras.KerasTensor": "rt.nn.layers.symbolic.KerasTensor",
    "keras.Regularizer": "rt.nn.regularizers.Regularizer",
    "keras.name_scope": "rt.name_scope",
    "keras.saving.load_model": "rt.nn.models.load_model",
    "keras.saving.save_model": "rt.nn.models.save_model",
    "keras.utils.pack_x_y_sample_weight": "rt.nn.training.batches.packed",
    "keras.Variable": "rt.nn.keras_variable.KerasVariable",
    "keras.saving.CustomObjectScope": "rt.nn.models.custom_object_scope",
    "keras.saving.custom_object_scope": "rt.nn.models.custom_object_scope",
    "keras.utils.CustomObjectScope": "rt.nn.models.custom_object_scope",
    "keras.utils.custom_object_scope": "rt.nn.models.custom_object_scope",
    "keras.utils.unpack_x_y_sample_weight": "rt.nn.training.batches.unpacked",
}

_SERIALIZATION = """
    deserialize_keras_object get_custom_objects get_registered_name get_registered_object
    serialize_keras_object
"""

KERAS = {
    **_CLASSES,
    **{
        f"keras.{module}.{name}": f"rt.nn.models.{name}"
        for module in ("saving", "utils")
        for name in _SERIALIZATION.split()
    },
    **{f"keras.ops.{name}": f"{at}.{name}" for at, some in _SAME.items() for name in some.split()},
    **{f"keras.ops.{name}": target for name, target in _RENAMED.items()},
    **{f"keras.backend.{name}": f"rt.nn.backend.{name}" for name in _SETTINGS.split()},
    **{f"keras.config.{name}": f"rt.nn.backend.{name}" for name in _SETTINGS.split()},
    **{
        f"keras.{module}.{_SERIES}": f"rt.nn.dataset_utils.{_SERIES}"
        for module in ("utils", "preprocessing")
    },
    **{f"keras.random.{name}": f"rt.nn.random.{name}" for name in _RANDOM.split()},
}
