"""Mathematics: the namespace `rt.math`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import door

if TYPE_CHECKING:
    from runtime.ops.arithmetic import add as add
    from runtime.ops.arithmetic import add_n as add_n
    from runtime.ops.arithmetic import atan2 as atan2
    from runtime.ops.arithmetic import divide as divide
    from runtime.ops.arithmetic import divide_no_nan as divide_no_nan
    from runtime.ops.arithmetic import floordiv as floordiv
    from runtime.ops.arithmetic import floormod as floormod
    from runtime.ops.arithmetic import maximum as maximum
    from runtime.ops.arithmetic import minimum as minimum
    from runtime.ops.arithmetic import mod as mod
    from runtime.ops.arithmetic import multiply as multiply
    from runtime.ops.arithmetic import multiply_no_nan as multiply_no_nan
    from runtime.ops.arithmetic import pow as pow
    from runtime.ops.arithmetic import squared_difference as squared_difference
    from runtime.ops.arithmetic import subtract as subtract
    from runtime.ops.arithmetic import truediv as truediv
    from runtime.ops.arithmetic import truncatediv as truncatediv
    from runtime.ops.arithmetic import xlogy as xlogy
    from runtime.ops.bessel import bessel_i0 as bessel_i0
    from runtime.ops.bessel import bessel_i0e as bessel_i0e
    from runtime.ops.bessel import bessel_i1 as bessel_i1
    from runtime.ops.bessel import bessel_i1e as bessel_i1e
    from runtime.ops.comparison import equal as equal
    from runtime.ops.comparison import greater as greater
    from runtime.ops.comparison import greater_equal as greater_equal
    from runtime.ops.comparison import less as less
    from runtime.ops.comparison import less_equal as less_equal
    from runtime.ops.comparison import not_equal as not_equal
    from runtime.ops.complex_numbers import angle as angle
    from runtime.ops.complex_numbers import conj as conj
    from runtime.ops.complex_numbers import imag as imag
    from runtime.ops.complex_numbers import real as real
    from runtime.ops.cumulative import cumprod as cumprod
    from runtime.ops.cumulative import cumsum as cumsum
    from runtime.ops.cumulative import cumulative_logsumexp as cumulative_logsumexp
    from runtime.ops.elementwise import abs as abs
    from runtime.ops.elementwise import acos as acos
    from runtime.ops.elementwise import asin as asin
    from runtime.ops.elementwise import atan as atan
    from runtime.ops.elementwise import ceil as ceil
    from runtime.ops.elementwise import cos as cos
    from runtime.ops.elementwise import cosh as cosh
    from runtime.ops.elementwise import erf as erf
    from runtime.ops.elementwise import exp as exp
    from runtime.ops.elementwise import expm1 as expm1
    from runtime.ops.elementwise import floor as floor
    from runtime.ops.elementwise import is_finite as is_finite
    from runtime.ops.elementwise import is_inf as is_inf
    from runtime.ops.elementwise import is_nan as is_nan
    from runtime.ops.elementwise import log as log
    from runtime.ops.elementwise import log1p as log1p
    from runtime.ops.elementwise import negative as negative
    from runtime.ops.elementwise import reciprocal as reciprocal
    from runtime.ops.elementwise import round as round
    from runtime.ops.elementwise import rsqrt as rsqrt
    from runtime.ops.elementwise import sigmoid as sigmoid
    from runtime.ops.elementwise import sign as sign
    from runtime.ops.elementwise import sin as sin
    from runtime.ops.elementwise import sinh as sinh
    from runtime.ops.elementwise import sqrt as sqrt
    from runtime.ops.elementwise import square as square
    from runtime.ops.elementwise import tan as tan
    from runtime.ops.elementwise import tanh as tanh
    from runtime.ops.embedding import in_top_k as in_top_k
    from runtime.ops.error_functions import erfc as erfc
    from runtime.ops.error_functions import erfcinv as erfcinv
    from runtime.ops.error_functions import erfinv as erfinv
    from runtime.ops.error_functions import ndtri as ndtri
    from runtime.ops.gamma import digamma as digamma
    from runtime.ops.gamma import lbeta as lbeta
    from runtime.ops.gamma import lgamma as lgamma
    from runtime.ops.gamma import polygamma as polygamma
    from runtime.ops.gamma import zeta as zeta
    from runtime.ops.guarded import reciprocal_no_nan as reciprocal_no_nan
    from runtime.ops.guarded import xdivy as xdivy
    from runtime.ops.guarded import xlog1py as xlog1py
    from runtime.ops.hyperbolic import acosh as acosh
    from runtime.ops.hyperbolic import asinh as asinh
    from runtime.ops.hyperbolic import atanh as atanh
    from runtime.ops.incomplete import betainc as betainc
    from runtime.ops.incomplete import igamma as igamma
    from runtime.ops.incomplete import igammac as igammac
    from runtime.ops.logic import logical_and as logical_and
    from runtime.ops.logic import logical_not as logical_not
    from runtime.ops.logic import logical_or as logical_or
    from runtime.ops.logic import logical_xor as logical_xor
    from runtime.ops.neural import l2_normalize as l2_normalize
    from runtime.ops.neural import log_softmax as log_softmax
    from runtime.ops.neural import softmax as softmax
    from runtime.ops.neural import softplus as softplus
    from runtime.ops.neural import softsign as softsign
    from runtime.ops.norms import reduce_euclidean_norm as reduce_euclidean_norm
    from runtime.ops.polynomials import accumulate_n as accumulate_n
    from runtime.ops.polynomials import is_non_decreasing as is_non_decreasing
    from runtime.ops.polynomials import is_strictly_increasing as is_strictly_increasing
    from runtime.ops.polynomials import log_sigmoid as log_sigmoid
    from runtime.ops.polynomials import polyval as polyval
    from runtime.ops.polynomials import scalar_mul as scalar_mul
    from runtime.ops.polynomials import zero_fraction as zero_fraction
    from runtime.ops.reduction import argmax as argmax
    from runtime.ops.reduction import argmin as argmin
    from runtime.ops.reduction import count_nonzero as count_nonzero
    from runtime.ops.reduction import reduce_all as reduce_all
    from runtime.ops.reduction import reduce_any as reduce_any
    from runtime.ops.reduction import reduce_logsumexp as reduce_logsumexp
    from runtime.ops.reduction import reduce_max as reduce_max
    from runtime.ops.reduction import reduce_mean as reduce_mean
    from runtime.ops.reduction import reduce_min as reduce_min
    from runtime.ops.reduction import reduce_prod as reduce_prod
    from runtime.ops.reduction import reduce_std as reduce_std
    from runtime.ops.reduction import reduce_sum as reduce_sum
    from runtime.ops.reduction import reduce_variance as reduce_variance
    from runtime.ops.remainders import nextafter as nextafter
    from runtime.ops.remainders import rint as rint
    from runtime.ops.searching import invert_permutation as invert_permutation
    from runtime.ops.segments import segment_max as segment_max
    from runtime.ops.segments import segment_mean as segment_mean
    from runtime.ops.segments import segment_min as segment_min
    from runtime.ops.segments import segment_prod as segment_prod
    from runtime.ops.segments import segment_sum as segment_sum
    from runtime.ops.segments import unsorted_segment_max as unsorted_segment_max
    from runtime.ops.segments import unsorted_segment_mean as unsorted_segment_mean
    from runtime.ops.segments import unsorted_segment_min as unsorted_segment_min
    from runtime.ops.segments import unsorted_segment_prod as unsorted_segment_prod
    from runtime.ops.segments import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
    from runtime.ops.segments import unsorted_segment_sum as unsorted_segment_sum
    from runtime.ops.sorting import top_k as top_k
    from runtime.ops.tallies import bincount as bincount
    from runtime.ops.tallies import confusion_matrix as confusion_matrix
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.ops.arithmetic": (
                "add add_n atan2 divide divide_no_nan floordiv floormod maximum minimum mod "
                "multiply multiply_no_nan pow squared_difference subtract truediv truncatediv "
                "xlogy"
            ),
            "runtime.ops.bessel": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e",
            "runtime.ops.comparison": "equal greater greater_equal less less_equal not_equal",
            "runtime.ops.complex_numbers": "angle conj imag real",
            "runtime.ops.cumulative": "cumprod cumsum cumulative_logsumexp",
            "runtime.ops.elementwise": (
                "abs acos asin atan ceil cos cosh erf exp expm1 floor is_finite is_inf is_nan "
                "log log1p negative reciprocal round rsqrt sigmoid sign sin sinh sqrt square "
                "tan tanh"
            ),
            "runtime.ops.embedding": "in_top_k",
            "runtime.ops.error_functions": "erfc erfcinv erfinv ndtri",
            "runtime.ops.gamma": "digamma lbeta lgamma polygamma zeta",
            "runtime.ops.guarded": "reciprocal_no_nan xdivy xlog1py",
            "runtime.ops.hyperbolic": "acosh asinh atanh",
            "runtime.ops.incomplete": "betainc igamma igammac",
            "runtime.ops.logic": "logical_and logical_not logical_or logical_xor",
            "runtime.ops.neural": "l2_normalize log_softmax softmax softplus softsign",
            "runtime.ops.norms": "reduce_euclidean_norm",
            "runtime.ops.polynomials": (
                "accumulate_n is_non_decreasing is_strictly_increasing log_sigmoid polyval "
                "scalar_mul zero_fraction"
            ),
            "runtime.ops.reduction": (
                "argmax argmin count_nonzero reduce_all reduce_any reduce_logsumexp reduce_max "
                "reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance"
            ),
            "runtime.ops.remainders": "nextafter rint",
            "runtime.ops.searching": "invert_permutation",
            "runtime.ops.segments": (
                "segment_max segment_mean segment_min segment_prod segment_sum "
                "unsorted_segment_max unsorted_segment_mean unsorted_segment_min "
                "unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum"
            ),
            "runtime.ops.sorting": "top_k",
            "runtime.ops.tallies": "bincount confusion_matrix",
        },
    )
