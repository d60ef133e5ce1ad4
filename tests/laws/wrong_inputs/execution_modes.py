"""The execution modes of a wrong call: eager, under a tape, and recorded with weaker specs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import runtime as rt
from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.executors.interpreter import run
from tests.laws.wrong_inputs.examples import Call
from tests.laws.wrong_inputs.verdict import Outcome, outcome_of, same_arrays

# How much is known of the shapes of what a graph is given.
KNOWN: dict[str, Callable[[TensorSpec], TensorSpec]] = {
    "full shapes": lambda spec: spec,
    "unknown dimensions": lambda spec: spec.with_shape((None,) * len(spec.shape)),
    "unknown ranks": lambda spec: spec.with_shape(None),
}
# An argument must be known while tracing, or only eager values have what is asked for.
_KNOWN_ONLY = (
    rt.errors.SymbolicTensorError,
    rt.errors.UnimplementedError,
    rt.errors.FailedPreconditionError,
)
# A graph may leave out what is wrong in their arguments: nobody uses it.
_UNUSED = {"rank", "get_static_value", "IndexedSlices", "identity_n", "shape_n", "shape", "size"}
_KNOWN = re.compile(r"\b(un)?known?\b|None|shape_invariants")


@dataclass
class Fault:
    """An outcome that must not be: the call, in which form, in which execution mode."""

    call: str
    mistake: str
    mode: str
    words: str

    def __str__(self) -> str:
        return f"{self.call} [{self.mistake}] {self.mode}: {self.words}"


def eager(call: Call) -> Outcome:
    """Make the call; an owner that it changes must be whole after a refusal."""

    function, owner = call.again()
    before = _held(owner)
    found = outcome_of(lambda: function(*call.args, **call.kwargs))
    if found.refused and not found.fault and not _same_held(before, _held(owner)):
        return Outcome(
            error=found.error, fault=f"refuses ({found.error}) and changes what it is of"
        )
    return found


def _held(owner: Any) -> list[Any]:
    """The values of the variables in an object."""
    if isinstance(owner, rt.Variable):
        return [owner.numpy()]
    variables = getattr(owner, "variables", ())
    return [variable.numpy() for variable in variables] if not callable(variables) else []


def _same_held(before: list[Any], after: list[Any]) -> bool:
    return len(before) <= len(after) and all(np.array_equal(a, b) for a, b in zip(before, after))


def with_tensors(call: Call) -> tuple[Call, list[EagerTensor]]:
    """Return the call with tensors in the place of arrays and lists of numbers, and those."""
    found: list[EagerTensor] = []

    def tensor_of(value: Any) -> Any:
        if isinstance(value, EagerTensor):
            found.append(value)
        elif isinstance(value, (np.ndarray, list)) and (made := _tensor(value)) is not None:
            found.append(made)
            return made
        elif isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            return type(value)(map(tensor_of, value))
        return value

    args = tuple(map(tensor_of, call.args))
    kwargs = {key: tensor_of(value) for key, value in call.kwargs.items()}
    changed = Call(call.name, call.function, args, kwargs, call.source, call.owner, call.method)
    return changed, found


def _tensor(value: Any) -> EagerTensor | None:
    try:
        made = rt.constant(value)
    except rt.errors.OpError:
        return None
    return made if made.dtype.kind in "biufc" else None


def recorded(call: Call, tensors: list[EagerTensor], known: str) -> Outcome:
    """Record the call with inputs of which so much is known, and run that."""
    graph = rt.Graph("law")

    def made() -> Any:
        stand_ins = {
            id(tensor): graph.add_input(KNOWN[known](tensor.spec), f"x{k}")
            for k, tensor in enumerate(tensors)
        }
        args, kwargs = _replaced((call.args, call.kwargs), stand_ins)
        function, _ = call.again()
        with graph.recording():
            outputs = leaves(function(*args, **kwargs))
        graph.set_outputs(outputs)
        graph.inferred = [output.spec for output in graph.outputs]
        return None

    traced = outcome_of(made)
    if traced.refused:
        return Outcome(error=traced.error, fault=traced.fault, value="trace")
    ran = outcome_of(lambda: run(graph, [t._array for t in tensors]))
    if ran.refused:
        return ran
    for array, spec in zip(ran.value, graph.inferred, strict=True):
        if not spec.contains(TensorSpec.of_array(array)):
            computed = TensorSpec.of_array(array)
            return Outcome(ran.value, fault=f"inferred {spec}, computed {computed}")
    return ran


def _replaced(value: Any, stand_ins: dict[int, Any]) -> Any:
    if id(value) in stand_ins:
        return stand_ins[id(value)]
    if type(value) in (list, tuple):
        return type(value)(_replaced(item, stand_ins) for item in value)
    if type(value) is dict:
        return {key: _replaced(item, stand_ins) for key, item in value.items()}
    return value


def leaves(value: Any) -> list[Tensor]:
    """Return the tensors in the result of a call."""
    return [leaf for leaf in nest.flatten(value) if isinstance(leaf, Tensor)]


def compared(call: Call, mistake: str) -> Iterator[Fault]:
    """Yield the faults of a call in recorded modes, compared with the eager call."""
    changed, tensors = with_tensors(call)
    if not tensors:
        return
    expected = eager(changed)
    if isinstance(call.owner, rt.data.Dataset) or call.name in _UNUSED:
        return
    if not expected.refused and not _is_of_tensors(expected.value):
        return
    if expected.fault:
        yield Fault(str(call), mistake, "eager with tensors", expected.fault)
        return
    is_random = _is_random(call) or (
        not expected.refused and bool(_values(expected, eager(changed)))
    )
    for known in KNOWN:
        got = recorded(changed, tensors, known)
        words = got.fault or _difference(expected, got, known, is_random)
        if words:
            yield Fault(str(call), mistake, known, words)
    if not expected.refused:
        words = under_a_tape(changed, tensors)
        if words:
            yield Fault(str(call), mistake, "gradient", words)


def _is_random(call: Call) -> bool:
    home = getattr(call.function, "__module__", "")
    # A layer that is not built makes its weights anew in each call.
    is_new = getattr(call.owner, "built", True) is False
    return home == "runtime.ops.random.seeded" or call.name == "dropout" or is_new


def _is_of_tensors(value: Any) -> bool:
    return all(isinstance(leaf, EagerTensor) for leaf in nest.flatten(value))


def _difference(expected: Outcome, got: Outcome, known: str, is_random: bool) -> str:
    if expected.refused:
        # What is not used is not run; and batches of unknown sizes are broadcast, as Keras's are.
        words = ("cannot be stacked", "all inputs must have one batch size")
        unseen = got.refused or not got.value or any(w in str(expected.error) for w in words)
        return "" if unseen else f"eager refuses it ({expected.error}), a graph does not"
    if got.refused:
        if isinstance(got.error, _KNOWN_ONLY) or _KNOWN.search(str(got.error)):
            return ""
        if known != "full shapes" and got.value != "trace":
            return ""
        if not isinstance(got.error, rt.errors.OpError):
            return ""  # The example's own function cannot be traced.
        return f"eager takes it, a graph does not: {type(got.error).__name__}: {got.error}"[:300]
    return "" if is_random else _values(expected, Outcome([EagerTensor(a) for a in got.value]))


def _values(expected: Outcome, got: Outcome) -> str:
    """Return the difference of two results, or ""."""
    arrays, others = ([leaf._array for leaf in leaves(each.value)] for each in (expected, got))
    if len(arrays) != len(others):
        return f"{len(arrays)} results, in a graph {len(others)}"
    for a, b in zip(arrays, others, strict=True):
        if not same_arrays(a, b) and not _nearly(a, b):
            return f"{a.dtype}{a.shape} {a!r}, in a graph {b.dtype}{b.shape} {b!r}"[:300]
    return ""


def _nearly(a: Any, b: Any) -> bool:
    """Tell whether floats differ no more than another order of the same steps explains."""
    if a.dtype != b.dtype or a.shape != b.shape or a.dtype.kind not in "fc":
        return False
    return bool(np.allclose(a, b, rtol=1e-6, atol=0, equal_nan=True))


def under_a_tape(call: Call, tensors: list[EagerTensor]) -> str:
    """Return the fault in the gradient of a call that gives something, or ""."""
    watched = [t for t in tensors if t._array.dtype.kind in "fc"]

    def made() -> Any:
        with rt.GradientTape() as tape:
            tape.watch(watched)
            function, _ = call.again()
            results = leaves(function(*call.args, **call.kwargs))
            targets = [r for r in results if r.dtype.kind in "fc"]
        return tape.gradient(targets, watched) if targets else []

    if not watched:
        return ""
    found = outcome_of(made)
    if found.refused:
        return found.fault
    for tensor, gradient in zip(watched, found.value):
        if gradient is None or not isinstance(gradient, EagerTensor):
            continue
        if gradient.spec != tensor.spec:
            return f"the gradient is {gradient.spec} for {tensor.spec}"
    return ""
