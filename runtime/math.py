"""Mathematics: the namespace `rt.math`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.ops.arrays.cumulative import cumprod as cumprod
    from runtime.ops.arrays.cumulative import cumsum as cumsum
    from runtime.ops.arrays.cumulative import cumulative_logsumexp as cumulative_logsumexp
    from runtime.ops.arrays.histograms import bincount as bincount
    from runtime.ops.arrays.histograms import confusion_matrix as confusion_matrix
    from runtime.ops.arrays.reduction import argmax as argmax
    from runtime.ops.arrays.reduction import argmin as argmin
    from runtime.ops.arrays.reduction import count_nonzero as count_nonzero
    from runtime.ops.arrays.reduction import reduce_all as reduce_all
    from runtime.ops.arrays.reduction import reduce_any as reduce_any
    from runtime.ops.arrays.reduction import reduce_logsumexp as reduce_logsumexp
    from runtime.ops.arrays.reduction import reduce_max as reduce_max
    from runtime.ops.arrays.reduction import reduce_mean as reduce_mean
    from runtime.ops.arrays.reduction import reduce_min as reduce_min
    from runtime.ops.arrays.reduction import reduce_prod as reduce_prod
    from runtime.ops.arrays.reduction import reduce_std as reduce_std
    from runtime.ops.arrays.reduction import reduce_sum as reduce_sum
    from runtime.ops.arrays.reduction import reduce_variance as reduce_variance
    from runtime.ops.arrays.searching import invert_permutation as invert_permutation
    from runtime.ops.arrays.segments import segment_max as segment_max
    from runtime.ops.arrays.segments import segment_mean as segment_mean
    from runtime.ops.arrays.segments import segment_min as segment_min
    from runtime.ops.arrays.segments import segment_prod as segment_prod
    from runtime.ops.arrays.segments import segment_sum as segment_sum
    from runtime.ops.arrays.segments import unsorted_segment_max as unsorted_segment_max
    from runtime.ops.arrays.segments import unsorted_segment_mean as unsorted_segment_mean
    from runtime.ops.arrays.segments import unsorted_segment_min as unsorted_segment_min
    from runtime.ops.arrays.segments import unsorted_segment_prod as unsorted_segment_prod
    from runtime.ops.arrays.segments import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
    from runtime.ops.arrays.segments import unsorted_segment_sum as unsorted_segment_sum
    from runtime.ops.arrays.sorting import in_top_k as in_top_k
    from runtime.ops.arrays.sorting import top_k as top_k
    from runtime.ops.elementwise.arithmetic import add as add
    from runtime.ops.elementwise.arithmetic import add_n as add_n
    from runtime.ops.elementwise.arithmetic import atan2 as atan2
    from runtime.ops.elementwise.arithmetic import divide as divide
    from runtime.ops.elementwise.arithmetic import divide_no_nan as divide_no_nan
    from runtime.ops.elementwise.arithmetic import floordiv as floordiv
    from runtime.ops.elementwise.arithmetic import floormod as floormod
    from runtime.ops.elementwise.arithmetic import maximum as maximum
    from runtime.ops.elementwise.arithmetic import minimum as minimum
    from runtime.ops.elementwise.arithmetic import mod as mod
    from runtime.ops.elementwise.arithmetic import multiply as multiply
    from runtime.ops.elementwise.arithmetic import multiply_no_nan as multiply_no_nan
    from runtime.ops.elementwise.arithmetic import nextafter as nextafter
    from runtime.ops.elementwise.arithmetic import pow as pow
    from runtime.ops.elementwise.arithmetic import squared_difference as squared_difference
    from runtime.ops.elementwise.arithmetic import subtract as subtract
    from runtime.ops.elementwise.arithmetic import truediv as truediv
    from runtime.ops.elementwise.arithmetic import truncatediv as truncatediv
    from runtime.ops.elementwise.arithmetic import xlogy as xlogy
    from runtime.ops.elementwise.bessel import bessel_i0 as bessel_i0
    from runtime.ops.elementwise.bessel import bessel_i0e as bessel_i0e
    from runtime.ops.elementwise.bessel import bessel_i1 as bessel_i1
    from runtime.ops.elementwise.bessel import bessel_i1e as bessel_i1e
    from runtime.ops.elementwise.comparison import equal as equal
    from runtime.ops.elementwise.comparison import greater as greater
    from runtime.ops.elementwise.comparison import greater_equal as greater_equal
    from runtime.ops.elementwise.comparison import less as less
    from runtime.ops.elementwise.comparison import less_equal as less_equal
    from runtime.ops.elementwise.comparison import not_equal as not_equal
    from runtime.ops.elementwise.complex_numbers import angle as angle
    from runtime.ops.elementwise.complex_numbers import conj as conj
    from runtime.ops.elementwise.complex_numbers import imag as imag
    from runtime.ops.elementwise.complex_numbers import real as real
    from runtime.ops.elementwise.composites import accumulate_n as accumulate_n
    from runtime.ops.elementwise.composites import is_non_decreasing as is_non_decreasing
    from runtime.ops.elementwise.composites import is_strictly_increasing as is_strictly_increasing
    from runtime.ops.elementwise.composites import log_sigmoid as log_sigmoid
    from runtime.ops.elementwise.composites import polyval as polyval
    from runtime.ops.elementwise.composites import scalar_mul as scalar_mul
    from runtime.ops.elementwise.composites import zero_fraction as zero_fraction
    from runtime.ops.elementwise.error_functions import erfc as erfc
    from runtime.ops.elementwise.error_functions import erfcinv as erfcinv
    from runtime.ops.elementwise.error_functions import erfinv as erfinv
    from runtime.ops.elementwise.error_functions import ndtri as ndtri
    from runtime.ops.elementwise.gamma import digamma as digamma
    from runtime.ops.elementwise.gamma import lbeta as lbeta
    from runtime.ops.elementwise.gamma import lgamma as lgamma
    from runtime.ops.elementwise.gamma import polygamma as polygamma
    from runtime.ops.elementwise.gamma import zeta as zeta
    from runtime.ops.elementwise.hyperbolic import acosh as acosh
    from runtime.ops.elementwise.hyperbolic import asinh as asinh
    from runtime.ops.elementwise.hyperbolic import atanh as atanh
    from runtime.ops.elementwise.incomplete_gamma import betainc as betainc
    from runtime.ops.elementwise.incomplete_gamma import igamma as igamma
    from runtime.ops.elementwise.incomplete_gamma import igammac as igammac
    from runtime.ops.elementwise.logic import logical_and as logical_and
    from runtime.ops.elementwise.logic import logical_not as logical_not
    from runtime.ops.elementwise.logic import logical_or as logical_or
    from runtime.ops.elementwise.logic import logical_xor as logical_xor
    from runtime.ops.elementwise.unary import abs as abs
    from runtime.ops.elementwise.unary import acos as acos
    from runtime.ops.elementwise.unary import asin as asin
    from runtime.ops.elementwise.unary import atan as atan
    from runtime.ops.elementwise.unary import ceil as ceil
    from runtime.ops.elementwise.unary import cos as cos
    from runtime.ops.elementwise.unary import cosh as cosh
    from runtime.ops.elementwise.unary import erf as erf
    from runtime.ops.elementwise.unary import exp as exp
    from runtime.ops.elementwise.unary import expm1 as expm1
    from runtime.ops.elementwise.unary import floor as floor
    from runtime.ops.elementwise.unary import is_finite as is_finite
    from runtime.ops.elementwise.unary import is_inf as is_inf
    from runtime.ops.elementwise.unary import is_nan as is_nan
    from runtime.ops.elementwise.unary import log as log
    from runtime.ops.elementwise.unary import log1p as log1p
    from runtime.ops.elementwise.unary import negative as negative
    from runtime.ops.elementwise.unary import reciprocal as reciprocal
    from runtime.ops.elementwise.unary import rint as rint
    from runtime.ops.elementwise.unary import round as round
    from runtime.ops.elementwise.unary import rsqrt as rsqrt
    from runtime.ops.elementwise.unary import sigmoid as sigmoid
    from runtime.ops.elementwise.unary import sign as sign
    from runtime.ops.elementwise.unary import sin as sin
    from runtime.ops.elementwise.unary import sinh as sinh
    from runtime.ops.elementwise.unary import sqrt as sqrt
    from runtime.ops.elementwise.unary import square as square
    from runtime.ops.elementwise.unary import tan as tan
    from runtime.ops.elementwise.unary import tanh as tanh
    from runtime.ops.elementwise.zero_safe import reciprocal_no_nan as reciprocal_no_nan
    from runtime.ops.elementwise.zero_safe import xdivy as xdivy
    from runtime.ops.elementwise.zero_safe import xlog1py as xlog1py
    from runtime.ops.linalg.norms import l2_normalize as l2_normalize
    from runtime.ops.linalg.norms import reduce_euclidean_norm as reduce_euclidean_norm
    from runtime.ops.neural.activations import softplus as softplus
    from runtime.ops.neural.activations import softsign as softsign
    from runtime.ops.neural.softmax import log_softmax as log_softmax
    from runtime.ops.neural.softmax import softmax as softmax
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.ops.elementwise.bessel": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e",
            "runtime.ops.elementwise.comparison": (
                "equal greater greater_equal less less_equal not_equal"
            ),
            "runtime.ops.elementwise.complex_numbers": "angle conj imag real",
            "runtime.ops.arrays.cumulative": "cumprod cumsum cumulative_logsumexp",
            "runtime.ops.elementwise.error_functions": "erfc erfcinv erfinv ndtri",
            "runtime.ops.elementwise.gamma": "digamma lbeta lgamma polygamma zeta",
            "runtime.ops.elementwise.zero_safe": "reciprocal_no_nan xdivy xlog1py",
            "runtime.ops.elementwise.hyperbolic": "acosh asinh atanh",
            "runtime.ops.elementwise.incomplete_gamma": "betainc igamma igammac",
            "runtime.ops.elementwise.logic": "logical_and logical_not logical_or logical_xor",
            "runtime.ops.neural.softmax": "log_softmax softmax",
            "runtime.ops.neural.activations": "softplus softsign",
            "runtime.ops.linalg.norms": "l2_normalize reduce_euclidean_norm",
            "runtime.ops.elementwise.composites": (
                "accumulate_n is_non_decreasing is_strictly_increasing log_sigmoid polyval "
                "scalar_mul zero_fraction"
            ),
            "runtime.ops.arrays.reduction": (
                "argmax argmin count_nonzero reduce_all reduce_any reduce_logsumexp reduce_max "
                "reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance"
            ),
            "runtime.ops.elementwise.arithmetic": (
                "add add_n atan2 divide divide_no_nan floordiv floormod maximum minimum mod "
                "multiply multiply_no_nan nextafter pow squared_difference subtract truediv "
                "truncatediv xlogy"
            ),
            "runtime.ops.elementwise.unary": (
                "abs acos asin atan ceil cos cosh erf exp expm1 floor is_finite is_inf is_nan "
                "log log1p negative reciprocal rint round rsqrt sigmoid sign sin sinh sqrt "
                "square tan tanh"
            ),
            "runtime.ops.arrays.searching": "invert_permutation",
            "runtime.ops.arrays.segments": (
                "segment_max segment_mean segment_min segment_prod segment_sum "
                "unsorted_segment_max unsorted_segment_mean unsorted_segment_min "
                "unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum"
            ),
            "runtime.ops.arrays.sorting": "in_top_k top_k",
            "runtime.ops.arrays.histograms": "bincount confusion_matrix",
        },
    )
