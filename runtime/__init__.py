"""A small tensor library: eager tensors on NumPy, symbolic tensors in graphs.

import runtime as rt

rt.reduce_sum(rt.constant([1, 2, 3]) * 2)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from runtime import bitwise as bitwise
from runtime import data as data
from runtime import dtypes as dtypes
from runtime import errors as errors
from runtime import export as export
from runtime import graph as graph
from runtime import linalg as linalg
from runtime import math as math
from runtime import nest as nest
from runtime import nn as nn
from runtime import numpy_protocol as numpy_protocol
from runtime import random as random
from runtime import session as session
from runtime import strings as strings
from runtime import summary as summary
from runtime.array_value import ArrayValue as ArrayValue
from runtime.context import Origin as Origin
from runtime.context import current_recorder as current_recorder
from runtime.context import init_scope as init_scope
from runtime.context import recording as recording
from runtime.dtypes import DType as DType
from runtime.dtypes import as_dtype as as_dtype
from runtime.dtypes import bool as bool
from runtime.dtypes import complex64 as complex64
from runtime.dtypes import complex128 as complex128
from runtime.dtypes import float16 as float16
from runtime.dtypes import float32 as float32
from runtime.dtypes import float64 as float64
from runtime.dtypes import int8 as int8
from runtime.dtypes import int16 as int16
from runtime.dtypes import int32 as int32
from runtime.dtypes import int64 as int64
from runtime.dtypes import literal_dtype as literal_dtype
from runtime.dtypes import string as string
from runtime.dtypes import uint8 as uint8
from runtime.dtypes import uint16 as uint16
from runtime.dtypes import uint32 as uint32
from runtime.dtypes import uint64 as uint64
from runtime.dtypes import variant as variant
from runtime.graph.graph import Graph as Graph
from runtime.graph.structured import cond as cond
from runtime.graph.structured import switch_case as switch_case
from runtime.graph.structured import while_loop as while_loop
from runtime.ops import debugging as debugging
from runtime.ops import extremes as extremes
from runtime.ops import overloads as overloads
from runtime.ops import python_math as python_math
from runtime.ops.arithmetic import add as add
from runtime.ops.arithmetic import add_n as add_n
from runtime.ops.arithmetic import atan2 as atan2
from runtime.ops.arithmetic import clip_by_value as clip_by_value
from runtime.ops.arithmetic import divide as divide
from runtime.ops.arithmetic import floordiv as floordiv
from runtime.ops.arithmetic import floormod as floormod
from runtime.ops.arithmetic import maximum as maximum
from runtime.ops.arithmetic import minimum as minimum
from runtime.ops.arithmetic import mod as mod
from runtime.ops.arithmetic import multiply as multiply
from runtime.ops.arithmetic import pow as pow
from runtime.ops.arithmetic import saturate_cast as saturate_cast
from runtime.ops.arithmetic import subtract as subtract
from runtime.ops.arithmetic import truediv as truediv
from runtime.ops.arithmetic import truncatediv as truncatediv
from runtime.ops.combining import concat as concat
from runtime.ops.combining import pad as pad
from runtime.ops.combining import repeat as repeat
from runtime.ops.combining import reverse as reverse
from runtime.ops.combining import roll as roll
from runtime.ops.combining import split as split
from runtime.ops.combining import stack as stack
from runtime.ops.combining import tile as tile
from runtime.ops.combining import unstack as unstack
from runtime.ops.comparison import equal as equal
from runtime.ops.comparison import greater as greater
from runtime.ops.comparison import greater_equal as greater_equal
from runtime.ops.comparison import less as less
from runtime.ops.comparison import less_equal as less_equal
from runtime.ops.comparison import not_equal as not_equal
from runtime.ops.constant import cast as cast
from runtime.ops.constant import constant as constant
from runtime.ops.constant import convert_to_tensor as convert_to_tensor
from runtime.ops.constant import executing_eagerly as executing_eagerly
from runtime.ops.constant import identity as identity
from runtime.ops.constant import is_tensor as is_tensor
from runtime.ops.constant import stop_gradient as stop_gradient
from runtime.ops.creation import fill as fill
from runtime.ops.creation import linspace as linspace
from runtime.ops.creation import one_hot as one_hot
from runtime.ops.creation import ones as ones
from runtime.ops.creation import ones_like as ones_like
from runtime.ops.creation import range as range
from runtime.ops.creation import zeros as zeros
from runtime.ops.creation import zeros_like as zeros_like
from runtime.ops.cumulative import cumsum as cumsum
from runtime.ops.debugging import assert_equal as assert_equal
from runtime.ops.debugging import assert_greater as assert_greater
from runtime.ops.debugging import assert_less as assert_less
from runtime.ops.einsum import einsum as einsum
from runtime.ops.einsum import norm as norm
from runtime.ops.einsum import tensordot as tensordot
from runtime.ops.elementwise import abs as abs
from runtime.ops.elementwise import acos as acos
from runtime.ops.elementwise import asin as asin
from runtime.ops.elementwise import atan as atan
from runtime.ops.elementwise import ceil as ceil
from runtime.ops.elementwise import cos as cos
from runtime.ops.elementwise import cosh as cosh
from runtime.ops.elementwise import erf as erf
from runtime.ops.elementwise import exp as exp
from runtime.ops.elementwise import floor as floor
from runtime.ops.elementwise import log as log
from runtime.ops.elementwise import log1p as log1p
from runtime.ops.elementwise import negative as negative
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
from runtime.ops.gather import boolean_mask as boolean_mask
from runtime.ops.gather import gather as gather
from runtime.ops.gather import gather_nd as gather_nd
from runtime.ops.indexing import newaxis as newaxis
from runtime.ops.indexing import set_item as set_item
from runtime.ops.indexing import slice as slice
from runtime.ops.indexing import strided_slice as strided_slice
from runtime.ops.io import assert_ as assert_
from runtime.ops.io import numpy_function as numpy_function
from runtime.ops.io import print_ as print  # noqa: F401
from runtime.ops.io import print_ as print_
from runtime.ops.io import py_function as py_function
from runtime.ops.linalg import eye as eye
from runtime.ops.linalg import matmul as matmul
from runtime.ops.linalg import transpose as transpose
from runtime.ops.logic import logical_and as logical_and
from runtime.ops.logic import logical_not as logical_not
from runtime.ops.logic import logical_or as logical_or
from runtime.ops.logic import logical_xor as logical_xor
from runtime.ops.raising import raise_error as raise_error
from runtime.ops.reduction import argmax as argmax
from runtime.ops.reduction import argmin as argmin
from runtime.ops.reduction import reduce_all as reduce_all
from runtime.ops.reduction import reduce_any as reduce_any
from runtime.ops.reduction import reduce_logsumexp as reduce_logsumexp
from runtime.ops.reduction import reduce_max as reduce_max
from runtime.ops.reduction import reduce_mean as reduce_mean
from runtime.ops.reduction import reduce_min as reduce_min
from runtime.ops.reduction import reduce_prod as reduce_prod
from runtime.ops.reduction import reduce_sum as reduce_sum
from runtime.ops.scatter import scatter_nd as scatter_nd
from runtime.ops.scatter import tensor_scatter_nd_add as tensor_scatter_nd_add
from runtime.ops.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
from runtime.ops.selection import where as where
from runtime.ops.shape import broadcast_static_shape as broadcast_static_shape
from runtime.ops.shape import broadcast_to as broadcast_to
from runtime.ops.shape import ensure_shape as ensure_shape
from runtime.ops.shape import expand_dims as expand_dims
from runtime.ops.shape import rank as rank
from runtime.ops.shape import reshape as reshape
from runtime.ops.shape import shape as shape
from runtime.ops.shape import size as size
from runtime.ops.shape import squeeze as squeeze
from runtime.ops.sorting import argsort as argsort
from runtime.ops.sorting import sort as sort
from runtime.ops.sorting import unique as unique
from runtime.shapes import TensorShape as TensorShape
from runtime.spec import TensorSpec as TensorSpec
from runtime.tensor import EagerTensor as EagerTensor
from runtime.tensor import SymbolicTensor as SymbolicTensor
from runtime.tensor import Tensor as Tensor
from runtime.tensor_array import TensorArray as TensorArray
from runtime.variable import Variable as Variable

if TYPE_CHECKING:
    from runtime import test as test


def __getattr__(name: str) -> Any:
    """Import `rt.test` when it is first asked for: `unittest`, which it needs, is large."""
    if name == "test":
        return import_module("runtime.test")
    raise AttributeError(f"module 'runtime' has no attribute {name!r}")
