"""Models for inference: an object with one function, a call of the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.errors import SignatureError
from autograph.functions.decorator import function
from autograph.saved_model.contents import (
    DEFAULT,
    Saveable,
    functions_of,
    graphs_of,
    make_missing_traces,
    traced_call,
    traced_function,
)
from autograph.saved_model.model_call import infer, inputs_of
from autograph.saved_model.saving import save
from runtime.export.report import Omission
from runtime.nn.modules.module import Module
from runtime.state.variable import Variable
from runtime.train.object_graph import objects_in

SERVE = "serve"


class ServedModel(Module):
    """The object that is exported for a model: the function `serve`, and the variables it uses.

    The states that a layer keeps from call to call are no variables of the model.
    """

    def __init__(self, model: Any, signature: Sequence[Any]) -> None:
        super().__init__()
        self.weights = list(model.variables)

        def serve(*inputs: Any) -> Any:
            return infer(model, *inputs)

        self.serve = function(serve, input_signature=signature)
        held = {id(each) for each in self.weights}
        used = self.serve.get_concrete_function().variables
        traced_call(model, self.serve)
        self.states = [each for each in used if id(each) not in held]

    def take_functions(self, model: Any) -> list[Omission]:
        """Take the model's own Functions as attributes; return why others stay behind.

        The layers are not among the objects of the file, so their Functions stay behind.
        """
        held = {id(each) for each in (*self.weights, *self.states)}
        left = list[Omission]()
        for name, each in functions_of(model):
            if name in vars(self) or hasattr(type(self), name):
                left.append(Omission(name, "the exported object has another of this name"))
                continue
            try:
                make_missing_traces(each)
                traced_function(each)
            except SignatureError as error:
                left.append(Omission(name, error.message))
                continue
            vars(self)[name] = each
            for variable in captured_variables(each):
                if id(variable) not in held:
                    held.add(id(variable))
                    self.states.append(variable)
        for part in objects_in(model)[1:]:
            left += [
                Omission(".".join((*part.path, name)), "a model is exported without its layers")
                for name, _ in functions_of(part.value)
            ]
        return left

    def signatures(self) -> dict[str, Any]:
        """Return the signatures that a server offers; several inputs are called by their names."""
        return dict.fromkeys((DEFAULT, SERVE), self.serve)


def served_model(model: Any, input_signature: Any = None) -> ServedModel:
    """Return the object that is exported for a model.

    Args:
        model: a built model.
        input_signature: the specs of its inputs; by default as declared, or from its first call.

    Raises:
        NotBuiltError: the model is not told the shape of its inputs.

    >>> from runtime.nn import Sequential, layers
    >>> model = Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    >>> served_model(model).serve([[1.0, 2.0]]).numpy().tolist()
    [[3.0]]
    """
    signature = inputs_of(model) if input_signature is None else list(input_signature)
    return ServedModel(model, signature)


def export_model(model: Any, filepath: Any, input_signature: Any = None) -> None:
    """Write a built model to a folder as a SavedModel; see `Model.export`.

    >>> import tempfile
    >>> from autograph.saved_model.loading import load
    >>> from runtime.nn import Sequential, layers
    >>> model = Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_model(model, folder)
    ...     load(folder).serve([[1.0, 2.0]]).numpy().tolist()
    [[3.0]]
    """
    exported = served_model(model, input_signature)
    save(exported, filepath, exported.signatures())


def captured_variables(called: Saveable) -> list[Variable]:
    """Return the variables that the traces of a function use, each once."""
    held = [each.outer for graph in graphs_of(called) for each in graph.captures]
    return list({id(each): each for each in held if isinstance(each, Variable)}.values())
