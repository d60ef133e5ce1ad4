"""The call of a model for inference, as a Function of its inputs."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.stateful_function import StatefulConcreteFunction
from autograph.functions.decorator import function
from autograph.functions.function import Function
from autograph.syntax.origin import SourceSpan
from autograph.syntax.user_lines import change_of, result_of
from runtime import nest
from runtime.core.internal_files import is_internal_file
from runtime.core.spec import TensorSpec
from runtime.errors import NotBuiltError
from runtime.nn.layers.call_context import parameters_of
from runtime.nn.layers.layer import specs
from runtime.train.object_graph import objects_in


def call_of(model: Any) -> Function:
    """Return the call of a model as a Function of `inputs`, as TensorFlow saves it.

    Raises:
        NotBuiltError: the model is not told the shape of its inputs.

    >>> from runtime.nn import Sequential, layers
    >>> model = Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    >>> call_of(model)([[1.0, 2.0]]).numpy().tolist()
    [[3.0]]
    """
    (given,) = inputs_of(model)

    def call(inputs: Any) -> Any:
        return infer(model, inputs)

    unnamed = nest.map_structure(lambda each: TensorSpec(each.shape, each.dtype), given)
    return function(call, input_signature=[unnamed])


def infer(model: Any, *inputs: Any) -> Any:
    """Call a model, without training if it asks.

    >>> from runtime.nn import Sequential, layers
    >>> infer(Sequential([layers.Dropout(0.5)]), [[1.0, 2.0]]).numpy().tolist()
    [[1.0, 2.0]]
    """
    takes, takes_any = parameters_of(model)
    return model(*inputs, training=False) if "training" in takes or takes_any else model(*inputs)


def inputs_of(model: Any) -> list[Any]:
    """Return the specs of the model's inputs, as declared or from its first call.

    Raises:
        NotBuiltError: neither is known, or the call takes other arguments, of which none is known.

    >>> from runtime.nn import Sequential, layers
    >>> inputs_of(Sequential([layers.Dense(1, input_shape=(2,))]))[0].shape
    TensorShape([None, 2])
    """
    try:
        inspect.signature(model.call).bind(None)
    except TypeError:
        raise NotBuiltError(
            f"the call of model {model.name!r} takes several arguments: give "
            "export(..., input_signature=[...])"
        ) from None
    try:
        return [nest.map_structure(_spec_of_input, model.input)]
    except NotBuiltError:
        shape = model._own.build_shape
    if shape is None:
        raise NotBuiltError(
            f"model {model.name!r} does not know the shape of its inputs: call it, or give "
            "export(..., input_signature=[...])"
        )
    known = model._own.build_specs
    if known is not None and all(isinstance(each, TensorSpec) for each in nest.flatten(known)):
        return [known]
    return [specs(shape, model._input_dtype or model._own.dtype)]


def line_in_call(model: Any, concrete: ConcreteFunction) -> SourceSpan | None:
    """Return the line of the user's `call`, of the model or a layer, for a failure to save.

    It is the line that changes state of Python, else the one that returns.
    """
    names = concrete.names_of_state if isinstance(concrete, StatefulConcreteFunction) else ""
    written = [ast.literal_eval(each) for each in names.split(", ") if each]
    own = ["self." + each.removesuffix("[:]").rpartition(".")[2] for each in written]
    calls = [getattr(type(part.value), "call", None) for part in objects_in(model)]
    places = [change_of(call, own) if own else result_of(call) for call in calls]
    users = [each for each in places if each is not None and not is_internal_file(each.filename)]
    return next((each for each in users if each.column is not None), users[0] if users else None)


def _spec_of_input(value: Any) -> TensorSpec:
    return TensorSpec(value.shape, value.dtype, value.name)
