"""Signatures of the ops that can be imported: those of exported ops, and of others.

`runtime.export.graphdef.tf_ops` explains the notation.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runtime.export.graphdef.tf_ops import SIGNATURES as EXPORTED
from runtime.export.graphdef.tf_ops import OpSignature, parsed_signature

# fmt: off
_MORE = {
    "BatchMatMul": "x:T y:T -> output:T",
    "BatchMatMulV3": "x:Ta y:Tb -> output:Tout",
    "BatchToSpaceND": "input:T block_shape:Tblock_shape crops:Tcrops -> output:T",
    "BiasAdd": "value:T bias:T -> output:T",
    "BiasAddGrad": "out_backprop:T -> output:T",
    "Bincount": "arr:int32 size:int32 weights:T -> bins:T",
    "Bucketize": "input:T -> output:int32",
    "CheckNumerics": "tensor:T -> output:T",
    "Concat": "concat_dim:int32 values:N*T -> output:T",
    "DenseBincount": "input:Tidx size:Tidx weights:T -> output:T",
    "DepthToSpace": "input:T -> output:T",
    "DepthwiseConv2dNative": "input:T filter:T -> output:T",
    "DisableCopyOnRead": "resource:resource ->",
    "Div": "x:T y:T -> z:T",
    "EluGrad": "gradients:T outputs:T -> backprops:T",
    "Multinomial": "logits:T num_samples:int32 -> output:output_dtype",
    "RaggedTensorToTensor":
        "shape:Tshape values:T default_value:T "
        "row_partition_tensors:num_row_partition_tensors*Tindex -> result:T",
    "RandomShuffle": "value:T -> output:T",
    "RandomStandardNormal": "shape:T -> output:dtype",
    "RandomUniform": "shape:T -> output:dtype",
    "RandomUniformInt": "shape:T minval:Tout maxval:Tout -> output:Tout",
    "TruncatedNormal": "shape:T -> output:dtype",
    "AnonymousHashTable": "-> table_handle:resource",
    "AnonymousMutableDenseHashTable": "empty_key:key_dtype deleted_key:key_dtype "
    "-> table_handle:resource",
    "AnonymousMutableHashTable": "-> table_handle:resource",
    "AnonymousMutableHashTableOfTensors": "-> table_handle:resource",
    "HashTableV2": "-> table_handle:resource",
    "InitializeTableFromTextFileV2": "table_handle:resource filename:string ->",
    "LookupTableExportV2": "table_handle:resource -> keys:Tkeys values:Tvalues",
    "LookupTableFindV2": "table_handle:resource keys:Tin default_value:Tout -> values:Tout",
    "LookupTableImportV2": "table_handle:resource keys:Tin values:Tout ->",
    "LookupTableInsertV2": "table_handle:resource keys:Tin values:Tout ->",
    "LookupTableRemoveV2": "table_handle:resource keys:Tin ->",
    "LookupTableSizeV2": "table_handle:resource -> size:int64",
    "MutableDenseHashTableV2": "empty_key:key_dtype deleted_key:key_dtype "
    "-> table_handle:resource",
    "MutableHashTableOfTensorsV2": "-> table_handle:resource",
    "MutableHashTableV2": "-> table_handle:resource",
    "Empty": "shape:int32 -> output:dtype",
    "EuclideanNorm": "input:T reduction_indices:Tidx -> output:T",
    "FusedBatchNorm":
        "x:T scale:T offset:T mean:T variance:T "
        "-> y:T batch_mean:T batch_variance:T reserve_space_1:T reserve_space_2:T",
    "FusedBatchNormV2":
        "x:T scale:U offset:U mean:U variance:U "
        "-> y:T batch_mean:U batch_variance:U reserve_space_1:U reserve_space_2:U",
    "FusedBatchNormV3":
        "x:T scale:U offset:U mean:U variance:U "
        "-> y:T batch_mean:U batch_variance:U reserve_space_1:U reserve_space_2:U "
        "reserve_space_3:U",
    "Gather": "params:Tparams indices:Tindices -> output:Tparams",
    "HardSwish": "x:T -> y:T",
    "IdentityN": "input:*T -> output:*T",
    "Inv": "x:T -> y:T",
    "InvGrad": "y:T dy:T -> z:T",
    "L2Loss": "t:T -> output:T",
    "LeakyRelu": "features:T -> activations:T",
    "LeakyReluGrad": "gradients:T features:T -> backprops:T",
    "MatrixDiag": "diagonal:T -> output:T",
    "MatrixDiagPart": "input:T -> diagonal:T",
    "Mod": "x:T y:T -> z:T",
    "Pad": "input:T paddings:Tpaddings -> output:T",
    "ListDiff": "x:T y:T -> out:T idx:out_idx",
    "NonMaxSuppressionV2":
        "boxes:T scores:T max_output_size:int32 iou_threshold:T_threshold "
        "-> selected_indices:int32",
    "NonMaxSuppressionV3":
        "boxes:T scores:T max_output_size:int32 iou_threshold:T_threshold "
        "score_threshold:T_threshold -> selected_indices:int32",
    "PlaceholderWithDefault": "input:dtype -> output:dtype",
    "PreventGradient": "input:T -> output:T",
    "ReciprocalGrad": "y:T dy:T -> z:T",
    "RegexFullMatch": "input:string pattern:string -> output:bool",
    "RegexReplace": "input:string pattern:string rewrite:string -> output:string",
    "Relu6Grad": "gradients:T features:T -> backprops:T",
    "ReluGrad": "gradients:T features:T -> backprops:T",
    "ResizeBilinear": "images:T size:int32 -> resized_images:float32",
    "ResizeNearestNeighbor": "images:T size:int32 -> resized_images:T",
    "ResourceGather": "resource:resource indices:Tindices -> output:dtype",
    "ResourceGatherNd": "resource:resource indices:Tindices -> output:dtype",
    "Rint": "x:T -> y:T",
    "RsqrtGrad": "y:T dy:T -> z:T",
    "Select": "condition:bool t:T e:T -> output:T",
    "Selu": "features:T -> activations:T",
    "ShapeN": "input:N*T -> output:N*out_type",
    "SigmoidGrad": "y:T dy:T -> z:T",
    "Snapshot": "input:T -> output:T",
    "SoftmaxCrossEntropyWithLogits": "features:T labels:T -> loss:T backprop:T",
    "SoftplusGrad": "gradients:T features:T -> backprops:T",
    "SoftsignGrad": "gradients:T features:T -> backprops:T",
    "SpaceToBatchND": "input:T block_shape:Tblock_shape paddings:Tpaddings -> output:T",
    "SpaceToDepth": "input:T -> output:T",
    "SqrtGrad": "y:T dy:T -> z:T",
    "StatelessRandomGetAlg": "-> alg:int32",
    "StridedSliceGrad":
        "shape:Index begin:Index end:Index strides:Index dy:T -> output:T",
    "TanhGrad": "y:T dy:T -> z:T",
    "TensorListConcat":
        "input_handle:variant -> tensor:element_dtype lengths:int64",
    "TensorListGather":
        "input_handle:variant indices:int32 element_shape:int32 -> values:element_dtype",
    "TensorListScatter":
        "tensor:element_dtype indices:int32 element_shape:shape_type -> output_handle:variant",
    "TensorListScatterV2":
        "tensor:element_dtype indices:int32 element_shape:shape_type num_elements:int32 "
        "-> output_handle:variant",
    "TensorListScatterIntoExistingList":
        "input_handle:variant tensor:element_dtype indices:int32 -> output_handle:variant",
    "TensorScatterSub": "tensor:T indices:Tindices updates:T -> output:T",
    "TopK": "input:T -> values:T indices:int32",
    "VarHandleOp": "-> resource:resource",
    "VarIsInitializedOp": "resource:resource -> is_initialized:bool",
    "VariableShape": "input:resource -> output:out_type",
    "TensorArrayV3": "size:int32 -> handle:resource flow:float32",
    "TensorArrayReadV3": "handle:resource index:int32 flow_in:float32 -> value:dtype",
    "TensorArrayWriteV3":
        "handle:resource index:int32 value:T flow_in:float32 -> flow_out:float32",
    "TensorArrayGatherV3":
        "handle:resource indices:int32 flow_in:float32 -> value:dtype",
    "TensorArrayScatterV3":
        "handle:resource indices:int32 value:T flow_in:float32 -> flow_out:float32",
    "TensorArraySizeV3": "handle:resource flow_in:float32 -> size:int32",
    "TensorArrayCloseV3": "handle:resource ->",
}
# fmt: on

SIGNATURES: Mapping[str, OpSignature] = MappingProxyType(
    {**EXPORTED, **{op: parsed_signature(text) for op, text in _MORE.items()}}
)
"""The inputs and the outputs of each op that is known by name."""
