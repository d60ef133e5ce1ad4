"""Why some signatures differ from TensorFlow's: a reason for each, by name."""

from __future__ import annotations

_MADE = "made by functions and methods, not by its constructor"
_ERROR = "takes `(node_def, op, message)` by position too"
_NUMBER = "one number stands for all axes"
_NONE = "None means the same"
_LORA = "refused by name: low-rank and quantized weights are not here"
_MASK = "called by position"
_NAMED = "`name` and `dtype` come by keyword, as with other layers"
_PREVIOUS = "Keras calls it so in `Layer`; given by position"
_CALLED = "called by position, as `layer(x)`"
_CALLBACKS = "called by `fit` only"
_CONFIG = "the layer has no objects of the user's in its config"
_SENTINEL = "None says that nothing is set, as TensorFlow's own mark does"
_TESTING = "the other names are those of `unittest`"
_ERRORS = (
    "Aborted AlreadyExists Cancelled DataLoss DeadlineExceeded FailedPrecondition Internal "
    "InvalidArgument NotFound Op OutOfRange PermissionDenied ResourceExhausted Unauthenticated "
    "Unavailable Unimplemented Unknown"
)
_CONVOLUTIONS = "Conv2D Conv2DTranspose Conv3D Conv3DTranspose DepthwiseConv2D SeparableConv2D"
_MERGING = "Add Attention Bidirectional Concatenate Dot Embedding GRU GlobalAvgPool1D Lambda Masking"

REASONS: dict[str, str] = {
    **{f"errors.{name}Error": _ERROR for name in _ERRORS.split()},
    **{f"keras.layers.{name}": _NUMBER for name in _CONVOLUTIONS.split()},
    **{f"keras.layers.{name}.compute_mask": _MASK for name in _MERGING.split()},
    **dict.fromkeys(("DType", "data.Dataset", "data.Iterator", "experimental.Optional"), _MADE),
    **dict.fromkeys(("keras.layers.MaxPool2D", "keras.layers.MaxPool3D"), _NUMBER),
    **dict.fromkeys(("keras.layers.Dense", "keras.layers.EinsumDense"), _LORA),
    **{f"keras.layers.SpatialDropout{rank}D": _NAMED for rank in (1, 2, 3)},
    **{f"Variable.{name}": "makes no difference" for name in ("assign", "assign_add", "assign_sub")},
    **dict.fromkeys(("shape", "size"), "None means int32 in TensorFlow"),
    "autograph.experimental.set_loop_options": _SENTINEL,
    "data.Dataset.shuffle": "None means True",
    "distribute.InputOptions": "the text stands for the member of the enumeration",
    "distribute.Strategy": "a strategy has nothing to extend",
    "experimental.dlpack.from_dlpack": "given by position, as a capsule or an object",
    "keras.Layer.add_weight": "the shape may come by position as well",
    "keras.layers.Discretization": _NAMED,
    "keras.layers.Embedding": _LORA,
    "keras.layers.PReLU": "two names of one initializer",
    "nn.experimental.stateless_dropout": _NONE,
    "summary.SummaryWriter": "made by `tf.summary.create_file_writer`",
}
