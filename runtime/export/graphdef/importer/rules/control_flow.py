"""Import of branches, loops and calls, which name functions of the library.

    StatelessIf(c, x) {then_branch: f}    ->    %cond = cond(%c, %x), with a region per function

The handle of a variable is the variable itself wherever it is passed. A loop variable that the body
returns unchanged becomes a value that the regions use from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import DataLossError, ShapeError
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.importer.rules.arithmetic import truth
from runtime.graph.control_flow import record_cond, record_switch, record_while
from runtime.graph.graph import Graph

# The shapes of loop variables become less specific in each attempt.
_MOST_ATTEMPTS = 8


def _call(step: NodeImport) -> Any:
    return step.body.functions.called(step.attrs.function("f"), step.inputs)


def _region(step: NodeImport, name: str, word: str, values: Sequence[Any]) -> tuple[Graph, Any]:
    """Return a region that runs a function on values from outside, and the function's results."""
    region = Graph(word, current_recorder())  # type: ignore[arg-type]
    with region.recording():
        found = step.body.functions.recorded(name, values)
    return region, found


# -- branches --------------------------------------------------------------------------------------


def _if(step: NodeImport) -> Any:
    step.attrs.skip("output_shapes")
    names = [step.attrs.function(word) for word in ("then_branch", "else_branch")]
    chooser = truth(step, step.tensor(0))
    regions, results = _branches(step, names, ("then", "else"))
    made = record_cond(chooser, regions[0], regions[1])
    return _merged(step, results, made)


def _case(step: NodeImport) -> Any:
    step.attrs.skip("output_shapes")
    names = step.attrs.functions("branches")
    if not names:
        raise DataLossError("it has no branches")
    words = [f"branch_{at}" for at in range(len(names))]
    regions, results = _branches(step, names, words)
    return _merged(step, results, record_switch(step.tensor(0), regions))


def _branches(
    step: NodeImport, names: Sequence[str], words: Sequence[str]
) -> tuple[list[Graph], list[Any]]:
    pairs = [_region(step, name, word, step.inputs[1:]) for name, word in zip(names, words)]
    if len({len(found) for _, found in pairs}) > 1:
        raise DataLossError("its branches have different numbers of results")
    for region, found in pairs:
        region.set_outputs([each for each in found if isinstance(each, Tensor)])
    return [region for region, _ in pairs], [found for _, found in pairs]


def _merged(step: NodeImport, results: Sequence[Any], made: Sequence[Any]) -> list[Any]:
    """Return the results of a branch; a variable must be the same in all of them."""
    tensors, merged = iter(made), []
    for row in zip(*results, strict=True):
        if all(isinstance(each, Tensor) for each in row):
            merged.append(next(tensors))
        elif all(each is row[0] for each in row):
            merged.append(row[0])
        else:
            raise step.unsupported("a branch selects one of several variables")
    return merged


# -- loops -----------------------------------------------------------------------------------------


def _while(step: NodeImport) -> Any:
    functions, inputs = step.body.functions, list(step.inputs)
    names = step.attrs.function("cond"), step.attrs.function("body")
    parameters = functions.function(names[1]).signature.input_arg
    changing = [
        at
        for at, value in enumerate(inputs)
        if isinstance(value, Tensor)
        and not (
            at < len(parameters)
            and functions.returned_parameter(names[1], at) == parameters[at].name
        )
    ]
    specs = _first_specs(step, changing)
    test, body = _regions(step, names, changing, specs)
    made = record_while(test, body, [step.tensor(at) for at in changing])
    for at, value in zip(changing, made):
        inputs[at] = value
    return inputs


def _first_specs(step: NodeImport, changing: Sequence[int]) -> list[TensorSpec]:
    """Return the specs of the loop variables: those declared, if their ranks are known."""
    declared = step.attrs.shapes("output_shapes") or (UNKNOWN,) * len(step.inputs)
    if len(declared) != len(step.inputs):
        raise DataLossError(f"it has {len(step.inputs)} inputs and {len(declared)} shapes")
    specs = []
    for at in changing:
        spec, shape = step.tensor(at).spec, declared[at]
        if spec.dtype.is_variant or shape.rank is None:
            specs.append(TensorSpec(spec.shape, spec.dtype))
        elif not shape.is_compatible_with(spec.shape):
            raise ShapeError(f"input {at} has shape {spec.shape}, and is declared as {shape}")
        else:
            specs.append(TensorSpec(TensorShape.join(shape, spec.shape), spec.dtype))
    return specs


def _regions(
    step: NodeImport, names: tuple[str, str], changing: Sequence[int], specs: list[TensorSpec]
) -> tuple[Graph, Graph]:
    """Return the test and the body; shapes that an iteration changes become less specific."""
    for _ in range(_MOST_ATTEMPTS):
        body, found = _loop_region(step, names[1], "body", changing, specs)
        if len(found) != len(step.inputs):
            raise DataLossError(f"its body returns {len(found)} values, not {len(step.inputs)}")
        _check_constants(step, changing, found)
        joined = [_joined(spec, found[at]) for at, spec in zip(changing, specs)]
        if joined == specs:
            break
        specs[:] = joined
    else:
        raise ShapeError("the shapes of its variables change in each iteration")
    body.set_outputs([found[at] for at in changing])
    test, found = _loop_region(step, names[0], "test", changing, specs)
    if len(found) != 1:
        raise DataLossError(f"its test returns {len(found)} values, not one")
    with test.recording():
        condition = truth(step, found[0])
    test.set_outputs([condition])
    return test, body


def _loop_region(
    step: NodeImport, name: str, word: str, changing: Sequence[int], specs: Sequence[TensorSpec]
) -> tuple[Graph, list[Any]]:
    region = Graph(word, current_recorder())  # type: ignore[arg-type]
    values = list(step.inputs)
    parameters = step.body.functions.function(name).signature.input_arg
    for at, spec in zip(changing, specs):
        given = parameters[at].name if at < len(parameters) else "loop_var"
        values[at] = region.add_input(spec, given)
    with region.recording():
        found = step.body.functions.recorded(name, values)
    return region, found


def _check_constants(step: NodeImport, changing: Sequence[int], found: Sequence[Any]) -> None:
    for at, value in enumerate(step.inputs):
        if at not in changing and not isinstance(value, Tensor) and found[at] is not value:
            raise step.unsupported("an iteration replaces one variable by another one")


def _joined(spec: TensorSpec, value: Any) -> TensorSpec:
    if not isinstance(value, Tensor):
        raise DataLossError("an iteration returns a variable in place of a tensor")
    return TensorSpec(TensorShape.join(spec.shape, value.shape), spec.dtype)


RULES: dict[str, Rule] = {
    "Case": _case,
    "If": _if,
    "PartitionedCall": _call,
    "StatefulPartitionedCall": _call,
    "StatelessCase": _case,
    "StatelessIf": _if,
    "StatelessWhile": _while,
    "While": _while,
}
