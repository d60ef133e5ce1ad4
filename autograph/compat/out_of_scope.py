"""Table of TensorFlow names that are out of scope, with their replacements.

A row applies to the name itself and to all names under it.
"""

from __future__ import annotations

_RAGGED = "pad the rows, by tf.keras.utils.pad_sequences or Dataset.padded_batch, and mask them"
_SPARSE = (
    "a dense tensor, or its indices and values as two tensors, with tf.scatter_nd and tf.gather"
)
_EXTENSION = "a dataclass, a named tuple or a dict of tensors, or a tf.Module"
_LOOKUP = "tf.lookup.KeyValueTensorInitializer, of the keys and values in two arrays"
_IMAGE = "NumPy or Pillow before the graph or in tf.numpy_function; tf.keras.layers.UpSampling2D"
_READ = "tf.io.read_file and tf.strings, or Python's csv, json or numpy.load in tf.py_function"
_RECORDS = "numpy.load and tf.data.Dataset.from_tensor_slices, or Dataset.from_generator"
_TABLES = "csv or pandas, and tf.data.Dataset.from_tensor_slices of its columns"
_NUMPY = "NumPy itself: its functions take tensors, as in numpy.sum(x)"
_STRATEGIES = "tf.distribute.MirroredStrategy, or tf.distribute.OneDeviceStrategy('/cpu:0')"
_NO_DEVICE = "leave it out: there is one device, '/cpu:0'"
_LITE = "tf.saved_model.save, and TensorFlow's own tools on its folder"
_WORDS = "a Python dict of words to numbers before the graph, or tf.strings.to_hash_bucket_fast"
_FOLDERS = "a list of file names and labels in Python, and tf.data.Dataset.from_generator"
_WEIGHTS = "build the model of tf.keras.layers and give it weights with set_weights"
_RAW = "the public function: tf.add for tf.raw_ops.AddV2"
_COLUMNS = "tensors of columns, and tf.one_hot, tf.keras.layers.CategoryEncoding or Embedding"
_ESTIMATOR = "tf.keras.Model and fit"
_QUEUE = "tf.data.Dataset"
_INSIDE = "a public name: tensorflow.python is TensorFlow's inside"
_CONTRIB = "what TensorFlow 2 has in its place"
_CTC = "PyTorch or TensorFlow itself for this loss"
_JOBS = "files of your own, by tf.train.Checkpoint"
_POLICY = "dtype='float16' of a layer, or tf.cast; variables are float32 otherwise"
_OPERATOR = "the matrix itself, by tf.linalg.diag, eye, matmul and solve"
_AUGMENTING = """
    AugMix AutoContrast CutMix Equalization MixUp RandAugment RandomColorDegeneration
    RandomColorJitter RandomElasticTransform RandomErasing RandomGaussianBlur RandomGrayscale
    RandomHeight RandomHue RandomInvert RandomPerspective RandomPosterization RandomSaturation
    RandomSharpness RandomShear RandomWidth Solarization
"""
_OPERATORS = """
    LinearOperator LinearOperatorAdjoint LinearOperatorBlockDiag LinearOperatorCirculant
    LinearOperatorComposition LinearOperatorDiag LinearOperatorFullMatrix LinearOperatorIdentity
    LinearOperatorInversion LinearOperatorKronecker LinearOperatorLowRankUpdate
    LinearOperatorLowerTriangular LinearOperatorPermutation LinearOperatorScaledIdentity
    LinearOperatorToeplitz LinearOperatorTridiag LinearOperatorZeros
"""

