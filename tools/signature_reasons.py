"""The reasons why some signatures differ from TensorFlow's, by name."""

from __future__ import annotations

_MADE = "made by functions and methods, not by its constructor"
_ERROR = "takes `(node_def, op, message)` by position too"
_NUMBER = "one number stands for all axes"
_NONE = "None means the same"
_LORA = "refused by name: low-rank and quantized weights are not here"
_MASK = "called by position"
_NAMED = "`name` and `dtype` come by keyword, as with other layers"
_CALLED = "called by position, as `layer(x)`"
_CALLBACKS = "called by `fit` only"
_SENTINEL = "None says that nothing is set, as TensorFlow's own mark does"
_AS_IN_NN = "the function of `tf.nn`, with its names; given by position"
_ACTIVATIONS = "log_softmax relu6 silu softmax softplus softsign"
_CALLS = "Dense EinsumDense InputLayer RMSNormalization SimpleRNNCell"
_EVENTS = "batch_begin batch_end epoch_end"
_SCOPE = "write `tf.keras.utils.custom_object_scope(...)` around it"
_BUILD = "called with the shape by `layer(x)` and by programs"
_AS_IN_NN = "the function of `tf.nn`, with its names; given by position"
_ACTIVATIONS = "log_softmax relu6 silu softmax softplus softsign"
_CALLS = "Dense EinsumDense InputLayer RMSNormalization SimpleRNNCell"
_EVENTS = "batch_begin batch_end epoch_end"
_ERRORS = (
    "Aborted AlreadyExists Cancelled DataLoss DeadlineExceeded FailedPrecondition Internal "
    "InvalidArgument NotFound Op OutOfRange PermissionDenied ResourceExhausted Unauthenticated "
    "Unavailable Unimplemented Unknown"
)
_CONVOLUTIONS = "Conv2D Conv2DTranspose Conv3D Conv3DTranspose DepthwiseConv2D SeparableConv2D"
_MERGING = (
    "Add Attention Bidirectional Concatenate Dot Embedding GRU GlobalAvgPool1D Lambda Masking"
)

REASONS: dict[str, str] = {
    "keras.KerasTensor": "made by `keras.Input`, not by its constructor",
    **{f"errors.{name}Error": _ERROR for name in _ERRORS.split()},
    **{f"keras.layers.{name}": _NUMBER for name in _CONVOLUTIONS.split()},
    **{f"keras.layers.{name}.compute_mask": _MASK for name in _MERGING.split()},
    **dict.fromkeys(("DType", "data.Dataset", "data.Iterator", "experimental.Optional"), _MADE),
    "lite.TFLiteConverter": _MADE,
    **dict.fromkeys(("keras.layers.MaxPool2D", "keras.layers.MaxPool3D"), _NUMBER),
    **dict.fromkeys(("keras.layers.Dense", "keras.layers.EinsumDense"), _LORA),
    **{f"keras.layers.SpatialDropout{rank}D": _NAMED for rank in (1, 2, 3)},
    **{
        f"Variable.{name}": "makes no difference" for name in ("assign", "assign_add", "assign_sub")
    },
    **dict.fromkeys(("shape", "size"), "None means int32 in TensorFlow"),
    **{f"keras.layers.{name}.call": _CALLED for name in _CALLS.split()},
    **{f"keras.callbacks.CallbackList.on_{name}": _CALLBACKS for name in _EVENTS.split()},
    **{f"keras.layers.{name}.from_config": _SCOPE for name in ("Lambda", "Rescaling")},
    **{f"keras.layers.{name}.build": _BUILD for name in ("Embedding", "Wrapper")},
    "Graph.as_graph_def": "the whole graph is told, without versions; others are a TypeError",
    "autograph.experimental.set_loop_options": _SENTINEL,
    "data.Dataset.shuffle": "None means True",
    "distribute.InputOptions": "the text stands for the member of the enumeration",
    "distribute.Strategy": "a strategy has nothing to extend",
    "experimental.dlpack.from_dlpack": "given by position, as a capsule or an object",
    **{f"keras.activations.{name}": _AS_IN_NN for name in _ACTIVATIONS.split()},
    "keras.ops.einsum": "the text comes first, by position",
    "keras.layers.MultiHeadAttention.compute_output_spec": "called by the model that is built",
    "keras.optimizers.Adadelta.update_step": "given by position, by `apply_gradients`",
    "keras.optimizers.Adam.build": "by position or under either of the two names that Keras has",
    "keras.Layer.add_weight": "the shape may come by position as well",
    "keras.layers.Discretization": _NAMED,
    "keras.layers.Embedding": _LORA,
    "keras.layers.PReLU": "two names of one initializer",
    "nn.experimental.stateless_dropout": _NONE,
    "summary.SummaryWriter": "made by `tf.summary.create_file_writer`",
}
