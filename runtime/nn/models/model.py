"""The class `Model`: a layer made of layers."""

from __future__ import annotations

from typing import Any

from runtime import nest
from runtime.core.argument_checks import choice, flag, function, unavailable
from runtime.core.context import sketching
from runtime.core.converter_hooks import Staging
from runtime.errors import ArgumentValueError, NotBuiltError, UnimplementedError
from runtime.graph.graph import Graph
from runtime.nn.custom_objects import custom_object_scope
from runtime.nn.layers.call_context import calling
from runtime.nn.layers.inputs import shapes_of
from runtime.nn.layers.layer import Layer, of_any_batch, placeholders, specs
from runtime.nn.layers.ownership import modules_in
from runtime.nn.models.configs import as_json, config_of_model, model_of
from runtime.nn.models.functional import Wiring
from runtime.nn.models.model_files import write_model
from runtime.nn.models.summary import written_summary
from runtime.nn.models.weight_files import read_weights, write_weights
from runtime.nn.modules import names
from runtime.nn.modules.traversal import each_once
from runtime.nn.training.trainer import Trainer
from runtime.ops.arguments import static_int

# No table of a model needs more.
_WIDEST = 10_000


class Model(Trainer):
    """A layer that is made of others, and learns.

    The others are set as attributes and used in `call`, or they lead from inputs to outputs.

    Args:
        inputs: what `Input` gave, or a list or dict of such.
        outputs: what layers made of it, or a list or dict of such.

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

    # The layers of a model that is a row of such.
    _row: list[Any] | None = None

    def __init__(
        self,
        inputs: Any = None,
        outputs: Any = None,
        name: str | None = None,
        trainable: bool = True,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        if name is None and inputs is not None and type(self) is Model:
            name = names.unique_name("functional")
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        if (inputs is None) != (outputs is None):
            raise ArgumentValueError("a model is made of inputs and outputs: give both")
        if inputs is not None:
            self._own.wiring = Wiring(inputs, outputs)
            self._own.built = True
            self._own.path = names.scoped(self.name)
            if not trainable:
                self.trainable = False

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Return the outputs for inputs; a subclass that is not made of such says what."""
        if self._own.wiring is None:
            raise UnimplementedError(
                f"{type(self).__name__} has no `call`: define call(self, inputs), or give inputs "
                "and outputs"
            )
        return self._own.wiring.run(self.name, inputs, training)

    # -- its layers ----------------------------------------------------------------------------

    def _layers_inside(self) -> Any:
        wired = [] if self._own.wiring is None else self._own.wiring.layers
        return each_once([*wired, *modules_in(self)])

    @property
    def layers(self) -> list[Any]:
        """The layers between inputs and outputs, and those in its attributes as they were set."""
        return [each for each in self._layers_inside() if isinstance(each, Layer)]

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """Return the layer of a name, or at an index.

        Raises:
            ArgumentValueError: there is none, or not exactly one of the two is given.
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
        asked = f"named {name!r}" if index is None else f"at index {index}"
        raise ArgumentValueError(f"model {self.name!r} has no layer {asked}")

    # -- inputs and outputs --------------------------------------------------------------------

    def _wired(self) -> Wiring:
        if self._own.wiring is None:
            raise NotBuiltError(
                f"model {self.name!r} has no inputs and outputs of its own: it is not made of any"
            )
        wiring: Wiring = self._own.wiring
        return wiring

    @property
    def inputs(self) -> list[Any]:
        """The values it is made of, as a list."""
        return nest.flatten(self._wired().inputs)

    @property
    def outputs(self) -> list[Any]:
        """The values it gives, as a list."""
        return nest.flatten(self._wired().outputs)

    @property
    def input(self) -> Any:
        """The values it is made of, in their structure."""
        return self._wired().inputs

    @property
    def output(self) -> Any:
        """The values it gives, in their structure."""
        return self._wired().outputs

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs."""
        return self._wired().input_names

    @property
    def output_names(self) -> Any:
        """The names of the outputs, None if it is not made of any."""
        return None if self._own.wiring is None else self._own.wiring.output_names

    @property
    def input_shape(self) -> Any:
        """The shapes of the inputs, in their structure."""
        return _shapes(self.input)

    @property
    def output_shape(self) -> Any:
        """The shapes of the outputs, in their structure."""
        return super().output_shape if self._own.wiring is None else _shapes(self.output)

    # -- weights -------------------------------------------------------------------------------

    def build(self, input_shape: Any = None) -> None:
        """Make the weights of all layers, by a look at `call` for inputs of a shape.

        Raises:
            ArgumentValueError: the shape is not known.
        """
        if self._own.wiring is not None:
            return
        shape = self._own.input_shape if input_shape is None else input_shape
        if shape is None:
            raise ArgumentValueError(
                f"model {self.name!r} is not told the shape of its inputs: write "
                "model.build((None, 3)), or call it"
            )
        graph = Graph("build")
        with sketching(graph), calling(self, False):
            self.call(placeholders(graph, specs(shape, self._own.dtype)))
        self._forget_losses()

    def _build(self, inputs: Any) -> None:
        if type(self).build is not Model.build:
            super()._build(inputs)
            return
        # The call that is going on has the layers inside make their weights.
        self._own.built = True
        self._own.path = names.scoped(self.name)
        self._own.build_shape = of_any_batch(shapes_of(inputs))

    def save_weights(
        self, filepath: Any, overwrite: bool = True, max_shard_size: float | None = None
    ) -> None:
        """Write all weights to a file, which is replaced as one step.

        Args:
            filepath: the name of the file, whatever it ends in; the format is that of checkpoints.
            overwrite: whether there may be such a file.
            max_shard_size: None; all weights go into one file.

        Raises:
            AlreadyExistsError: there is one.
            NotFoundError, PermissionDeniedError: there can be no such file.
        """
        one = "leave it out: there is one file"
        unavailable(max_shard_size, "save_weights: max_shard_size", one)
        write_weights(self, filepath, overwrite)

    def load_weights(self, filepath: Any, skip_mismatch: bool = False) -> None:
        """Give all weights the values that `save_weights` wrote, in their order.

        Args:
            skip_mismatch: whether weights of other shapes stay as they are.

        Raises:
            NotFoundError, DataLossError: there is no such file, or it is damaged.
            ArgumentValueError, ShapeError: it has other weights.
        """
        read_weights(self, filepath, skip_mismatch)

    def save(
        self, filepath: Any, overwrite: bool = True, zipped: bool | None = None, **kwargs: Any
    ) -> None:
        """Write the model to a file, of which `load_model` makes it again.

        Args:
            filepath: the name of the file, whatever it ends in.
            overwrite: whether there may be such a file.
            zipped, kwargs: say nothing here.

        Raises:
            AlreadyExistsError: there is one.
            ArgumentValueError: the model cannot be told by a config.
            NotFoundError, PermissionDeniedError: there can be no such file.
        """
        write_model(self, filepath, overwrite)

    def export(
        self,
        filepath: Any,
        format: str = "tf_saved_model",
        verbose: Any = None,
        input_signature: Any = None,
        **kwargs: Any,
    ) -> None:
        """Write the model's computation to a folder, which `saved_model.load` reads.

        What is loaded has the function `serve`, which takes what the model takes.

        Args:
            filepath: the name of the folder.
            format: "tf_saved_model"; what the folder holds is written by this library, though.
            verbose, kwargs: say nothing here.
            input_signature: a list with the TensorSpecs of inputs, in their structure; by default
                those it was made or first called with.

        Raises:
            NotBuiltError: the model does not know its inputs.
            NotFoundError, PermissionDeniedError: there can be no such folder.
        """
        choice(format, "format", ("tf_saved_model",))
        Staging.export(self, filepath, input_signature)

    # -- configs -------------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """Return the layers and steps of a model made of such; else what its class was given."""
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
        """Return the config as text, of which `model_from_json` makes a model.

        Args:
            kwargs: those of `json.dumps`.
        """
        return as_json(self, **kwargs)

    # -- looking in ----------------------------------------------------------------------------

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
            line_length: how many characters a line has; by default as many as a terminal gives
                room for, 76 where there is none.
            print_fn: called with the text, or with its lines; `print` by default.
            expand_nested: whether the layers of models inside are shown.
            show_trainable: whether there is a column of which layers train.
            positions, layer_range: say nothing here.
        """
        width = None if line_length is None else static_int(line_length, "line_length") or None
        if width is not None and width > _WIDEST:
            raise ArgumentValueError(f"line_length is at most {_WIDEST}, not {width}")
        expands = flag(expand_nested, "expand_nested")
        trains = flag(show_trainable, "show_trainable")
        show = print if print_fn is None else function(print_fn, "print_fn")
        show(written_summary(self, width, expands, trains))


def _shapes(values: Any) -> Any:
    return nest.map_structure(lambda leaf: tuple(leaf.shape.dims), values)
