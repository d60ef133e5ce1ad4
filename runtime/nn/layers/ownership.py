"""Ownership of variables and sublayers by layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from runtime.nn.modules.module import Module, ModuleAttributes
from runtime.nn.modules.traversal import all_below, each_once, held
from runtime.state.variable import Variable

if TYPE_CHECKING:
    pass


class LayerAttributes(ModuleAttributes):
    """The private state of a layer.

    Attributes:
        config: the arguments of the constructor by name.
        built: whether it has its weights.
        building: whether its weights are being made.
        dtype: the dtype of its weights and of float inputs.
        autocast: whether float inputs are cast to that dtype.
        trainable: whether training changes it.
        weights: those made by `add_weight`.
        frozen: variables that are not trained because the layer is not trainable.
        losses: losses added by calls, or functions that return them.
        regularized: weights with their regularizers.
        activity_regularizer: computes an additional loss from each output, or None.
        input_spec: the requirements on its inputs, or None.
        supports_masking: whether it passes the mask of its input on to its output.
        build_shape: the input shape it was built for.
        build_specs: the shapes and dtypes of a model's inputs in the call that built it.
        output_shape: the shape of the last call's output.
        input_shape: the input shape given to its constructor.
        takes: the parameters of its `call` with their defaults, and whether it has `**kwargs`.
        training: the training state of a model.
        steps: its steps in functional models.
        wiring: the steps of a functional model, between its inputs and outputs.
        path: its name, after the names of the layers around it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.config: dict[str, Any] = {}
        self.built = False
        self.building = False
        self.dtype: Any = None
        self.autocast = True
        self.trainable = True
        self.weights: list[Variable] = []
        self.frozen: list[Variable] = []
        self.losses: list[Any] = []
        self.regularized: list[tuple[Variable, Any]] = []
        self.activity_regularizer: Any = None
        self.input_spec: Any = None
        self.build_shape: Any = None
        self.build_specs: Any = None
        self.output_shape: Any = None
        self.input_shape: Any = None
        self.takes: tuple[dict[str, Any], bool] | None = None
        self.supports_masking = False
        self.stateful = False
        self.training: Any = None
        self.steps: list[Any] = []
        self.wiring: Any = None
        self.path: str | None = None


def own_variables(layer: Any) -> list[Variable]:
    """Return the variables of a layer itself: trainable ones first, in order of creation."""
    added = layer._own.weights
    found = each_once([*added, *held(layer, Variable, by_name=False)])
    frozen = {id(each) for each in layer._own.frozen}
    first = [each for each in found if each.trainable or id(each) in frozen]
    return [*first, *each_once(each for each in found if not _is_in(each, first))]


def _is_in(variable: Variable, variables: Iterable[Variable]) -> bool:
    return any(each is variable for each in variables)


def modules_in(layer: Any) -> list[Any]:
    """Return the modules in the attributes of a layer, in the order they were set."""
    return held(layer, Module, by_name=False)


def variables_below(module: Any, leave_out: tuple[type, ...] = ()) -> list[Variable]:
    """Return the variables of a layer, then those of the modules inside, each one once.

    Args:
        module: a layer, or another module with its own list of variables.
        leave_out: the types of modules whose variables do not count.
    """
    return each_once(_variables(module, leave_out, set()))


def _variables(module: Any, leave_out: tuple[type, ...], seen: set[int]) -> list[Variable]:
    if id(module) in seen or isinstance(module, leave_out):
        return []
    seen.add(id(module))
    if not hasattr(module, "_layers_inside"):
        return list(module.variables)
    found = own_variables(module)
    for each in module._layers_inside():
        found += _variables(each, leave_out, seen)
    return found


def layers_below(layer: Any) -> list[Any]:
    """Return a layer and the layers inside, nearest first, each one once."""
    return all_below(layer, lambda each: [m for m in each._layers_inside() if _is_layer(m)])


def _is_layer(module: object) -> bool:
    return hasattr(module, "_layers_inside")


def freeze(layer: Any, trainable: bool) -> None:
    """Make a layer and the layers inside trainable, or not."""
    for each in layers_below(layer):
        own = each._own
        own.trainable = trainable
        if trainable:
            for variable in own.frozen:
                variable.trainable = True
            own.frozen = []
        else:
            turned = [v for v in own_variables(each) if v.trainable]
            own.frozen = each_once([*own.frozen, *turned])
            for variable in turned:
                variable.trainable = False
