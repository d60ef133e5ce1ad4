"""Ops that are one node of the same inputs, and what nodes are called where not after their op."""

from __future__ import annotations

from types import MappingProxyType

DIRECT = frozenset(
    (
        # runtime/ops/elementwise.py
        *("negative", "sign", "floor", "ceil", "round", "square", "sqrt", "rsqrt", "reciprocal"),
        *("exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh"),
        *("cosh", "tanh", "sigmoid", "erf", "is_nan", "is_inf", "is_finite"),
        # runtime/ops/arithmetic.py
        *("subtract", "multiply", "divide", "divide_no_nan", "multiply_no_nan", "floormod"),
        *("pow", "maximum", "minimum", "atan2", "xlogy", "squared_difference"),
        # runtime/ops/comparison.py, logic.py, selection.py
        *("less", "less_equal", "greater", "greater_equal", "select"),
        *("logical_and", "logical_or", "logical_not"),
        *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"),
        # runtime/ops/gradient.py, shape.py, linalg.py, neural.py
        *("stop_gradient", "rank", "matrix_determinant", "cholesky"),
        *("relu", "relu6", "elu", "softplus", "softsign"),
        # runtime/ops/strings.py
        "string_strip",
        # mathematics: runtime/ops/complex_numbers.py, hyperbolic.py, gamma.py, ...
        *("conj", "acosh", "asinh", "atanh", "erfc", "erfinv", "ndtri", "lgamma", "digamma"),
        *("polygamma", "zeta", "igamma", "igammac", "igamma_slope", "bessel_i0", "bessel_i1"),
        *("bessel_i0e", "bessel_i1e", "xdivy", "xlog1py", "truncatemod", "nextafter"),
        # runtime/ops/matrix_functions.py
        "matrix_square_root",
        # runtime/ops/searching.py, clock.py
        *("invert_permutation", "unravel_index", "timestamp"),
    )
)

# As TensorFlow calls what its functions and operators make.
BASE_NAMES = MappingProxyType(
    {
        "add": "add",
        "subtract": "sub",
        "multiply": "mul",
        "divide": "truediv",
        "python_divide": "truediv",
        "floordiv": "floordiv",
        "floormod": "mod",
        "pow": "pow",
        "cond": "cond",
        "while_loop": "while",
        "switch_case": "switch_case",
        "function_call": "PartitionedCall",
        "stack": "stack",
        "unstack": "unstack",
        "concat": "concat",
        "split": "split",
        "strided_slice": "strided_slice",
        "transpose": "transpose",
        "range": "range",
        "one_hot": "one_hot",
        "fill": "Fill",
        "zeros_like": "zeros_like",
        "ones_like": "ones_like",
        "diag": "diag",
        "diag_part": "diag_part",
        "clip_by_value": "clip_by_value",
        "repeat": "Repeat",
        "print": "PrintV2",
        "assert": "Assert",
        "check": "Assert",
        "refuse": "Assert",
        "raise": "Assert",
        "list_append": "TensorListPushBack",
        "list_get": "TensorListGetItem",
        "list_set": "TensorListSetItem",
        "list_length": "TensorListLength",
        "list_of": "TensorList",
        "list_pop": "TensorListPopBack",
        "list_concat": "TensorListConcatV2",
        "tensor_array_size": "TensorListLength",
        "list_stack": "TensorListStack",
        "tensor_array": "TensorArray",
        "tensor_array_write": "TensorArrayWrite",
        "tensor_array_read": "TensorArrayRead",
    }
)
