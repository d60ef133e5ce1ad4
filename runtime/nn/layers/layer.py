"""The base class `Layer`: a module that creates its weights on the first call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from runtime import nest
from runtime.core.argument_checks import flag, listed
from runtime.core.context import current_recorder, inferring_shapes
from runtime.core.converter_hooks import ConverterHooks, run
from runtime.core.dtypes import DTypeLike
from runtime.core.lazy_imports import lazy_import
from runtime.core.name_scopes import node_scope
from runtime.core.shapes import ShapeLike
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, NotBuiltError, UnimplementedError
from runtime.graph.graph import Graph
from runtime.nn import regularizers
from runtime.nn.layers.call_context import (
    activated,
    building,
    calling,
    parameters_of,
    training_around,
)
from runtime.nn.layers.constructor_arguments import checked_dtype, input_shape_in, plain
from runtime.nn.layers.deserialization import made_of_config
from runtime.nn.layers.input_conversion import are_shapes, as_inputs, shapes_of
from runtime.nn.layers.input_spec import check_inputs
from runtime.nn.layers.masks import mask_of, put_mask
from runtime.nn.layers.ownership import layers_below
from runtime.nn.layers.symbolic import has_keras_tensors, symbolic_call
from runtime.nn.layers.weights import Weighted
from runtime.nn.metrics.metric import Metric
from runtime.nn.modules import names
from runtime.nn.modules.traversal import each_once, held
from runtime.nn.registry import Identifier
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast

# The context of calls after the first: only the first one creates variables with the layer's name.
_NOTHING: AbstractContextManager[Any] = nullcontext()


R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class _HasCall(Protocol[R_co]):
    """A layer, whose call returns the result of its `call`."""

    def call(self, *args: Any, **kwargs: Any) -> R_co: ...


class Layer(Weighted):
    """A module with `build`, which makes weights for a shape, and `call`, which computes.

    Args:
        trainable: whether training changes its weights.
        name: by default derived from the class's name, with a number.
        dtype: the dtype of the weights and of float inputs; float32 by default.
        activity_regularizer: computes an additional loss from each output.
        autocast: whether float inputs are cast to `dtype`.
        input_shape: the shape of one input, for a first layer.

    Example:
        >>> class Scale(Layer):
        ...     def build(self, input_shape):
        ...         shape = input_shape[1:]
        ...         self.factor = self.add_weight(name="factor", shape=shape, initializer="ones")
        ...     def call(self, inputs):
        ...         return inputs * self.factor
        >>> layer = Scale()
        >>> print(layer([[1.0, 2.0]]))
        rt.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
        >>> [tuple(weight.shape) for weight in layer.weights]
        [(2,)]
    """

    def __init__(
        self,
        trainable: bool = True,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        activity_regularizer: Identifier | None = None,
        autocast: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(name)
        own = self._own
        own.dtype = checked_dtype(dtype)
        own.autocast, own.trainable = autocast, flag(trainable, "trainable")
        own.activity_regularizer = regularizers.get(activity_regularizer)
        own.input_shape = input_shape_in(type(self), kwargs)

    # -- for subclasses ----------------------------------------------------------------------------

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "build" in vars(cls):
            cls.build = building(cls.build)  # type: ignore[method-assign]

    @building
    def build(self, input_shape: Any) -> None:
        """Make the weights for inputs of a shape; called once, before the first `call`."""

    if TYPE_CHECKING:
        # A subclass chooses the parameters.
        def call(self, *args: Any, **kwargs: Any) -> Any: ...
    else:

        def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
            """Return the output for inputs; a subclass overrides this."""
            raise UnimplementedError(
                f"{type(self).__name__} has no `call`: define call(self, inputs)"
            )

    @property
    def _input_dtype(self) -> str | None:
        """The dtype of inputs, as far as the layer tells it; None for that of the weights."""
        return None

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the mask of the output for the mask of the inputs."""
        return previous_mask if self._own.supports_masking else None

    # -- losses ------------------------------------------------------------------------------------

    def add_loss(self, loss: TensorLike) -> None:
        """Add a scalar, a list of scalars, or a function that returns one, to the model's loss."""
        for each in nest.flatten(loss):
            self._own.losses.append(each)

    @property
    def losses(self) -> list[Any]:
        """The losses of the last call and of the regularized weights."""
        return usable_losses(layers_below(self))

    # -- calling -----------------------------------------------------------------------------------

    def __call__(self: _HasCall[R], *args: Any, **kwargs: Any) -> R:
        """Return `call(...)`, after building the layer for the shape of the first argument.

        Args:
            args, kwargs: those of `call`; `training` and `mask` are passed if it accepts them.
        """
        # For checkers, `self` is only what tells the result.
        layer: Layer = self  # type: ignore[assignment]
        takes, takes_any = parameters_of(layer)
        if not args:
            first = next(iter(takes), "inputs")
            if first not in kwargs:
                raise ArgumentValueError(f"layer {layer.name!r} is called without an input")
            args = (kwargs.pop(first),)
        if current_recorder() is None and has_keras_tensors(args, kwargs):
            made: R = symbolic_call(layer, args, kwargs)
            return made
        own = layer._own
        dtype = own.dtype if own.autocast else None
        inputs, *others = (as_inputs(each, dtype) for each in args)
        check_inputs(layer, inputs)
        training = layer._training(kwargs, takes, takes_any)
        if "mask" in takes and kwargs.get("mask") is None:
            kwargs["mask"] = mask_of(inputs)
        with calling(layer, training) as call:
            if call.is_outermost:
                layer._forget_losses()
            is_first = not own.built
            if is_first:
                layer._build(inputs)
            with (
                names.scope(layer.name) if is_first else _NOTHING,
                _NOTHING if current_recorder() is None else node_scope(layer.name),
            ):
                outputs = run(layer.call, inputs, *others, **kwargs)
            if own.activity_regularizer is not None:
                for each in nest.flatten(outputs):
                    layer.add_loss(mean_loss(own.activity_regularizer, each))
        layer._note(inputs, outputs)
        found: R = outputs
        return found

    def _training(self, kwargs: dict[str, Any], takes: Any, takes_any: bool) -> Any:
        """Return the training mode of the call; set it in `kwargs` if `call` accepts it."""
        training = kwargs.pop("training", None)
        if training is None:
            training = training_around()
        if training is None and "training" in takes:
            training = takes["training"]
        if "training" in takes or (takes_any and training is not None):
            kwargs["training"] = training
        return training

    def _note(self, inputs: Any, outputs: Any) -> None:
        own = self._own
        own.output_shape = with_any_batch(shapes_of(outputs))
        previous = mask_of(inputs)
        if previous is not None or type(self).compute_mask is not Layer.compute_mask:
            mask = self.compute_mask(inputs, previous)
            if mask is not None:
                put_mask(outputs, mask)

    def _forget_losses(self) -> None:
        for each in layers_below(self):
            each._own.losses[:] = [kept for kept in each._own.losses if callable(kept)]

    def _build(self, inputs: Any) -> None:
        self.build_for(shapes_of(inputs))

    def build_for(self, shape: ShapeLike) -> None:
        """Make the weights for inputs of a shape, unless the layer is built."""
        if not self.built:
            self.build(shape)

    def get_build_config(self) -> dict[str, Any] | None:
        """Return the shape it was built for, for `build_from_config`; None if it is not built."""
        shape = self._own.build_shape
        return None if shape is None else {"input_shape": shape}

    def build_from_config(self, config: Mapping[str, Any]) -> None:
        """Make the weights for the shape from `get_build_config`."""
        if config and config.get("input_shape") is not None:
            self.build(config["input_shape"])

    @property
    def metrics(self) -> list[Any]:
        """The metrics in its attributes and in those of the layers inside."""
        return each_once(m for one in layers_below(self) for m in held(one, Metric, by_name=False))

    @property
    def metrics_variables(self) -> list[Any]:
        """The variables of its metrics."""
        return [variable for metric in self.metrics for variable in metric.variables]

    @property
    def input(self) -> Any:
        """The inputs of the layer's first step in a functional model."""
        return _alone(self._first_step().args)

    @property
    def output(self) -> Any:
        """The outputs of the layer's first step in a functional model."""
        return self._first_step().outputs

    def _first_step(self) -> Any:
        if not self._own.steps:
            raise NotBuiltError(
                f"layer {self.name!r} is not part of a model yet: call it on an Input"
            )
        return self._own.steps[0]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the output for inputs of a shape; unknown dimensions are None."""
        found = self.compute_output_spec(specs(input_shape, self._own.dtype))
        return shapes_of(found)

    def compute_output_spec(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the spec of the output for inputs or their specs.

        Args:
            inputs: a TensorSpec or a structure of TensorSpecs, or tensors.
        """
        return nest.map_structure(lambda leaf: leaf.spec, self._sketched((inputs, *args), kwargs))

    def symbolic_call(self, *args: Any, **kwargs: Any) -> Any:
        """Return the symbolic output of a call on symbolic inputs."""
        return symbolic_call(self, args, kwargs)

    def outputs_for(self, args: Sequence[TensorLike], kwargs: Mapping[str, Any]) -> Any:
        """Return tensors or TensorSpecs with the specs and masks of the outputs of a call."""
        if type(self).compute_output_spec is Layer.compute_output_spec:
            return self._sketched(args, kwargs)
        return self.compute_output_spec(*args, **kwargs)

    def _sketched(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        graph = Graph("outputs")
        with inferring_shapes(graph):
            given = [placeholders(graph, each) for each in args]
            named = {name: placeholders(graph, each) for name, each in kwargs.items()}
            found = ConverterHooks.sketched(lambda: self(*given, **named), self)
        self._forget_losses()
        return found

    # -- configs -----------------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the layer as plain values, with its name."""
        own = self._own
        own_config = {"name": self.name, "trainable": own.trainable, "dtype": self.dtype}
        given = {name: plain(value) for name, value in own.config.items()}
        return {**given, **own_config}

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """Return a layer made from a config of `get_config`, also from one of Keras."""
        return made_of_config(cls, config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"

    _repr_html_ = lazy_import("runtime.display.models:layer_html")


if TYPE_CHECKING:

    class TensorLayer(Layer):
        """A layer of one tensor, whose output is one tensor."""

        def __call__(self, inputs: TensorLike, *args: Any, **kwargs: Any) -> Tensor: ...

else:
    TensorLayer = Layer


def _alone(values: Any) -> Any:
    return values[0] if len(values) == 1 else values


def with_any_batch(shapes: Any) -> Any:
    """Return shapes with None as their first size, in the same structure of lists and tuples."""
    if are_shapes(shapes):
        return (None, *tuple(shapes)[1:])
    if isinstance(shapes, (list, tuple)):
        return type(shapes)([with_any_batch(each) for each in shapes])
    return shapes


def specs(shapes: Any, dtype: Any) -> Any:
    """Return the specs of values with given shapes: a TensorSpec, or a structure of them."""
    if shapes is None or are_shapes(shapes):
        return TensorSpec(shapes, dtype)
    if isinstance(shapes, Mapping):
        return {name: specs(each, dtype) for name, each in shapes.items()}
    if hasattr(shapes, "dims"):
        return TensorSpec(shapes, dtype)
    return [specs(each, dtype) for each in listed(shapes, "the shape of inputs")]


def placeholders(graph: Graph, value: Any) -> Any:
    """Return placeholders of a graph for TensorSpecs and tensors; other values stay."""

    def made(leaf: Any) -> Any:
        if isinstance(leaf, TensorSpec):
            return graph.add_input(leaf, "input")
        if not isinstance(leaf, Tensor):
            return leaf
        found, mask = graph.add_input(leaf.spec, "input"), mask_of(leaf)
        if mask is not None:
            put_mask(found, graph.add_input(getattr(mask, "spec", mask), "mask"))
        return found

    return nest.map_structure(made, value)


# -- losses of calls, regularized weights and regularized outputs ----------------------------------


def mean_loss(regularizer: Any, output: Any) -> Any:
    """Return the activity regularization of an output, divided by the size of the batch.

    >>> from runtime.ops.constant import constant
    >>> from runtime.ops.arrays.reduction import reduce_sum
    >>> float(mean_loss(reduce_sum, constant([[1.0], [2.0]])))
    1.5
    """
    loss = activated(regularizer, output)
    return loss if output.shape.rank == 0 else loss / cast(shape(output)[0], loss.dtype)


def usable_losses(layers: Iterable[Any]) -> list[Any]:
    """Return the losses of the last calls of layers and of their regularized weights.

    Losses that were recorded in another graph are omitted: they have no value here.
    """
    found: list[Any] = []
    layers = list(layers)
    for layer in layers:
        given = [run(each) if callable(each) else each for each in layer._own.losses]
        found += [each for each in given if _is_usable(each)]
    for layer in layers:
        pairs = layer._own.regularized
        found += [run(regularizer, weight) for weight, regularizer in pairs if weight.trainable]
    return found


def _is_usable(loss: Any) -> bool:
    if not isinstance(loss, SymbolicTensor):
        return True
    recorder: Any = current_recorder()
    while recorder is not None and recorder is not loss.graph:
        recorder = recorder.outer
    return recorder is not None
