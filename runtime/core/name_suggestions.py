"""Suggestions for misspelled names, and for other libraries' names.

rt.conact    module 'autograph.runtime' has no attribute 'conact'; did you mean 'concat'?
rt.sum       module 'autograph.runtime' has no attribute 'sum'; write rt.reduce_sum
rt.bincount  module 'autograph.runtime' has no attribute 'bincount'; write rt.math.bincount
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from types import ModuleType

OF_TENSORFLOW = {
    "autograph": "ag",
    "compat": "rt.session",
    "constant_initializer": "rt.nn.initializers.Constant",
    "function": "ag.function",
    "import_graph_def": "rt.export.import_graph_def",
    "keras": "rt.nn",
    "layers": "rt.nn.layers",
    "lite": 'ag.export(f, "model.tflite", ...)',
    "losses": "rt.nn.losses",
    "metrics": "rt.nn.metrics",
    "models": "rt.nn.models",
    "ones_initializer": "rt.nn.initializers.Ones",
    "optimizers": "rt.nn.optimizers",
    "random_normal_initializer": "rt.nn.initializers.RandomNormal",
    "random_uniform_initializer": "rt.nn.initializers.RandomUniform",
    "saved_model": "ag.saved_model",
    "types": "rt.typing",
    "zeros_initializer": "rt.nn.initializers.Zeros",
}
"""Names of TensorFlow that are elsewhere here."""

RENAMED_FROM_NUMPY = {
    "absolute": "rt.abs",
    "all": "rt.reduce_all",
    "amax": "rt.reduce_max",
    "amin": "rt.reduce_min",
    "any": "rt.reduce_any",
    "arange": "rt.range",
    "arccos": "rt.acos",
    "arccosh": "rt.acosh",
    "arcsin": "rt.asin",
    "arcsinh": "rt.asinh",
    "arctan": "rt.atan",
    "arctan2": "rt.atan2",
    "arctanh": "rt.atanh",
    "max": "rt.reduce_max",
    "min": "rt.reduce_min",
    "power": "rt.pow",
    "prod": "rt.reduce_prod",
    "std": "rt.math.reduce_std",
    "sum": "rt.reduce_sum",
    "var": "rt.math.reduce_variance",
}
"""Functions that have another name here than in NumPy."""

# Names of NumPy, and what comes nearest here.
_NEAREST = {
    "allclose": "rt.debugging.assert_near",
    "argwhere": "rt.where",
    "around": "rt.round",
    "array": "rt.constant",
    "array_equal": "rt.reduce_all(x == y)",
    "asanyarray": "rt.convert_to_tensor",
    "asarray": "rt.convert_to_tensor",
    "astype": "rt.cast",
    "atleast_1d": "rt.reshape",
    "atleast_2d": "rt.reshape",
    "bitwise_not": "rt.bitwise.invert",
    "bool_": "rt.bool",
    "broadcast_shapes": "rt.broadcast_static_shape",
    "char": "rt.strings",
    "choose": "rt.where",
    "clip": "rt.clip_by_value",
    "column_stack": "rt.stack(values, 1)",
    "concatenate": "rt.concat",
    "conjugate": "rt.math.conj",
    "copy": "rt.identity",
    "cumprod": "rt.math.cumprod",
    "cumulative_prod": "rt.math.cumprod",
    "cumulative_sum": "rt.cumsum",
    "degrees": "rt.nn.ops.elementwise.rad2deg",
    "det": "rt.linalg.det",
    "diagonal": "rt.linalg.diag_part",
    "dot": "rt.matmul",
    "double": "rt.float64",
    "empty": "rt.zeros",
    "empty_like": "rt.zeros_like",
    "fabs": "rt.abs",
    "fft2": "rt.signal.fft2d",
    "flatnonzero": "rt.where",
    "float_power": "rt.pow",
    "floor_divide": "rt.floordiv",
    "fmod": "rt.truncatemod",
    "full": "rt.fill",
    "gradient": "rt.GradientTape",
    "half": "rt.float16",
    "hstack": "rt.concat(values, 1)",
    "int_": "rt.int64",
    "intc": "rt.int32",
    "inv": "rt.linalg.inv",
    "invert": "rt.bitwise.invert",
    "isfinite": "rt.math.is_finite",
    "isinf": "rt.math.is_inf",
    "isnan": "rt.math.is_nan",
    "mean": "rt.reduce_mean",
    "median": "rt.sort(x)[rt.size(x) // 2]",
    "mgrid": "rt.meshgrid",
    "ndarray": "rt.Tensor",
    "ndim": "rt.rank",
    "nonzero": "rt.where",
    "permute_dims": "rt.transpose",
    "positive": "rt.identity",
    "radians": "rt.nn.ops.elementwise.deg2rad",
    "remainder": "rt.floormod",
    "row_stack": "rt.concat(values, 0)",
    "short": "rt.int16",
    "single": "rt.float32",
    "swapaxes": "rt.transpose",
    "take": "rt.gather",
    "true_divide": "rt.truediv",
    "ubyte": "rt.uint8",
    "uint": "rt.uint64",
    "ushort": "rt.uint16",
    "vectorize": "rt.vectorized_map",
    "vstack": "rt.concat(values, 0)",
}


_OF_NUMPY_RANDOM = {
    "default_rng": "rt.random.Generator.from_seed",
    "integers": "rt.random.uniform(shape, low, high, rt.int32)",
    **dict.fromkeys(("PRNGKey", "key"), "rt.random.Generator.from_seed"),
    "permutation": "rt.random.shuffle",
    "rand": "rt.random.uniform",
    "randint": "rt.random.uniform(shape, low, high, rt.int32)",
    "randn": "rt.random.normal",
    "bernoulli": "rt.random.uniform(shape) < p",
    "seed": "rt.random.set_seed",
    "standard_normal": "rt.random.normal",
}

# Names of PyTorch, JAX and TensorFlow 1, and what comes nearest here.
OF_PYTORCH_AND_JAX = {
    "Session": "rt.session.Session",
    "autograd": "rt.GradientTape",
    "bernoulli": "rt.random.uniform(shape) < p",
    "block_until_ready": "x.numpy()",
    "bmm": "rt.matmul",
    "cat": "rt.concat",
    "checkpoint": "rt.train.Checkpoint",
    "chunk": "rt.split",
    "clamp": "rt.clip_by_value",
    "cpu": 'rt.device("CPU:0")',
    "cuda": 'rt.device("GPU:0")',
    "detach": "rt.stop_gradient",
    "div": "rt.divide",
    "enable_grad": "rt.GradientTape",
    "flatten": "rt.reshape(x, [-1])",
    "float": "rt.float32",
    **dict.fromkeys(("fori_loop", "func"), "@ag.function, and Python's own `for`"),
    "from_numpy": "rt.constant",
    "get_variable": "rt.Variable",
    "global_variables_initializer": "rt.session.global_variables_initializer",
    "index_select": "rt.gather",
    **dict.fromkeys(("inference_mode", "set_grad_enabled"), "tape.stop_recording()"),
    "int": "rt.int32",
    **dict.fromkeys(("jacfwd", "jacrev"), "rt.jacobian"),
    "jit": "ag.function",
    "lax": "@ag.function, and Python's own `if`, `while` and `for`",
    "ln": "rt.math.log",
    "long": "rt.int64",
    "manual_seed": "rt.random.set_seed",
    "map": "rt.map_fn",
    "masked_fill": "rt.where(mask, value, x)",
    "masked_select": "rt.boolean_mask",
    "mm": "rt.matmul",
    "mul": "rt.multiply",
    "multinomial": "rt.random.categorical",
    "neg": "rt.negative",
    "numel": "rt.size",
    "numpy": "np",
    "no_grad": "tape.stop_recording()",
    "optim": "rt.nn.optimizers",
    "permute": "rt.transpose",
    "pmap": "ag.mesh",
    "placeholder": "rt.session.placeholder",
    "repeat_interleave": "rt.repeat",
    "set_random_seed": "rt.random.set_seed",
    "str": "rt.string",
    "sub": "rt.subtract",
    "take_along_dim": "rt.gather(x, indices, axis=axis, batch_dims=axis)",
    "tensor": "rt.constant",
    "to_double": "rt.cast(x, rt.float64)",
    "to_float": "rt.cast(x, rt.float32)",
    "to_int32": "rt.cast(x, rt.int32)",
    "to_int64": "rt.cast(x, rt.int64)",
    "topk": "rt.math.top_k",
    **dict.fromkeys(("tree", "tree_map", "tree_util"), "rt.nest.map_structure"),
    "unbind": "rt.unstack",
    "unsqueeze": "rt.expand_dims",
    "view": "rt.reshape",
    "vmap": "rt.vectorized_map",
}

# Classes of PyTorch, Keras and TensorFlow 1, for any module.
OF_ANY_MODULE = {
    "AdamOptimizer": "rt.nn.optimizers.Adam",
    "AdaptiveAvgPool2d": "rt.nn.layers.GlobalAveragePooling2D",
    **dict.fromkeys(("BCE", "BCELoss"), "rt.nn.losses.BinaryCrossentropy"),
    "BCEWithLogitsLoss": "rt.nn.losses.BinaryCrossentropy(from_logits=True)",
    **dict.fromkeys(("BatchNorm", "BatchNorm1d", "BatchNorm2d"), "rt.nn.layers.BatchNormalization"),
    "ConvTranspose2d": "rt.nn.layers.Conv2DTranspose",
    **dict.fromkeys(
        ("CE", "CrossEntropy", "CrossEntropyLoss", "cross_entropy"),
        "rt.nn.losses.SparseCategoricalCrossentropy(from_logits=True)",
    ),
    "CuDNNGRU": "rt.nn.layers.GRU",
    "CuDNNLSTM": "rt.nn.layers.LSTM",
    "DataLoader": "rt.data.Dataset.from_tensor_slices((x, y)).batch(32)",
    "DataParallel": "ag.mesh",
    "F1": "rt.nn.metrics.F1Score",
    **dict.fromkeys(("GradientDescent", "GradientDescentOptimizer"), "rt.nn.optimizers.SGD"),
    "GroupNorm": "rt.nn.layers.GroupNormalization",
    "IterableDataset": "rt.data.Dataset.from_generator",
    "KLDivLoss": "rt.nn.losses.KLDivergence",
    **dict.fromkeys(("KaimingNormal", "kaiming_normal_"), "rt.nn.initializers.HeNormal"),
    **dict.fromkeys(("KaimingUniform", "kaiming_uniform_"), "rt.nn.initializers.HeUniform"),
    "L1Loss": "rt.nn.losses.MeanAbsoluteError",
    "LRScheduler": "rt.nn.callbacks.LearningRateScheduler",
    "LayerNorm": "rt.nn.layers.LayerNormalization",
    "Linear": "rt.nn.layers.Dense",
    **dict.fromkeys(("MSELoss", "mse_loss"), "rt.nn.losses.MeanSquaredError"),
    **dict.fromkeys(("ModuleDict", "ModuleList", "ParameterList"), "rt.Module"),
    **dict.fromkeys(("Momentum", "MomentumOptimizer"), "rt.nn.optimizers.SGD(0.01, momentum=0.9)"),
    "Parameter": "rt.Variable",
    "PixelShuffle": "rt.nn.depth_to_space",
    "ROC": "rt.nn.metrics.AUC",
    "SmoothL1Loss": "rt.nn.losses.Huber",
    "StepLR": "rt.nn.optimizers.schedules.PiecewiseConstantDecay",
    "TensorDataset": "rt.data.Dataset.from_tensor_slices((x, y))",
    **dict.fromkeys(
        ("Transformer", "TransformerEncoder", "TransformerEncoderLayer"),
        "rt.nn.layers.MultiHeadAttention, and layers around it",
    ),
    "Upsample": "rt.nn.layers.UpSampling2D",
    **dict.fromkeys(("XavierNormal", "xavier_normal_"), "rt.nn.initializers.GlorotNormal"),
    **dict.fromkeys(("XavierUniform", "xavier_uniform_"), "rt.nn.initializers.GlorotUniform"),
    "ZeroPad2d": "rt.nn.layers.ZeroPadding2D",
    "random_split": "dataset.take(n) and dataset.skip(n)",
}

# Parts of TensorFlow that there are not, and the nearest code.
_OUT_OF_SCOPE = {
    **dict.fromkeys(
        ("RaggedTensor", "ragged"), "rows of several lengths are a list, or padded by padded_batch"
    ),
    **dict.fromkeys(
        ("SparseTensor", "sparse"), "write rt.scatter_nd(indices, values, shape) for all elements"
    ),
    **dict.fromkeys(
        ("Hashing", "StringLookup", "TextVectorization"),
        "words become numbers by rt.lookup.StaticHashTable, in Dataset.map",
    ),
    **dict.fromkeys(
        ("CenterCrop", "RandomFlip", "RandomRotation", "RandomZoom", "Resizing"),
        "pictures are changed by rt ops, such as rt.reverse(x, [axis]), in Dataset.map",
    ),
    "TFRecordDataset": "files of records are read by rt.data.Dataset.from_generator",
    "estimator": "write a model of rt.nn, and model.fit",
    "image": "pictures are read by rt.io.decode_image and changed by rt ops and rt.nn.layers",
}

OF_OTHERS = {**RENAMED_FROM_NUMPY, **_NEAREST, **OF_TENSORFLOW}


def nearest(name: str, known: Iterable[str], cutoff: float = 0.7) -> str | None:
    """Return the known name that is most like a misspelled one: the same letters come first.

    >>> nearest("adma", ["adam", "adamax"]), nearest("rnu", ["run"]), nearest("q", ["run"])
    ('adam', 'run', None)
    """
    ordered = sorted(known)
    near = [each for each in ordered if sorted(each) == sorted(name)]
    near = near or [each for each in ordered if each.lower() == name.lower()]
    return next(iter(near or get_close_matches(name, ordered, 1, cutoff)), None)


def did_you_mean(name: str, known: Iterable[str], prefix: str = "") -> str:
    """Return a hint with the known name that is most like a misspelled one, "" if none is.

    Args:
        prefix: shown before the name.

    >>> did_you_mean("conact", ["concat", "constant"])
    "; did you mean 'concat'?"
    """
    near = nearest(name, known)
    return "" if near is None else f"; did you mean {prefix + near!r}?"


def attribute_suggestion(module: str, name: str, public: Iterable[str]) -> str:
    """Return a hint with the name to write instead of one that a module does not have.

    >>> attribute_suggestion("runtime", "sum", [])
    '; write rt.reduce_sum'
    >>> attribute_suggestion("runtime", "percentile", [])
    '; write rt.nn.ops.statistics.percentile'
    """
    if name.startswith("_"):
        return ""
    table = {**OF_ANY_MODULE, **_TABLES.get(module, {})}
    instead = table.get(name) or _elsewhere(module, name)
    if instead:
        return f"; write {instead}"
    if module.startswith("runtime") and name in _OUT_OF_SCOPE:
        return f"; {_OUT_OF_SCOPE[name]}"
    if instead := _of_numpy(module.removeprefix("runtime").removeprefix("."), name):
        return (
            f"; write {instead}, or, in a function, rt.numpy_function({instead}, [x], rt.float32)"
        )
    offered = [each for each in public if not each.startswith("_") and each != "annotations"]
    folded = _folded(name)
    if not any(folded == _folded(each) for each in offered):
        instead = _elsewhere(module, name, is_exact=False)
    return f"; write {instead}" if instead else did_you_mean(name, offered)


def _folded(name: str) -> str:
    """Return a name without differences of spelling; a class stays apart from a function."""
    return name[:1] + name[1:].replace("_", "").lower()


def _elsewhere(module: str, name: str, is_exact: bool = True) -> str | None:
    """Return a public name of another module as a program writes it; None if there is none.

    >>> _elsewhere("runtime", "bincount"), _elsewhere("runtime.nn", "Layer")
    ('rt.math.bincount', 'rt.nn.layers.Layer')
    """
    for path in _NAMESPACES.split():
        package, *inner = path.split(".")
        owner = sys.modules.get(_PACKAGES[package])
        with contextlib.suppress(Exception):  # of a module that is being imported
            for each in inner:
                owner = getattr(owner, each)
            if owner is None or owner.__name__ == module:
                continue
            names = [name] if is_exact else [x for x in dir(owner) if _folded(x) == _folded(name)]
            if found := next((each for each in names if each in dir(owner)), None):
                return f"{path}.{found}"
    return None


def _of_numpy(namespace: str, name: str) -> str | None:
    owner = (
        getattr(sys.modules.get("numpy"), namespace, None) if namespace else sys.modules["numpy"]
    )
    found = getattr(owner, name, None) if isinstance(owner, ModuleType) else None
    if not callable(found) or isinstance(found, type):
        return None
    return ".".join(filter(None, ("np", namespace, name)))


_PACKAGES = {"rt": "runtime", "ag": "autograph"}
# In the order of preference.
_NAMESPACES = """
    rt rt.math rt.linalg ag rt.strings rt.random rt.signal rt.io rt.bitwise rt.sets rt.debugging
    rt.data rt.train rt.config rt.nest rt.errors rt.nn rt.nn.ops.elementwise rt.nn.ops.statistics
    rt.nn.ops.manipulation rt.nn.ops.creation rt.nn.ops.linalg rt.nn.layers rt.nn.losses
    rt.nn.metrics rt.nn.optimizers rt.nn.optimizers.schedules rt.nn.callbacks rt.nn.initializers
    rt.nn.regularizers rt.nn.constraints rt.nn.activations rt.nn.models rt.nn.dataset_utils
    rt.nn.preprocessing rt.array_api rt.test
