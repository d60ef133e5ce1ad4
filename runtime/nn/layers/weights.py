"""`Weighted`, the base class of layers, and the options of a weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import flag, listed, plain_text
from runtime.core.context import current_recorder, recording
from runtime.core.creation_hooks import creating_for_owner
from runtime.core.dtypes import DTypeLike, as_dtype, float32
from runtime.core.shapes import ShapeLike, as_shape
from runtime.core.tensor import Array, TensorLike
from runtime.errors import (
    ArgumentValueError,
    FailedPreconditionError,
    NotBuiltError,
    VariableCreationError,
)
from runtime.nn import constraints, initializers, regularizers
from runtime.nn.layers.call_context import is_in_call
from runtime.nn.layers.constructor_arguments import bound_arguments
from runtime.nn.layers.dtype_policy import DTypePolicy
from runtime.nn.layers.ownership import (
    LayerAttributes,
    freeze,
    modules_in,
    own_variables,
    variables_below,
)
from runtime.nn.layers.weight_values import check_size, give_weights, values_of
from runtime.nn.modules import names
from runtime.nn.modules.module import Module
from runtime.nn.registry import Identifier
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, slots=True)
class WeightOptions:
    """The options of one weight.

    Attributes:
        initializer: computes the initial value.
        regularizer: computes an additional loss, or None.
        constraint: applied after a step of an optimizer, or None.
    """

    initializer: Any
    regularizer: Any = None
    constraint: Any = None

    def create(self, layer: Any, name: str, shape: Any) -> Variable:
        """Add a weight to a layer, and return it."""
        weight: Variable = layer.add_weight(
            name=name,
            shape=shape,
            initializer=self.initializer,
            regularizer=self.regularizer,
            constraint=self.constraint,
        )
        return weight


def weight_options(
    initializer: Any, regularizer: Any = None, constraint: Any = None
) -> WeightOptions:
    """Return the options of a weight for identifiers: names, configs or objects.

    Raises:
        ArgumentValueError: a name is unknown.

    >>> weight_options("zeros", "l2").regularizer
    L2(l2=0.01)
    """
    return WeightOptions(
        initializers.get(initializer), regularizers.get(regularizer), constraints.get(constraint)
    )


# -- the base class of layers ----------------------------------------------------------------------


class Weighted(Module):
    """A module that creates weights by `add_weight` and collects those of the modules inside."""

    _own_kind = LayerAttributes
    _form_of_names = (r"[^/]*", "give a text without a /")
    _own: LayerAttributes

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        made._own.name = None
        made._own.dtype = float32
        made._own.config = bound_arguments(cls, args, kwargs)
        return made

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        if name is None:
            # Numbered in the order of construction, as in Keras: paths and files contain the names.
            self._own.name = names.unique_name(names.snake_case(type(self).__name__))

    # -- properties --------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        if self._own.name is None:
            self._own.name = names.unique_name(names.snake_case(type(self).__name__))
        return self._own.name

    @property
    def dtype(self) -> str:
        """The name of the dtype of its weights."""
        return str(self._own.dtype.name)

    variable_dtype = dtype
    compute_dtype = dtype

    @property
    def dtype_policy(self) -> DTypePolicy:
        """The dtype of its weights and of its computation; here they are the same."""
        return DTypePolicy(self.dtype)

    @property
    def path(self) -> str | None:
        """Its name, after the names of enclosing layers; None before it is built."""
        return self._own.path

    @property
    def built(self) -> bool:
        """True if it has its weights."""
        return self._own.built

    @built.setter
    def built(self, value: bool) -> None:
        self._own.built = flag(value, "built")

    @property
    def supports_masking(self) -> bool:
        """True if it passes the mask of its input on to its output."""
        return self._own.supports_masking

    @supports_masking.setter
    def supports_masking(self, value: bool) -> None:
        self._own.supports_masking = flag(value, "supports_masking")

    @property
    def input_spec(self) -> Any:
        """The input spec: an InputSpec, or a structure of them."""
        return self._own.input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        self._own.input_spec = value

    @property
    def trainable(self) -> bool:
        """True if training changes its weights; setting it also sets the layers inside."""
        return self._own.trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        freeze(self, flag(value, "trainable"))

    @property
    def activity_regularizer(self) -> Any:
        """The function that computes an additional loss from each output."""
        return self._own.activity_regularizer

    @property
    def output_shape(self) -> Any:
        """The shape of the last call's output."""
        if self._own.output_shape is None:
            raise NotBuiltError(f"layer {self.name!r} has not been called: call it first")
        return self._own.output_shape

    # -- weights -----------------------------------------------------------------------------------

    def add_weight(
        self,
        shape: ShapeLike | None = None,
        initializer: Identifier | None = None,
        dtype: DTypeLike | None = None,
        trainable: bool = True,
        autocast: bool = True,
        regularizer: Identifier | None = None,
        constraint: Identifier | None = None,
        aggregation: object = "none",
        overwrite_with_gradient: bool = False,
        name: str | None = None,
        **kwargs: Any,
    ) -> Variable:
        """Return a new variable of the layer.

        Args:
            shape: whole numbers, all known.
            initializer: computes the initial value; by default Glorot and Bengio's for floats,
                zeros for others.
            trainable: whether training changes it; never if the layer is not trainable.
            autocast, aggregation, overwrite_with_gradient: no effect here, since layers have one
                dtype and there is one device.
            regularizer: computes an additional loss from it.
            constraint: applied to it after each step of an optimizer.

        Raises:
            VariableCreationError: `call` adds one in each call.
        """
        self._check_first_call()
        if isinstance(shape, str):
            shape, name = (initializer or ()), shape  # Keras 2 had the name first.
            initializer = kwargs.pop("initializer", None)
        flag(autocast, "autocast")
        wanted = as_dtype(self._own.dtype if dtype is None else dtype)
        dims = _known_dims(() if shape is None else shape, self.name)
        check_size(self.name, dims)
        default = "glorot_uniform" if wanted.is_floating else "zeros"
        make = initializers.get(default if initializer is None else initializer)
        with creating_for_owner(self), recording(None):
            value = make(dims, dtype=wanted.name)
            called = plain_text(name, "name", "") or names.unique_name("variable")
            path = names.scoped(called, self.name)
            made = Variable(value, trainable, dtype=wanted, name=path)
        made._path = path
        made.constraint = constraints.get(constraint)
        own = self._own
        own.weights.append(made)
        if trainable and not own.trainable:
            made.trainable = False
            own.frozen.append(made)
        if regularizer is not None:
            own.regularized.append((made, regularizers.get(regularizer)))
        return made

    def _check_first_call(self) -> None:
        """Refuse a weight that a later call would add, beside the one of the first call."""
        own = self._own
        was_called = own.built and not own.building and own.output_shape is not None
        if was_called and is_in_call() and current_recorder() is None:
            raise VariableCreationError(
                f"layer {self.name!r} adds a weight in each call, which would be another one each "
                "time: add it in __init__, or in `def build(self, input_shape)`, as in "
                "self.w = self.add_weight(...)"
            )

    def _layers_inside(self) -> Sequence[Any]:
        """Return the modules whose variables count as those of this layer."""
        return modules_in(self)

    @property
    def variables(self) -> Sequence[Variable]:
        """All variables of the layer and of the modules inside, each one once."""
        return variables_below(self)

    @property
    def weights(self) -> Sequence[Variable]:
        """The variables without those of metrics and seed generators."""
        return [each for each in variables_below(self) if not hasattr(each, "is_no_weight")]

    @property
    def trainable_variables(self) -> Sequence[Variable]:
        return [each for each in self.variables if each.trainable]

    @property
    def non_trainable_variables(self) -> Sequence[Variable]:
        return [each for each in self.variables if not each.trainable]

    @property
    def trainable_weights(self) -> Sequence[Variable]:
        """The weights that training changes."""
        return [each for each in self.weights if each.trainable]

    @property
    def non_trainable_weights(self) -> Sequence[Variable]:
        """The weights that training does not change."""
        return [each for each in self.weights if not each.trainable]

    def get_weights(self) -> list[Array]:
        """Return the values of all weights as arrays, in the order of `weights`.

        In a function that is traced, each call reads them.
        """
        return values_of(self.weights)

    def set_weights(self, weights: Sequence[TensorLike]) -> None:
        """Give all weights other values, in the order of `weights`; in a Function, in each call.

        Raises:
            ArgumentValueError: there are fewer or more weights.
            ShapeError: a value has another shape than its weight.
            DTypeError: `weights` is not a list.
        """
        give_weights(self.name, self.weights, listed(weights, "weights"))

    def save_own_variables(self, store: Any) -> None:
        """Store the values of its own weights; a subclass may store further values.

        Files of models and of weights include the further values of a subclass.

        Args:
            store: takes arrays by names; here the indices of weights, as text.
        """
        store.update((str(at), each) for at, each in enumerate(values_of(own_variables(self))))

    def load_own_variables(self, store: Any) -> None:
        """Set its own weights from a store that `save_own_variables` has filled.

        Raises:
            ArgumentValueError, ShapeError: they do not match its weights.
        """
        own = own_variables(self)
        values = [store[key] for key in map(str, range(len(store))) if key in store]
        give_weights(self.name, own, values)

    def count_params(self) -> int:
        """Return the number of elements of its weights; FailedPreconditionError if not built."""
        if not self.built:
            raise FailedPreconditionError(
                f"layer {self.name!r} has no weights yet: call it, or build it for a shape"
            )
        return sum(each.shape.num_elements() or 0 for each in self.weights)


def _known_dims(shape: Any, name: str) -> tuple[int, ...]:
    dims = as_shape(shape).as_list()
    if any(dim is None for dim in dims):
        raise ArgumentValueError(
            f"layer {name!r} cannot make a weight of shape {tuple(dims)}: all of its sizes must "
            "be known"
        )
    return tuple(dim for dim in dims if dim is not None)
