"""A small tensor library: eager tensors on NumPy, symbolic tensors in graphs.

import autograph.runtime as rt

rt.reduce_sum(rt.constant([1, 2, 3]) * 2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.shadowing import check_autograph as _check_autograph

_check_autograph()

# ruff: noqa: E402  (the check comes first)
from runtime.core import dtypes as dtypes
from runtime.core import errstate as _errstate  # noqa: F401  (keeps the memory of arrays for others)
from runtime.core.array_value import ArrayValue as ArrayValue
from runtime.core.context import Origin as Origin
from runtime.core.context import current_recorder as current_recorder
from runtime.core.context import recording as recording
from runtime.core.creation_hooks import init_scope as init_scope
from runtime.core.dtypes import DType as DType
from runtime.core.dtypes import as_dtype as as_dtype
from runtime.core.dtypes import bfloat16 as bfloat16
from runtime.core.dtypes import bool as bool
from runtime.core.dtypes import complex64 as complex64
from runtime.core.dtypes import complex128 as complex128
from runtime.core.dtypes import float16 as float16
from runtime.core.dtypes import float32 as float32
from runtime.core.dtypes import float64 as float64
from runtime.core.dtypes import int8 as int8
from runtime.core.dtypes import int16 as int16
from runtime.core.dtypes import int32 as int32
from runtime.core.dtypes import int64 as int64
from runtime.core.dtypes import literal_dtype as literal_dtype
from runtime.core.dtypes import string as string
from runtime.core.dtypes import uint8 as uint8
from runtime.core.dtypes import uint16 as uint16
from runtime.core.dtypes import uint32 as uint32
from runtime.core.dtypes import uint64 as uint64
from runtime.core.dtypes import variant as variant
from runtime.core.lazy_imports import after_import as _after_import
from runtime.core.lazy_imports import lazy_attributes, load_module
from runtime.core.lazy_imports import lazy_import as _lazy_import
from runtime.core.shapes import TensorShape as TensorShape
from runtime.core.spec import TensorSpec as TensorSpec
from runtime.core.tensor import EagerTensor as EagerTensor
from runtime.core.tensor import SymbolicTensor as SymbolicTensor
from runtime.core.tensor import Tensor as Tensor
from runtime.core.uncaught_errors import (
    show_users_part_of_errors as _show_users_part_of_errors,
)

__version__ = "0.2.0"

_show_users_part_of_errors()
_after_import("jax", _lazy_import("runtime.executors.jax.operands:register"))

if TYPE_CHECKING:
    from runtime import array_api as array_api
    from runtime import audio as audio
    from runtime import bitwise as bitwise
    from runtime import config as config
    from runtime import data as data
    from runtime import debugging as debugging
    from runtime import errors as errors
    from runtime import export as export
    from runtime import graph as graph
    from runtime import io as io
    from runtime import linalg as linalg
    from runtime import lookup as lookup
    from runtime import math as math
    from runtime import nest as nest
    from runtime import nn as nn
    from runtime import random as random
    from runtime import session as session
    from runtime import sets as sets
    from runtime import signal as signal
    from runtime import strings as strings
    from runtime import summary as summary
    from runtime import test as test
    from runtime import train as train
    from runtime import typing as typing
    from runtime.autodiff.custom_gradient import custom_gradient as custom_gradient
    from runtime.autodiff.custom_gradient import recompute_grad as recompute_grad
    from runtime.autodiff.forward_mode import ForwardAccumulator as ForwardAccumulator
    from runtime.autodiff.graph_gradients import gradients as gradients
    from runtime.autodiff.graph_gradients import hessians as hessians
    from runtime.autodiff.higher_order import grad as grad
    from runtime.autodiff.higher_order import hessian as hessian
    from runtime.autodiff.higher_order import hvp as hvp
    from runtime.autodiff.higher_order import jacobian as jacobian
    from runtime.autodiff.higher_order import jvp as jvp
    from runtime.autodiff.higher_order import value_and_grad as value_and_grad
    from runtime.autodiff.higher_order import vjp as vjp
    from runtime.autodiff.tape import GradientTape as GradientTape
    from runtime.autodiff.unconnected_gradients import UnconnectedGradients as UnconnectedGradients
    from runtime.core.devices import list_logical_devices as list_logical_devices
    from runtime.core.devices import list_physical_devices as list_physical_devices
    from runtime.core.name_scopes import name_scope as name_scope
    from runtime.distribute.mesh import devices as devices
    from runtime.graph.functional_ops import case as case
    from runtime.graph.functional_ops import foldl as foldl
    from runtime.graph.functional_ops import foldr as foldr
    from runtime.graph.functional_ops import map_fn as map_fn
    from runtime.graph.functional_ops import scan as scan
    from runtime.graph.functional_ops import vectorized_map as vectorized_map
    from runtime.graph.graph import Graph as Graph
    from runtime.graph.structured_control_flow import cond as cond
    from runtime.graph.structured_control_flow import switch_case as switch_case
    from runtime.graph.structured_control_flow import while_loop as while_loop
    from runtime.interop.dlpack import from_dlpack as from_dlpack
    from runtime.nn.modules.module import Module as Module
    from runtime.ops.arrays.concatenation import concat as concat
    from runtime.ops.arrays.concatenation import repeat as repeat
    from runtime.ops.arrays.concatenation import reverse as reverse
    from runtime.ops.arrays.concatenation import roll as roll
    from runtime.ops.arrays.concatenation import split as split
    from runtime.ops.arrays.concatenation import stack as stack
    from runtime.ops.arrays.concatenation import tile as tile
    from runtime.ops.arrays.concatenation import unstack as unstack
    from runtime.ops.arrays.creation import fill as fill
    from runtime.ops.arrays.creation import linspace as linspace
    from runtime.ops.arrays.creation import one_hot as one_hot
    from runtime.ops.arrays.creation import ones as ones
    from runtime.ops.arrays.creation import ones_like as ones_like
    from runtime.ops.arrays.creation import range as range
    from runtime.ops.arrays.creation import zeros as zeros
    from runtime.ops.arrays.creation import zeros_like as zeros_like
    from runtime.ops.arrays.cumulative import cumsum as cumsum
    from runtime.ops.arrays.gather import boolean_mask as boolean_mask
    from runtime.ops.arrays.gather import gather as gather
    from runtime.ops.arrays.gather import gather_nd as gather_nd
    from runtime.ops.arrays.grids import meshgrid as meshgrid
    from runtime.ops.arrays.grids import sequence_mask as sequence_mask
    from runtime.ops.arrays.histograms import histogram_fixed_width as histogram_fixed_width
    from runtime.ops.arrays.histograms import (
        histogram_fixed_width_bins as histogram_fixed_width_bins,
    )
    from runtime.ops.arrays.indexed_slices import IndexedSlices as IndexedSlices
    from runtime.ops.arrays.indexing import newaxis as newaxis
    from runtime.ops.arrays.indexing import set_item as set_item
    from runtime.ops.arrays.indexing import slice as slice
    from runtime.ops.arrays.indexing import strided_slice as strided_slice
    from runtime.ops.arrays.padding import pad as pad
    from runtime.ops.arrays.partitions import dynamic_partition as dynamic_partition
    from runtime.ops.arrays.partitions import dynamic_stitch as dynamic_stitch
    from runtime.ops.arrays.reduction import argmax as argmax
    from runtime.ops.arrays.reduction import argmin as argmin
    from runtime.ops.arrays.reduction import reduce_all as reduce_all
    from runtime.ops.arrays.reduction import reduce_any as reduce_any
    from runtime.ops.arrays.reduction import reduce_logsumexp as reduce_logsumexp
    from runtime.ops.arrays.reduction import reduce_max as reduce_max
    from runtime.ops.arrays.reduction import reduce_mean as reduce_mean
    from runtime.ops.arrays.reduction import reduce_min as reduce_min
    from runtime.ops.arrays.reduction import reduce_prod as reduce_prod
    from runtime.ops.arrays.reduction import reduce_sum as reduce_sum
    from runtime.ops.arrays.reverse_sequence import reverse_sequence as reverse_sequence
    from runtime.ops.arrays.scatter import scatter_nd as scatter_nd
    from runtime.ops.arrays.scatter import tensor_scatter_nd_add as tensor_scatter_nd_add
    from runtime.ops.arrays.scatter import tensor_scatter_nd_max as tensor_scatter_nd_max
    from runtime.ops.arrays.scatter import tensor_scatter_nd_min as tensor_scatter_nd_min
    from runtime.ops.arrays.scatter import tensor_scatter_nd_sub as tensor_scatter_nd_sub
    from runtime.ops.arrays.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
    from runtime.ops.arrays.searching import searchsorted as searchsorted
    from runtime.ops.arrays.searching import unravel_index as unravel_index
    from runtime.ops.arrays.shape import broadcast_dynamic_shape as broadcast_dynamic_shape
    from runtime.ops.arrays.shape import broadcast_static_shape as broadcast_static_shape
    from runtime.ops.arrays.shape import broadcast_to as broadcast_to
    from runtime.ops.arrays.shape import ensure_shape as ensure_shape
    from runtime.ops.arrays.shape import expand_dims as expand_dims
    from runtime.ops.arrays.shape import rank as rank
    from runtime.ops.arrays.shape import reshape as reshape
    from runtime.ops.arrays.shape import shape as shape
    from runtime.ops.arrays.shape import size as size
    from runtime.ops.arrays.shape import squeeze as squeeze
    from runtime.ops.arrays.sorting import argsort as argsort
    from runtime.ops.arrays.sorting import sort as sort
    from runtime.ops.arrays.sorting import unique as unique
    from runtime.ops.arrays.sorting import unique_with_counts as unique_with_counts
    from runtime.ops.arrays.space_to_batch import batch_to_space as batch_to_space
    from runtime.ops.arrays.space_to_batch import space_to_batch as space_to_batch
    from runtime.ops.arrays.space_to_batch import space_to_batch as space_to_batch_nd  # noqa: F401
    from runtime.ops.constant import cast as cast
    from runtime.ops.constant import constant as constant
    from runtime.ops.constant import convert_to_tensor as convert_to_tensor
    from runtime.ops.constant import executing_eagerly as executing_eagerly
    from runtime.ops.constant import identity as identity
    from runtime.ops.constant import inside_function as inside_function
    from runtime.ops.constant import is_symbolic_tensor as is_symbolic_tensor
    from runtime.ops.constant import is_tensor as is_tensor
    from runtime.ops.constant import stop_gradient as stop_gradient
    from runtime.ops.effects.assertions import Assert as Assert
    from runtime.ops.effects.assertions import assert_equal as assert_equal
    from runtime.ops.effects.assertions import assert_greater as assert_greater
    from runtime.ops.effects.assertions import assert_less as assert_less
    from runtime.ops.effects.checks import assert_ as assert_
    from runtime.ops.effects.clock import timestamp as timestamp
    from runtime.ops.effects.ordering import control_dependencies as control_dependencies
    from runtime.ops.effects.ordering import device as device
    from runtime.ops.effects.ordering import get_static_value as get_static_value
    from runtime.ops.effects.ordering import group as group
    from runtime.ops.effects.ordering import guarantee_const as guarantee_const
    from runtime.ops.effects.ordering import identity_n as identity_n
    from runtime.ops.effects.ordering import no_op as no_op
    from runtime.ops.effects.ordering import shape_n as shape_n
    from runtime.ops.effects.ordering import tuple as tuple
    from runtime.ops.effects.printing import print_ as print  # noqa: F401
    from runtime.ops.effects.printing import print_ as print_
    from runtime.ops.effects.python_calls import numpy_function as numpy_function
    from runtime.ops.effects.python_calls import py_function as py_function
    from runtime.ops.effects.raising import raise_error as raise_error
    from runtime.ops.effects.spec_assertions import assert_rank as assert_rank
    from runtime.ops.elementwise.arithmetic import add as add
    from runtime.ops.elementwise.arithmetic import add_n as add_n
    from runtime.ops.elementwise.arithmetic import atan2 as atan2
    from runtime.ops.elementwise.arithmetic import clip_by_value as clip_by_value
    from runtime.ops.elementwise.arithmetic import divide as divide
    from runtime.ops.elementwise.arithmetic import floordiv as floordiv
    from runtime.ops.elementwise.arithmetic import floormod as floormod
    from runtime.ops.elementwise.arithmetic import maximum as maximum
    from runtime.ops.elementwise.arithmetic import minimum as minimum
    from runtime.ops.elementwise.arithmetic import mod as mod
    from runtime.ops.elementwise.arithmetic import multiply as multiply
    from runtime.ops.elementwise.arithmetic import pow as pow
    from runtime.ops.elementwise.arithmetic import realdiv as realdiv
    from runtime.ops.elementwise.arithmetic import subtract as subtract
    from runtime.ops.elementwise.arithmetic import truediv as truediv
    from runtime.ops.elementwise.arithmetic import truncatediv as truncatediv
    from runtime.ops.elementwise.arithmetic import truncatemod as truncatemod
    from runtime.ops.elementwise.casts import bitcast as bitcast
    from runtime.ops.elementwise.casts import saturate_cast as saturate_cast
    from runtime.ops.elementwise.comparison import equal as equal
    from runtime.ops.elementwise.comparison import greater as greater
    from runtime.ops.elementwise.comparison import greater_equal as greater_equal
    from runtime.ops.elementwise.comparison import less as less
    from runtime.ops.elementwise.comparison import less_equal as less_equal
    from runtime.ops.elementwise.comparison import not_equal as not_equal
    from runtime.ops.elementwise.complex_numbers import complex as complex
    from runtime.ops.elementwise.composites import scalar_mul as scalar_mul
    from runtime.ops.elementwise.hyperbolic import acosh as acosh
    from runtime.ops.elementwise.hyperbolic import asinh as asinh
    from runtime.ops.elementwise.hyperbolic import atanh as atanh
    from runtime.ops.elementwise.logic import logical_and as logical_and
    from runtime.ops.elementwise.logic import logical_not as logical_not
    from runtime.ops.elementwise.logic import logical_or as logical_or
    from runtime.ops.elementwise.logic import logical_xor as logical_xor
    from runtime.ops.elementwise.selection import where as where
    from runtime.ops.elementwise.unary import abs as abs
    from runtime.ops.elementwise.unary import acos as acos
    from runtime.ops.elementwise.unary import asin as asin
    from runtime.ops.elementwise.unary import atan as atan
    from runtime.ops.elementwise.unary import ceil as ceil
    from runtime.ops.elementwise.unary import cos as cos
    from runtime.ops.elementwise.unary import cosh as cosh
    from runtime.ops.elementwise.unary import erf as erf
    from runtime.ops.elementwise.unary import exp as exp
    from runtime.ops.elementwise.unary import floor as floor
    from runtime.ops.elementwise.unary import log as log
    from runtime.ops.elementwise.unary import log1p as log1p
    from runtime.ops.elementwise.unary import negative as negative
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
    from runtime.ops.linalg.clip_by_norm import clip_by_global_norm as clip_by_global_norm
    from runtime.ops.linalg.clip_by_norm import clip_by_norm as clip_by_norm
    from runtime.ops.linalg.einsum import einsum as einsum
    from runtime.ops.linalg.einsum import tensordot as tensordot
    from runtime.ops.linalg.matrices import eye as eye
    from runtime.ops.linalg.matrices import matmul as matmul
    from runtime.ops.linalg.matrices import transpose as transpose
    from runtime.ops.linalg.norms import norm as norm
    from runtime.state.tensor_array import TensorArray as TensorArray
    from runtime.state.variable import Variable as Variable
    from runtime.state.variable_options import VariableAggregation as VariableAggregation
    from runtime.state.variable_options import VariableSynchronization as VariableSynchronization
else:
    # The ops of Python's operators. Garbage collection is off meanwhile: it would find nothing.
    load_module("runtime.ops.overloads")
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime": (
                "array_api audio bitwise config data debugging errors export graph io linalg "
                "lookup math nest nn random session sets signal strings summary test train typing"
            ),
            "runtime.autodiff.custom_gradient": "custom_gradient recompute_grad",
            "runtime.autodiff.higher_order": "grad hessian hvp jacobian jvp value_and_grad vjp",
            "runtime.autodiff.forward_mode": "ForwardAccumulator",
            "runtime.autodiff.graph_gradients": "gradients hessians",
            "runtime.autodiff.tape": "GradientTape",
            "runtime.autodiff.unconnected_gradients": "UnconnectedGradients",
            "runtime.core.devices": "list_logical_devices list_physical_devices",
            "runtime.distribute.mesh": "devices",
            "runtime.interop.dlpack": "from_dlpack",
            "runtime.graph.graph": "Graph",
            "runtime.graph.functional_ops": "case foldl foldr map_fn scan vectorized_map",
            "runtime.graph.structured_control_flow": "cond switch_case while_loop",
            "runtime.nn.modules.module": "Module",
            "runtime.ops.arrays.concatenation": (
                "concat repeat reverse roll split stack tile unstack"
            ),
            "runtime.ops.arrays.creation": (
                "fill linspace one_hot ones ones_like range zeros zeros_like"
            ),
            "runtime.ops.arrays.cumulative": "cumsum",
            "runtime.ops.arrays.gather": "boolean_mask gather gather_nd",
            "runtime.ops.arrays.sorting": "argsort sort unique unique_with_counts",
            "runtime.ops.linalg.matrices": "eye matmul transpose",
            "runtime.ops.arrays.indexing": "newaxis set_item slice strided_slice",
            "runtime.ops.arrays.reduction": (
                "argmax argmin reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean "
                "reduce_min reduce_prod reduce_sum"
            ),
            "runtime.ops.arrays.shape": (
                "broadcast_dynamic_shape broadcast_static_shape broadcast_to ensure_shape "
                "expand_dims rank reshape shape size squeeze"
            ),
            "runtime.ops.constant": (
                "cast constant convert_to_tensor executing_eagerly identity inside_function "
                "is_symbolic_tensor is_tensor stop_gradient"
            ),
            "runtime.ops.elementwise.comparison": (
                "equal greater greater_equal less less_equal not_equal"
            ),
            "runtime.ops.elementwise.logic": "logical_and logical_not logical_or logical_xor",
            "runtime.ops.elementwise.selection": "where",
            "runtime.ops.elementwise.unary": (
                "abs acos asin atan ceil cos cosh erf exp floor log log1p negative round "
                "rsqrt sigmoid sign sin sinh sqrt square tan tanh"
            ),
            "runtime.ops.arrays.space_to_batch": (
                "batch_to_space space_to_batch space_to_batch_nd=space_to_batch"
            ),
            "runtime.ops.elementwise.casts": "bitcast saturate_cast",
            "runtime.ops.linalg.clip_by_norm": "clip_by_global_norm clip_by_norm",
            "runtime.ops.effects.clock": "timestamp",
            "runtime.ops.elementwise.complex_numbers": "complex",
            "runtime.ops.effects.assertions": "Assert assert_equal assert_greater assert_less",
            "runtime.ops.linalg.einsum": "einsum tensordot",
            "runtime.ops.arrays.grids": "meshgrid sequence_mask",
            "runtime.ops.elementwise.hyperbolic": "acosh asinh atanh",
            "runtime.ops.arrays.indexed_slices": "IndexedSlices",
            "runtime.ops.effects.checks": "assert_",
            "runtime.ops.effects.python_calls": "numpy_function py_function",
            "runtime.ops.effects.printing": "print=print_ print_",
            "runtime.ops.linalg.norms": "norm",
            "runtime.ops.effects.ordering": (
                "control_dependencies device get_static_value group guarantee_const identity_n "
                "no_op shape_n tuple"
            ),
            "runtime.ops.arrays.padding": "pad",
            "runtime.ops.arrays.partitions": "dynamic_partition dynamic_stitch",
            "runtime.ops.elementwise.composites": "scalar_mul",
            "runtime.ops.effects.raising": "raise_error",
            "runtime.ops.elementwise.arithmetic": (
                "add add_n atan2 clip_by_value divide floordiv floormod maximum minimum mod "
                "multiply pow realdiv subtract truediv truncatediv truncatemod"
            ),
            "runtime.ops.arrays.scatter": (
                "scatter_nd tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min "
                "tensor_scatter_nd_sub tensor_scatter_nd_update"
            ),
            "runtime.ops.arrays.searching": "searchsorted unravel_index",
            "runtime.ops.arrays.reverse_sequence": "reverse_sequence",
            "runtime.ops.effects.spec_assertions": "assert_rank",
            "runtime.ops.arrays.histograms": "histogram_fixed_width histogram_fixed_width_bins",
            "runtime.core.name_scopes": "name_scope",
            "runtime.state.tensor_array": "TensorArray",
            "runtime.state.variable": "Variable",
            "runtime.state.variable_options": "VariableAggregation VariableSynchronization",
        },
    )
