"""Signatures of TensorFlow's ops: argument names and the attributes that depend on them.

`x:T` is an argument `x` whose dtype is the attribute `T`, `values:N*T` is as many arguments as the
attribute `N`, `input:*Tin` has the dtypes in the list `Tin`, and `index:int64` is of that dtype. A
library function refers to a result by these names: `node:output:0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from runtime.core.dtypes import BY_NAME

# fmt: off
_SIGNATURES = {
    "Placeholder": "-> output:dtype",
    "Const": "-> output:dtype",
    "Bitcast": "input:T -> output:type",
    "Cast": "x:SrcT -> y:DstT",
    "Pack": "values:N*T -> output:T",
    "Identity": "input:T -> output:T",
    "StopGradient": "input:T -> output:T",
    "LogicalAnd": "x:bool y:bool -> z:bool",
    "LogicalOr": "x:bool y:bool -> z:bool",
    "LogicalNot": "x:bool -> y:bool",
    "BitwiseAnd": "x:T y:T -> z:T",
    "BitwiseOr": "x:T y:T -> z:T",
    "BitwiseXor": "x:T y:T -> z:T",
    "Invert": "x:T -> y:T",
    "LeftShift": "x:T y:T -> z:T",
    "RightShift": "x:T y:T -> z:T",
    "Equal": "x:T y:T -> z:bool",
    "NotEqual": "x:T y:T -> z:bool",
    "Less": "x:T y:T -> z:bool",
    "LessEqual": "x:T y:T -> z:bool",
    "Greater": "x:T y:T -> z:bool",
    "GreaterEqual": "x:T y:T -> z:bool",
    "Neg": "x:T -> y:T",
    "Abs": "x:T -> y:T",
    "ComplexAbs": "x:T -> y:Tout",
    "Sign": "x:T -> y:T",
    "Floor": "x:T -> y:T",
    "Ceil": "x:T -> y:T",
    "Round": "x:T -> y:T",
    "Square": "x:T -> y:T",
    "Sqrt": "x:T -> y:T",
    "Rsqrt": "x:T -> y:T",
    "Reciprocal": "x:T -> y:T",
    "Exp": "x:T -> y:T",
    "Expm1": "x:T -> y:T",
    "Log": "x:T -> y:T",
    "Log1p": "x:T -> y:T",
    "Sin": "x:T -> y:T",
    "Cos": "x:T -> y:T",
    "Tan": "x:T -> y:T",
    "Asin": "x:T -> y:T",
    "Acos": "x:T -> y:T",
    "Atan": "x:T -> y:T",
    "Sinh": "x:T -> y:T",
    "Cosh": "x:T -> y:T",
    "Tanh": "x:T -> y:T",
    "Sigmoid": "x:T -> y:T",
    "Erf": "x:T -> y:T",
    "IsNan": "x:T -> y:bool",
    "IsInf": "x:T -> y:bool",
    "IsFinite": "x:T -> y:bool",
    "SelectV2": "condition:bool t:T e:T -> output:T",
    "Where": "input:T -> index:int64",
    "Add": "x:T y:T -> z:T",
    "PartitionedCall": "args:*Tin -> output:*Tout",
    "StatefulPartitionedCall": "args:*Tin -> output:*Tout",
    "BroadcastGradientArgs": "s0:T s1:T -> r0:T r1:T",
    "Split": "split_dim:int32 value:T -> output:num_split*T",
    "TensorStridedSliceUpdate":
        "input:T begin:Index end:Index strides:Index value:T "
        "-> output:T",
    "AddV2": "x:T y:T -> z:T",
    "Sub": "x:T y:T -> z:T",
    "Mul": "x:T y:T -> z:T",
    "RealDiv": "x:T y:T -> z:T",
    "DivNoNan": "x:T y:T -> z:T",
    "MulNoNan": "x:T y:T -> z:T",
    "FloorDiv": "x:T y:T -> z:T",
    "FloorMod": "x:T y:T -> z:T",
    "TruncateDiv": "x:T y:T -> z:T",
    "Pow": "x:T y:T -> z:T",
    "Maximum": "x:T y:T -> z:T",
    "Minimum": "x:T y:T -> z:T",
    "Atan2": "y:T x:T -> z:T",
    "Xlogy": "x:T y:T -> z:T",
    "SquaredDifference": "x:T y:T -> z:T",
    "ClipByValue": "t:T clip_value_min:T clip_value_max:T -> output:T",
    "AddN": "inputs:N*T -> sum:T",
    "Sum": "input:T reduction_indices:Tidx -> output:T",
    "Mean": "input:T reduction_indices:Tidx -> output:T",
    "Prod": "input:T reduction_indices:Tidx -> output:T",
    "Max": "input:T reduction_indices:Tidx -> output:T",
    "Min": "input:T reduction_indices:Tidx -> output:T",
    "Any": "input:bool reduction_indices:Tidx -> output:bool",
    "All": "input:bool reduction_indices:Tidx -> output:bool",
    "ArgMax": "input:T dimension:Tidx -> output:output_type",
    "ArgMin": "input:T dimension:Tidx -> output:output_type",
    "Einsum": "inputs:N*T -> output:T",
    "Shape": "input:T -> output:out_type",
    "Size": "input:T -> output:out_type",
    "Rank": "input:T -> output:int32",
    "Reshape": "tensor:T shape:Tshape -> output:T",
    "ExpandDims": "input:T dim:Tdim -> output:T",
    "Squeeze": "input:T -> output:T",
    "BroadcastTo": "input:T shape:Tidx -> output:T",
    "EnsureShape": "input:T -> output:T",
    "MatMul": "a:T b:T -> product:T",
    "BatchMatMulV2": "x:T y:T -> output:T",
    "Transpose": "x:T perm:Tperm -> y:T",
    "MatrixInverse": "input:T -> output:T",
    "MatrixDeterminant": "input:T -> output:T",
    "Cholesky": "input:T -> output:T",
    "MatrixSolve": "matrix:T rhs:T -> output:T",
    "MatrixDiagV3": "diagonal:T k:int32 num_rows:int32 num_cols:int32 padding_value:T -> output:T",
    "MatrixDiagPartV3": "input:T k:int32 padding_value:T -> diagonal:T",
    "MatrixBandPart": "input:T num_lower:Tindex num_upper:Tindex -> band:T",
    "InTopKV2": "predictions:float32 targets:T k:T -> precision:bool",
    "Conv2D": "input:T filter:T -> output:T",
    "Conv2DBackpropInput": "input_sizes:int32 filter:T out_backprop:T -> output:T",
    "Conv2DBackpropFilter": "input:T filter_sizes:int32 out_backprop:T -> output:T",
    "Conv3D": "input:T filter:T -> output:T",
    "Conv3DBackpropInputV2": "input_sizes:Tshape filter:T out_backprop:T -> output:T",
    "Conv3DBackpropFilterV2": "input:T filter_sizes:int32 out_backprop:T -> output:T",
    "MaxPool": "input:T -> output:T",
    "MaxPool3D": "input:T -> output:T",
    "MaxPoolGrad": "orig_input:T orig_output:T grad:T -> output:T",
    "MaxPoolGradGrad": "orig_input:T orig_output:T grad:T -> output:T",
    "AvgPool": "value:T -> output:T",
    "AvgPool3D": "input:T -> output:T",
    "AvgPool3DGrad": "orig_input_shape:int32 grad:T -> output:T",
    "AvgPoolGrad": "orig_input_shape:int32 grad:T -> output:T",
    "Relu": "features:T -> activations:T",
    "Relu6": "features:T -> activations:T",
    "Elu": "features:T -> activations:T",
    "Softplus": "features:T -> activations:T",
    "Softsign": "features:T -> activations:T",
    "Softmax": "logits:T -> softmax:T",
    "LogSoftmax": "logits:T -> logsoftmax:T",
    "SparseSoftmaxCrossEntropyWithLogits": "features:T labels:Tlabels -> loss:T backprop:T",
    "Cumsum": "x:T axis:Tidx -> out:T",
    "Cumprod": "x:T axis:Tidx -> out:T",
    "TopKV2": "input:T k:Tk -> values:T indices:index_type",
    "Unique": "x:T -> y:T idx:out_idx",
    "ConcatV2": "values:N*T axis:Tidx -> output:T",
    "Unpack": "value:T -> output:num*T",
    "SplitV": "value:T size_splits:Tlen split_dim:int32 -> output:num_split*T",
    "Tile": "input:T multiples:Tmultiples -> output:T",
    "PadV2": "input:T paddings:Tpaddings constant_values:T -> output:T",
    "MirrorPad": "input:T paddings:Tpaddings -> output:T",
    "MirrorPadGrad": "input:T paddings:Tpaddings -> output:T",
    "ReverseV2": "tensor:T axis:Tidx -> output:T",
    "Roll": "input:T shift:Tshift axis:Taxis -> output:T",
    "Fill": "dims:index_type value:T -> output:T",
    "ZerosLike": "x:T -> y:T",
    "OnesLike": "x:T -> y:T",
    "Range": "start:Tidx limit:Tidx delta:Tidx -> output:Tidx",
    "LinSpace": "start:T stop:T num:Tidx -> output:T",
    "OneHot": "indices:TI depth:int32 on_value:T off_value:T -> output:T",
    "GatherV2": "params:Tparams indices:Tindices axis:Taxis -> output:Tparams",
    "GatherNd": "params:Tparams indices:Tindices -> output:Tparams",
    "StridedSlice": "input:T begin:Index end:Index strides:Index -> output:T",
    "StridedSliceGrad":
        "shape:Index begin:Index end:Index strides:Index dy:T "
        "-> output:T",
    "Slice": "input:T begin:Index size:Index -> output:T",
    "TensorScatterUpdate": "tensor:T indices:Tindices updates:T -> output:T",
    "TensorScatterAdd": "tensor:T indices:Tindices updates:T -> output:T",
    "ScatterNd": "indices:Tindices updates:T shape:Tindices -> output:T",
    "StringJoin": "inputs:N*string -> output:string",
    "ReduceJoin": "inputs:string reduction_indices:int32 -> output:string",
    "StringLength": "input:string -> output:int32",
    "StringLower": "input:string -> output:string",
    "StringUpper": "input:string -> output:string",
    "StringStrip": "input:string -> output:string",
    "Substr": "input:string pos:T len:T -> output:string",
    "AsString": "input:T -> output:string",
    "StringToNumber": "string_tensor:string -> output:out_type",
    "StringFormat": "inputs:*T -> output:string",
    "PrintV2": "input:string ->",
    "Assert": "condition:bool data:*T ->",
    "CheckNumericsV2": "tensor:T -> output:T",
    "NoOp": "->",
    "VarHandleOp": "-> resource:resource",
    "SaveV2":
        "prefix:string tensor_names:string shape_and_slices:string tensors:*dtypes "
        "->",
    "RestoreV2":
        "prefix:string tensor_names:string shape_and_slices:string "
        "-> tensors:*dtypes",
    "ReadVariableOp": "resource:resource -> value:dtype",
    "AssignVariableOp": "resource:resource value:dtype ->",
    "AssignAddVariableOp": "resource:resource value:dtype ->",
    "AssignSubVariableOp": "resource:resource value:dtype ->",
    "StaticRegexReplace": "input:string -> output:string",
    "StaticRegexFullMatch": "input:string -> output:bool",
    "StringToHashBucket": "string_tensor:string -> output:int64",
    "StringToHashBucketFast": "input:string -> output:int64",
    "StringToHashBucketStrong": "input:string -> output:int64",
    "StringSplitV2": "input:string sep:string -> indices:int64 values:string shape:int64",
    "RngReadAndSkip": "resource:resource alg:int32 delta:uint64 -> value:int64",
    "StatelessRandomGetKeyCounter": "seed:Tseed -> key:uint64 counter:uint64",
    "StatelessRandomUniformV2":
        "shape:Tshape key:uint64 counter:uint64 alg:int32 -> output:dtype",
    "StatelessRandomUniformFullIntV2":
        "shape:Tshape key:uint64 counter:uint64 alg:int32 -> output:dtype",
    "StatelessRandomNormalV2":
        "shape:Tshape key:uint64 counter:uint64 alg:int32 -> output:dtype",
    "StatelessTruncatedNormalV2":
        "shape:Tshape key:uint64 counter:uint64 alg:int32 -> output:dtype",
    "StatelessRandomUniformIntV2":
        "shape:Tshape key:uint64 counter:uint64 alg:int32 minval:dtype maxval:dtype "
        "-> output:dtype",
    "StatelessRandomGammaV3":
        "shape:shape_dtype key:uint64 counter:uint64 alg:int32 alpha:dtype -> output:dtype",
    "StatelessShuffle": "value:T key:uint64 counter:uint64 alg:int32 -> output:T",
    **dict.fromkeys(
        (f"ResourceScatter{how}" for how in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Update")),
        "resource:resource indices:Tindices updates:dtype ->",
    ),
    **dict.fromkeys(
        (f"ResourceScatterNd{how}" for how in ("Add", "Sub", "Max", "Min", "Update")),
        "ref:resource indices:Tindices updates:T ->",
    ),
    "ResourceStridedSliceAssign":
        "ref:resource begin:Index end:Index strides:Index value:T ->",
    "If": "cond:Tcond input:*Tin -> output:*Tout",
    "StatelessIf": "cond:Tcond input:*Tin -> output:*Tout",
    "While": "input:*T -> output:*T",
    "StatelessWhile": "input:*T -> output:*T",
    "Case": "branch_index:int32 input:*Tin -> output:*Tout",
    "StatelessCase": "branch_index:int32 input:*Tin -> output:*Tout",
    "EmptyTensorList": "element_shape:shape_type max_num_elements:int32 -> handle:variant",
    "TensorListReserve": "element_shape:shape_type num_elements:int32 -> handle:variant",
    "TensorListPushBack": "input_handle:variant tensor:element_dtype -> output_handle:variant",
    "TensorListPopBack":
        "input_handle:variant element_shape:int32 "
        "-> output_handle:variant tensor:element_dtype",
    "TensorListLength": "input_handle:variant -> length:int32",
    "TensorListGetItem":
        "input_handle:variant index:int32 element_shape:Tshape "
        "-> item:element_dtype",
    "TensorListResize": "input_handle:variant size:int32 -> output_handle:variant",
    "TensorListSetItem":
        "input_handle:variant index:int32 item:element_dtype "
        "-> output_handle:variant",
    "TensorListStack": "input_handle:variant element_shape:int32 -> tensor:element_dtype",
    "TensorListFromTensor":
        "tensor:element_dtype element_shape:shape_type "
        "-> output_handle:variant",
    "TensorListConcatV2":
        "input_handle:variant element_shape:shape_type leading_dims:int64 "
        "-> tensor:element_dtype lengths:int64",
    "TensorListConcatLists": "input_a:variant input_b:variant -> output:variant",
    "TensorListSplit":
        "tensor:element_dtype element_shape:shape_type lengths:int64 "
        "-> output_handle:variant",
    "Real": "input:T -> output:Tout",
    "Imag": "input:T -> output:Tout",
    "Angle": "input:T -> output:Tout",
    "Conj": "input:T -> output:T",
    "Complex": "real:T imag:T -> out:Tout",
    "Acosh": "x:T -> y:T",
    "Asinh": "x:T -> y:T",
    "Atanh": "x:T -> y:T",
    "Erfc": "x:T -> y:T",
    "Erfinv": "x:T -> y:T",
    "Ndtri": "x:T -> y:T",
    "Lgamma": "x:T -> y:T",
    "Digamma": "x:T -> y:T",
    "Polygamma": "a:T x:T -> z:T",
    "Zeta": "x:T q:T -> z:T",
    "Igamma": "a:T x:T -> z:T",
    "Igammac": "a:T x:T -> z:T",
    "IgammaGradA": "a:T x:T -> z:T",
    "Betainc": "a:T b:T x:T -> z:T",
    "BesselI0": "x:T -> y:T",
    "BesselI1": "x:T -> y:T",
    "BesselI0e": "x:T -> y:T",
    "BesselI1e": "x:T -> y:T",
    "Xdivy": "x:T y:T -> z:T",
    "Xlog1py": "x:T y:T -> z:T",
    "TruncateMod": "x:T y:T -> z:T",
    "NextAfter": "x1:T x2:T -> output:T",
    "SegmentSum": "data:T segment_ids:Tindices -> output:T",
    "SegmentMean": "data:T segment_ids:Tindices -> output:T",
    "SegmentProd": "data:T segment_ids:Tindices -> output:T",
    "SegmentMax": "data:T segment_ids:Tindices -> output:T",
    "SegmentMin": "data:T segment_ids:Tindices -> output:T",
    "UnsortedSegmentSum":
        "data:T segment_ids:Tindices num_segments:Tnumsegments -> output:T",
    "UnsortedSegmentProd":
        "data:T segment_ids:Tindices num_segments:Tnumsegments -> output:T",
    "UnsortedSegmentMax":
        "data:T segment_ids:Tindices num_segments:Tnumsegments -> output:T",
    "UnsortedSegmentMin":
        "data:T segment_ids:Tindices num_segments:Tnumsegments -> output:T",
    "UnsortedSegmentJoin":
        "inputs:string segment_ids:Tindices num_segments:Tnumsegments -> output:string",
    "Qr": "input:T -> q:T r:T",
    "Svd": "input:T -> s:T u:T v:T",
    "SelfAdjointEigV2": "input:T -> e:T v:T",
    "Lu": "input:T -> lu:T p:output_idx_type",
    "LogMatrixDeterminant": "input:T -> sign:T log_abs_determinant:T",
    "MatrixSquareRoot": "input:T -> output:T",
    "MatrixSetDiagV3": "input:T diagonal:T k:int32 -> output:T",
    "DynamicPartition": "data:T partitions:int32 -> outputs:num_partitions*T",
    "DynamicStitch": "indices:N*int32 data:N*T -> merged:T",
    "CumulativeLogsumexp": "x:T axis:Tidx -> out:T",
    "TensorScatterMax": "tensor:T indices:Tindices updates:T -> output:T",
    "TensorScatterMin": "tensor:T indices:Tindices updates:T -> output:T",
    "UniqueWithCounts": "x:T -> y:T idx:out_idx count:out_idx",
    "InvertPermutation": "x:T -> y:T",
    "UnravelIndex": "indices:Tidx dims:Tidx -> output:Tidx",
    "LowerBound": "sorted_inputs:T values:T -> output:out_type",
    "UpperBound": "sorted_inputs:T values:T -> output:out_type",
    "ReverseSequence": "input:T seq_lengths:Tlen -> output:T",
    "Timestamp": "-> ts:float64",
    "FFT": "input:Tcomplex -> output:Tcomplex",
    "FFT2D": "input:Tcomplex -> output:Tcomplex",
    "FFT3D": "input:Tcomplex -> output:Tcomplex",
    "IFFT": "input:Tcomplex -> output:Tcomplex",
    "IFFT2D": "input:Tcomplex -> output:Tcomplex",
    "IFFT3D": "input:Tcomplex -> output:Tcomplex",
    "RFFT": "input:Treal fft_length:int32 -> output:Tcomplex",
    "IRFFT": "input:Tcomplex fft_length:int32 -> output:Treal",
    "ReadFile": "filename:string -> contents:string",
    "WriteFile": "filename:string contents:string ->",
    "DecodePng": "contents:string -> image:dtype",
    "DecodeJpeg": "contents:string -> image:uint8",
    "DecodeGif": "contents:string -> image:uint8",
    "DecodeBmp": "contents:string -> image:uint8",
    "DecodeImage": "contents:string -> image:dtype",
    "EncodePng": "image:T -> contents:string",
    "DecodeWav": "contents:string -> audio:float32 sample_rate:int32",
    "EncodeWav": "audio:float32 sample_rate:int32 -> contents:string",
    "BroadcastArgs": "s0:T s1:T -> r0:T",
    "MaxPoolWithArgmax": "input:T -> output:T argmax:Targmax",
}
# fmt: on

STATEFUL = frozenset(
    (
        *("PrintV2", "Assert", "CheckNumericsV2", "Timestamp", "If", "While", "Case"),
        *("StatefulPartitionedCall", "RngReadAndSkip", "ReadFile", "WriteFile"),
        *("ReadVariableOp", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"),
        *(name for name in _SIGNATURES if name.startswith("Resource")),
    )
)
"""Ops that run even if no result is used, in the order that control inputs give them."""


@dataclass(frozen=True)
class OpArgument:
    """One argument or result of an op.

    Attributes:
        name: its name.
        dtype: the name of a dtype, or the attribute that holds it.
        count: the attribute that holds their number; `*` if `dtype` is a list of dtypes.
    """

    name: str
    dtype: str
    count: str = ""

    @property
    def is_fixed(self) -> bool:
        """True if its dtype does not depend on the attributes."""
        return self.dtype in BY_NAME or self.dtype == "resource"


@dataclass(frozen=True)
class OpSignature:
    """The inputs and the outputs of an op."""

    inputs: tuple[OpArgument, ...]
    outputs: tuple[OpArgument, ...]


def _argument(text: str) -> OpArgument:
    name, _, kind = text.partition(":")
    count, star, dtype = kind.rpartition("*")
    return OpArgument(name, dtype, (count or "*") if star else "")


def parsed_signature(text: str) -> OpSignature:
    """Return the signature that a text describes.

    >>> [argument.name for argument in parsed_signature("x:T axis:int32 -> y:T").inputs]
    ['x', 'axis']
    """
    inputs, _, outputs = text.partition("->")
    return OpSignature(*(tuple(map(_argument, side.split())) for side in (inputs, outputs)))


SIGNATURES: Mapping[str, OpSignature] = MappingProxyType(
    {op: parsed_signature(text) for op, text in _SIGNATURES.items()}
)
