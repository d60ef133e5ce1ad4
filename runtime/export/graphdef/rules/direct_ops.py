"""Ops that lower to one node with the same inputs."""

from __future__ import annotations

DIRECT = frozenset(
    (
        # runtime/ops/elementwise/unary.py
        *("negative", "sign", "floor", "ceil", "round", "square", "sqrt", "rsqrt", "reciprocal"),
        *("exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh"),
        *("cosh", "tanh", "sigmoid", "erf", "is_nan", "is_inf", "is_finite"),
        # runtime/ops/elementwise/arithmetic.py
        *("subtract", "multiply", "divide", "divide_no_nan", "multiply_no_nan", "floormod"),
        *("pow", "maximum", "minimum", "atan2", "xlogy", "squared_difference"),
        # runtime/ops/elementwise/comparison.py, logic.py, selection.py
        *("less", "less_equal", "greater", "greater_equal", "select"),
        *("logical_and", "logical_or", "logical_not"),
        *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"),
        # runtime/ops/gradient_rules.py, arrays/sharding.py, arrays/shape.py, linalg/matrices.py,
        # neural/activations.py
        *("stop_gradient", "shard", "rank", "matrix_determinant", "cholesky"),
        *("relu", "relu6", "elu", "softplus", "softsign"),
        # runtime/ops/text/strings.py
        "string_strip",
        # mathematics: runtime/ops/elementwise/complex_numbers.py, hyperbolic.py, gamma.py, ...
        *("conj", "acosh", "asinh", "atanh", "erfc", "erfinv", "ndtri", "lgamma", "digamma"),
        *("polygamma", "zeta", "igamma", "igammac", "igamma_grad", "bessel_i0", "bessel_i1"),
        *("bessel_i0e", "bessel_i1e", "xdivy", "xlog1py", "truncatemod", "nextafter"),
        # runtime/ops/linalg/matrix_functions.py
        "matrix_square_root",
        # runtime/ops/arrays/searching.py, runtime/ops/effects/clock.py
        *("invert_permutation", "unravel_index", "timestamp"),
        # runtime/ops/files/contents.py, wav.py
        *("read_file", "write_file", "encode_wav"),
    )
)