"""
_OF_FILES = {
    "encode_jpeg": "rt.io.encode_png(image), or PIL.Image.fromarray(image.numpy()).save(path)",
}
_TABLES = {
    "autograph": {
        **dict.fromkeys(("compile", "jit"), "ag.function"),
        **dict.fromkeys(("export_model", "save"), "ag.export"),
        **dict.fromkeys(("grad", "gradient"), "rt.grad"),
        "keras": "rt.nn",
        "load": "ag.saved_model.load",
        "tensor": "rt.constant",
        "value_and_grad": "rt.value_and_grad",
        "vmap": "rt.vectorized_map",
    },
    "runtime": {**OF_OTHERS, **OF_PYTORCH_AND_JAX},
    "runtime.data": {
        each: f"rt.data.Dataset.{each}"
        for each in ("from_generator", "from_tensor_slices", "from_tensors")
    },
    "runtime.io": {"read": "rt.io.read_file", **_OF_FILES},
    "runtime.linalg": {"inverse": "rt.linalg.inv", "pinverse": "rt.linalg.pinv"},
    "runtime.nn": {
        **dict.fromkeys(("F", "functional"), "rt.nn"),
        "init": "rt.nn.initializers",
        "logsumexp": "rt.reduce_logsumexp",
        "optim": "rt.nn.optimizers",
    },
    "runtime.random": _OF_NUMPY_RANDOM,
}