OUT_OF_SCOPE: dict[str, str] = {
    # rows of different lengths, sparse tensors, the user's own tensor types
    "RaggedTensor": _RAGGED,
    "RaggedTensorSpec": _RAGGED,
    "ragged": _RAGGED,
    "SparseTensor": _SPARSE,
    "SparseTensorSpec": _SPARSE,
    "sparse": _SPARSE,
    "nn.embedding_lookup_sparse": _SPARSE,
    "nn.safe_embedding_lookup_sparse": _SPARSE,
    "io.deserialize_many_sparse": _SPARSE,
    "io.serialize_sparse": _SPARSE,
    "experimental.BatchableExtensionType": _EXTENSION,
    "experimental.ExtensionType": _EXTENSION,
    "experimental.ExtensionTypeBatchEncoder": _EXTENSION,
    "experimental.ExtensionTypeSpec": _EXTENSION,
    "experimental.StructuredTensor": _EXTENSION,
    "experimental.DynamicRaggedShape": _RAGGED,
    "experimental.RowPartition": _RAGGED,
    "experimental.dispatch_for_api": _EXTENSION,
    "experimental.dispatch_for_binary_elementwise_apis": _EXTENSION,
    "experimental.dispatch_for_unary_elementwise_apis": _EXTENSION,
    # tables of words
    "lookup.experimental.DatasetInitializer": _LOOKUP,
    "keras.layers.Hashing": _WORDS,
    "keras.layers.HashedCrossing": _WORDS,
    "keras.layers.IntegerLookup": _WORDS,
    "keras.layers.StringLookup": _WORDS,
    "keras.layers.TextVectorization": _WORDS,
    "keras.preprocessing.text": _WORDS,
    "feature_column": _COLUMNS,
    # pictures and sounds
    "image": _IMAGE,
    "keras.preprocessing.image": _IMAGE,
    "keras.layers.CenterCrop": _IMAGE,
    "keras.layers.RandomBrightness": _IMAGE,
    "keras.layers.RandomContrast": _IMAGE,
    "keras.layers.RandomCrop": _IMAGE,
    "keras.layers.RandomFlip": _IMAGE,
    "keras.layers.RandomRotation": _IMAGE,
    "keras.layers.RandomTranslation": _IMAGE,
    "keras.layers.RandomZoom": _IMAGE,
    "keras.layers.Resizing": _IMAGE,
    "keras.ops.image": _IMAGE,
    "keras.utils.array_to_img": _IMAGE,
    "keras.utils.img_to_array": _IMAGE,
    "keras.utils.load_img": _IMAGE,
    "keras.utils.save_img": _IMAGE,
    "keras.utils.audio_dataset_from_directory": _FOLDERS,
    "keras.utils.image_dataset_from_directory": _FOLDERS,
    "keras.utils.text_dataset_from_directory": _FOLDERS,
    "keras.preprocessing.image_dataset_from_directory": _FOLDERS,
    "keras.preprocessing.text_dataset_from_directory": _FOLDERS,
    "keras.utils.get_file": "urllib.request.urlretrieve",
    "keras.utils.plot_model": "model.summary(), or `python -m autograph graph --html`",
    "keras.utils.model_to_dot": "model.summary(), or `python -m autograph graph --dot`",
    "keras.applications": _WEIGHTS,
    # files
    "io": _READ,
    "io.decode_raw": "numpy.frombuffer(x.numpy(), dtype), in a graph by tf.numpy_function",
    "data.FixedLengthRecordDataset": _RECORDS,
    "data.TFRecordDataset": _RECORDS,
    "data.experimental.CsvDataset": _TABLES,
    "data.experimental.SqlDataset": _TABLES,
    "data.experimental.TFRecordWriter": _RECORDS,
    "data.experimental.make_batched_features_dataset": _RECORDS,
    "data.experimental.make_csv_dataset": _TABLES,
    "data.experimental.parse_example_dataset": _RECORDS,
    "train.BytesList": _RECORDS,
    "train.Example": _RECORDS,
    "train.Feature": _RECORDS,
    "train.Features": _RECORDS,
    "train.FloatList": _RECORDS,
    "train.Int64List": _RECORDS,
    "train.SequenceExample": _RECORDS,
    **{f"keras.layers.{name}": _IMAGE for name in _AUGMENTING.split()},
    "keras.visualization": _IMAGE,
    # many devices and machines
    "distribute": _STRATEGIES,
    "config.experimental_connect_to_cluster": _NO_DEVICE,
    "config.experimental_connect_to_host": _NO_DEVICE,
    "data.experimental.service": "a dataset in this process",
    "experimental.dtensor": _NO_DEVICE,
    "keras.distribution": _STRATEGIES,
    "sysconfig": "nothing: there is no library to build against",
    "tpu": _NO_DEVICE,
    "train.ClusterDef": _JOBS,
    "train.ClusterSpec": _JOBS,
    "train.Coordinator": "threading.Thread",
    "train.JobDef": _JOBS,
    "train.ServerDef": _JOBS,
    # interfaces of other libraries, and abandoned parts
    "app": "a function `main()` and argparse",
    "contrib": _CONTRIB,
    "estimator": _ESTIMATOR,
    "experimental.numpy": _NUMPY,
    "experimental.tensorrt": _LITE,
    "flags": "argparse",
    "lite": _LITE,
    "logging": "the standard library's logging",
    "mlir": "str(graph), which is the graph as text",
    "nn.ctc_beam_search_decoder": _CTC,
    "nn.ctc_greedy_decoder": _CTC,
    "nn.ctc_loss": _CTC,
    "nn.ctc_unique_labels": _CTC,
    "keras.losses.CTC": _CTC,
    "python": _INSIDE,
    "quantization": "tf.cast to float16 or float32",
    "queue": _QUEUE,
    "raw_ops": _RAW,
    "types": "typing.Any, or tf.Tensor",
    "xla": "@tf.function: graphs are always compiled as far as they can be",
    "keras.distillation": "a model of your own, whose train_step has both losses",
    "keras.dtype_policies": _POLICY,
    "keras.export": "tf.saved_model.save",
    "keras.mixed_precision": _POLICY,
    "keras.quantizers": _POLICY,
    "keras.wrappers": "model.fit and model.predict",
    **{f"linalg.{name}": _OPERATOR for name in _OPERATORS.split()},
    "debugging.disable_check_numerics": "tf.debugging.check_numerics(x, message)",
    "debugging.enable_check_numerics": "tf.debugging.check_numerics(x, message)",
    "debugging.experimental": "`python -m autograph profile` and `explain`",
}

# The rows that are namespaces: an error in one has the requested name, `tf.image.resize`.
OUT_OF_SCOPE_SPACES = tuple(
    """
    app contrib data.experimental.service debugging.experimental estimator
    experimental.dtensor experimental.numpy experimental.tensorrt feature_column flags
    keras.applications keras.distillation keras.distribution keras.dtype_policies keras.export
    keras.mixed_precision keras.ops.image keras.preprocessing.image keras.quantizers
    keras.visualization keras.wrappers
    keras.preprocessing.text logging mlir python quantization queue ragged raw_ops
    sparse sysconfig tpu types xla
    """.split()
)


def replacement_of(path: str) -> str | None:
    """Return the replacement of a name, `image.resize`; None if the table has none.

    >>> replacement_of("ragged.constant") == replacement_of("ragged")
    True
    """
    while path:
        found = OUT_OF_SCOPE.get(path)
        if found is not None:
            return found
        path = path.rpartition(".")[0]
    return None
