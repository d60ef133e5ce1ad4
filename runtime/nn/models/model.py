"""The class `Model`: a layer composed of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime import nest
from runtime.core.argument_checks import flag, function, unavailable
from runtime.core.context import inferring_shapes
from runtime.core.converter_hooks import ConverterHooks
from runtime.core.dtypes import DTypeLike
from runtime.core.files import StrPath
from runtime.core.lazy_imports import lazy_import
from runtime.core.name_suggestions import did_you_mean
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, NotBuiltError, UnimplementedError
from runtime.graph.graph import Graph
from runtime.nn.custom_objects import custom_object_scope
from runtime.nn.layers.call_context import calling
from runtime.nn.layers.input_conversion import shapes_of
from runtime.nn.layers.layer import Layer, placeholders, specs, with_any_batch
from runtime.nn.layers.ownership import modules_in
from runtime.nn.models.configs import as_json, config_of_model, model_of
from runtime.nn.models.functional import Wiring
from runtime.nn.models.summary import written_summary
from runtime.nn.models.weight_files import read_weights, write_model, write_weights
from runtime.nn.modules import names
from runtime.nn.modules.traversal import each_once
from runtime.nn.training.trainer import Trainer
from runtime.ops.arguments import static_int

# The largest width of a table.
_WIDEST = 10_000


class Model(Trainer):
    """A layer that is composed of layers and can be trained.

    A subclass stores layers in attributes and calls them in `call`; a functional model is made
    from inputs and outputs.

    Args:
        inputs: a result of `Input`, or a list or dict of them.
        outputs: the outputs of layers for these inputs, as a tensor, list or dict.

    Example:
        >>> from runtime.nn.layers import Dense
        >>> class Twice(Model):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = Dense(2, kernel_initializer="ones")
        ...     def call(self, inputs):
        ...         return self.dense(inputs) * 2.0
        >>> model = Twice()
        >>> print(model([[1.0, 2.0]]))
        rt.Tensor([[6. 6.]], shape=(1, 2), dtype=float32)
        >>> len(model.trainable_weights)
        2

        >>> from runtime.nn.layers.input import Input
        >>> x = Input((2,))
        >>> model = Model(x, Dense(2, kernel_initializer="ones")(x) * 2.0)
        >>> print(model([[1.0, 2.0]]))
        rt.Tensor([[6. 6.]], shape=(1, 2), dtype=float32)
    """

    # The layers of a Sequential model.
    _row: list[Any] | None = None

    def __init__(
        self,
        inputs: Any = None,
        outputs: Any = None,
        name: str | None = None,
        trainable: bool = True,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ) -> None:
        if name is None and inputs is not None and type(self) is Model:
            name = names.unique_name("functional")
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        if (inputs is None) != (outputs is None):
            raise ArgumentValueError("a model needs inputs and outputs: give both")
        if inputs is not None:
            self._own.wiring = Wiring(inputs, outputs)
            self._own.built = True
            self._own.path = names.scoped(self.name)
            if not trainable:
                self.trainable = False

    if TYPE_CHECKING:
        # A subclass chooses the parameters.
        def call(self, *args: Any, **kwargs: Any) -> Any: ...
    else:

        def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
            """Return the outputs for inputs; a subclass overrides this."""
            if self._own.wiring is None:
                raise UnimplementedError(
                    f"{type(self).__name__} has no `call`: define call(self, inputs), or give "
                    "inputs and outputs"
                )
            return self._own.wiring.run(self.name, inputs, training)

    # -- its layers --------------------------------------------------------------------------------

    def _layers_inside(self) -> Any:
        wired = [] if self._own.wiring is None else self._own.wiring.layers
        return each_once([*wired, *modules_in(self)])

    @property
    def layers(self) -> list[Layer]:
        """The layers between inputs and outputs, then those in its attributes in the order set."""
        return [each for each in self._layers_inside() if isinstance(each, Layer)]

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """Return the layer of a name, or at an index.

        Raises:
            ArgumentValueError: there is no such layer, or both arguments or neither are given.
        """
        if (name is None) == (index is None):
            raise ArgumentValueError("get_layer takes a name or an index")
        if index is not None:
            index = static_int(index, "index")
        if index is not None and -len(self.layers) <= index < len(self.layers):
            return self.layers[index]
        for each in self.layers:
            if each.name == name:
                return each
        wanted = f"named {name!r}" if index is None else f"at index {index}"
        instead = "" if name is None else did_you_mean(name, [each.name for each in self.layers])
        raise ArgumentValueError(f"model {self.name!r} has no layer {wanted}{instead}")

    # -- inputs and outputs ------------------------------------------------------------------------

    def _wired(self) -> Wiring:
        if self._own.wiring is None:
            raise NotBuiltError(
                f"model {self.name!r} has no inputs and outputs of its own: it was not made of an "
                "Input and layers"
            )
        wiring: Wiring = self._own.wiring
        return wiring

    @property
    def inputs(self) -> list[Any]:
        """The input values, as a list."""
        return nest.flatten(self._wired().inputs)

    @property
    def outputs(self) -> list[Any]:
        """The output values, as a list."""
        return nest.flatten(self._wired().outputs)

    @property
    def input(self) -> Any:
        """The input values, in their structure."""
        return self._wired().inputs

    @property
    def output(self) -> Any:
        """The output values, in their structure."""
        return self._wired().outputs

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs."""
        return self._wired().input_names

    @property
    def output_names(self) -> Any:
        """The names of the outputs; None if the model is a subclass."""
        return None if self._own.wiring is None else self._own.wiring.output_names

    @property
    def input_shape(self) -> Any:
        """The shapes of the inputs, in their structure."""
        return _shapes(self.input)

    @property
    def output_shape(self) -> Any:
        """The shapes of the outputs, in their structure."""
        return super().output_shape if self._own.wiring is None else _shapes(self.output)

    # -- weights -----------------------------------------------------------------------------------

    def build(self, input_shape: Any = None) -> None:
        """Create the weights of all layers, by tracing `call` for inputs of a shape.

        A functional model has its weights already: nothing happens.

        Raises:
            ArgumentValueError: the shape is neither given nor known from an earlier call.
        """
        if self._own.wiring is not None:
            return
        shape = self._own.input_shape if input_shape is None else input_shape
        if shape is None:
            raise ArgumentValueError(
                f"model {self.name!r} does not know the shape of its inputs: write "
                "model.build((None, 3)), or call it"
            )
        graph = Graph("build")
        with inferring_shapes(graph), calling(self, False):
            inputs = placeholders(graph, specs(shape, self._own.dtype))
            ConverterHooks.sketched(lambda: self.call(inputs), self)
        self._forget_losses()

    def _build(self, inputs: Any) -> None:
        if type(self).build is not Model.build:
            super()._build(inputs)
            return
        # The current call creates the weights of the inner layers.
        self._own.built = True
        self._own.path = names.scoped(self.name)
        self._own.build_shape = with_any_batch(shapes_of(inputs))
        self._own.build_specs = nest.map_structure(_spec_of_any_batch, inputs)

    def save_weights(
        self, filepath: StrPath, overwrite: bool = True, max_shard_size: float | None = None
    ) -> None:
        """Write all weights to a file, which is replaced atomically.

        Args:
            filepath: the name of the file with any extension; the format is that of checkpoints.
            overwrite: whether to replace an existing file.
            max_shard_size: None; all weights go into one file.

        Raises:
            AlreadyExistsError: the file exists, and `overwrite` is false.
            FailedPreconditionError: the model has no weights yet, or a graph is being recorded.
            NotFoundError, PermissionDeniedError: the file cannot be written.
        """
        one = "leave it out: there is one file"
        unavailable(max_shard_size, "save_weights: max_shard_size", one)
        write_weights(self, filepath, overwrite)

    def load_weights(self, filepath: StrPath, skip_mismatch: bool = False) -> None:
        """Set all weights from a file of `save_weights` or `save`, in order.

        Args:
            skip_mismatch: whether to skip weights whose shapes differ.

        Raises:
            NotFoundError, DataLossError: the file does not exist, or is damaged.
            ArgumentValueError, ShapeError: it has other weights.
            FailedPreconditionError: the model has no weights yet.
        """
        read_weights(self, filepath, skip_mismatch)

    def save(
        self, filepath: StrPath, overwrite: bool = True, zipped: bool | None = None, **kwargs: Any
    ) -> None:
        """Write the model to a file, from which `load_model` restores it.

        Args:
            filepath: the name of the file, such as `model.keras`.
            overwrite: whether to replace an existing file.
            zipped, kwargs: no effect here.

        Raises:
            AlreadyExistsError: the file exists, and `overwrite` is false.
            ArgumentValueError: the model has no config, or the config has values of other kinds
                than a file can hold; or the name ends as those of HDF5, ONNX and others do.
            FailedPreconditionError: a graph is being recorded.
            NotFoundError, PermissionDeniedError: the file cannot be written.
        """
        write_model(self, filepath, overwrite)

    def export(
        self,
        filepath: StrPath,
        format: str = "tf_saved_model",
        verbose: object = None,
        input_signature: Any = None,
        **kwargs: Any,
    ) -> None:
        """Write the model's computation to a folder, which `saved_model.load` reads.

        The loaded object has the function `serve`, which takes the model's inputs.

        Args:
            filepath: the name of the folder.
            format: "tf_saved_model"; the folder has this library's own format, though.
            verbose, kwargs: no effect here.
            input_signature: a list with the TensorSpecs of inputs, in their structure; by default
                those of its inputs or its first call.

        Raises:
            ArgumentValueError: the format is another one.
            NotBuiltError: the inputs of the model are unknown.
            NotFoundError, PermissionDeniedError: the folder cannot be written.
        """
        if format != "tf_saved_model":
            raise ArgumentValueError(
                f"format must be 'tf_saved_model', not {format!r}: for other formats write "
                "ag.export(model, path, format='onnx')"
            )
        ConverterHooks.export(self, filepath, input_signature)

    # -- configs -----------------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """Return the config: layers and steps, or the constructor arguments of a subclass."""
        if self._row is not None or self._own.wiring is not None:
            return config_of_model(self)
        return super().get_config()

    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """Return a model made from the config of `get_config`, with new weights.

        Args:
            custom_objects: classes of layers by their names.
        """
        with custom_object_scope(custom_objects):
            return model_of(cls, config)

    def to_json(self, **kwargs: Any) -> str:
        """Return the config as text, from which `model_from_json` makes a model.

        Args:
            kwargs: those of `json.dumps`.
        """
        return as_json(self, **kwargs)

    # -- summary -----------------------------------------------------------------------------------

    def summary(
        self,
        line_length: int | None = None,
        positions: Any = None,
        print_fn: Any = None,
        expand_nested: bool = False,
        show_trainable: bool = False,
        layer_range: Any = None,
    ) -> None:
        """Print the layers with the shapes of their outputs and the numbers of their parameters.

        Args:
            line_length: the number of characters in a line; by default 4 less than the terminal
                has, or 76 without one. The default is at most 88, or 108 with a column of
                connections, and 12 more with the column of `show_trainable`.
            print_fn: called once, with the whole text; `print` by default.
            expand_nested: whether to show the layers of inner models.
            show_trainable: whether to show a column with the trainable layers.
            positions, layer_range: no effect here.

        Raises:
            ArgumentValueError: `line_length` is more than 10000.
        """
        width = None if line_length is None else static_int(line_length, "line_length") or None
        if width is not None and width > _WIDEST:
            raise ArgumentValueError(f"line_length must be at most {_WIDEST}, not {width}")
        expands = flag(expand_nested, "expand_nested")
        trains = flag(show_trainable, "show_trainable")
        show = print if print_fn is None else function(print_fn, "print_fn")
        show(written_summary(self, width, expands, trains))

    _repr_html_ = lazy_import("runtime.display.models:model_html")


def _shapes(values: Any) -> Any:
    return nest.map_structure(lambda leaf: tuple(leaf.shape.dims), values)


def _spec_of_any_batch(value: Any) -> Any:
    """Return the spec of a tensor with another size of the batch; other values as they are."""
    if not isinstance(value, Tensor):
        return value
    return TensorSpec(
        with_any_batch(tuple(value.shape)) if value.shape.rank else value.shape, value.dtype
    )
