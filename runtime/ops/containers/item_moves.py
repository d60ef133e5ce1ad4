"""Gradients of ops that move list items: slices, reversals, insertions.

The op's kernel, run on lists of marks in place of items, tells where each item of the result comes
from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, TypeAlias, cast

from runtime.core.item_list import ItemList
from runtime.core.list_gradient import ItemGradients
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.ops.arrays.index import HashableSlice
from runtime.ops.containers.item_gradients import gradients_in, has_gradient, leaf_or_zeros
from runtime.ops.op import REGISTRY, Op, apply, define

Attrs: TypeAlias = tuple[tuple[Literal["span"], HashableSlice], ...]
# For each operand, whether it is a list.
AreLists: TypeAlias = tuple[bool, ...]
# Ops that make one list from the items of others.
_MOVERS = frozenset(
    "list_delete list_delete_slice list_extend list_insert list_repeat list_reverse list_set_slice "
    "list_slice list_take".split()
)
Forward: TypeAlias = Annotated[str, _MOVERS]

# The mark of an item that comes from tensor operands, not from a list.
_GIVEN: Any = "given"


def _origins(op: str, attrs: Attrs, lists: AreLists, inputs: Sequence[Array]) -> Any:
    """Return for each item of the result the input it comes from, and its index there."""
    marked: list[Any] = []
    for at, (value, is_list) in enumerate(zip(inputs, lists, strict=True)):
        if is_list:
            length = len(unboxed(value))
            marked.append(boxed(ItemList(cast(Any, (at, position)) for position in range(length))))
        elif has_leaf(op, at):
            if at == _FIRST_LEAF[op]:
                marked.append(_GIVEN)
        else:
            marked.append(value)
    kernel: Any = REGISTRY[op].kernel
    return unboxed(kernel(*marked, **dict(attrs))).items()


# For ops that insert an item, the index of the first operand that is a tensor of the item.
_FIRST_LEAF = {"list_insert": 2}


def has_leaf(op: str, at: int) -> bool:
    """Return whether an operand of an op is a tensor of a new item."""
    return at >= _FIRST_LEAF.get(op, at + 1)


def _moves_kernel(
    gradients: Array, *inputs: Array, forward: Forward, settings: Attrs, lists: AreLists
) -> tuple[Array, ...]:
    given = gradients_in(gradients)
    parts: dict[int, list[Any]] = {at: [] for at, is_list in enumerate(lists) if is_list}
    leaves: Any = ()
    for position, (source, *where) in enumerate(_origins(forward, settings, lists, inputs)):
        if source is _GIVEN:
            leaves = given.at(position)
        elif found := given.at(position):
            parts[source].append((where[0], found))
    results = [boxed(ItemGradients(each)) for each in parts.values()]
    for at, like in _leaves_of(forward, inputs):
        results.append(leaf_or_zeros(leaves, at, like))
    return tuple(results)


def _adjoint_kernel(*values: Array, forward: Forward, settings: Attrs, lists: AreLists) -> Array:
    inputs, dys = values[: len(lists)], values[len(lists) :]
    places = [at for at, is_list in enumerate(lists) if is_list]
    of_list = {at: gradients_in(dy) for at, dy in zip(places, dys)}
    rest = dict(zip((at for at, _ in _leaves_of(forward, inputs)), dys[len(places) :]))
    width = len(inputs) - _FIRST_LEAF.get(forward, len(inputs))
    parts: list[Any] = []
    for position, (source, *where) in enumerate(_origins(forward, settings, lists, inputs)):
        if source is _GIVEN:
            parts.append((position, tuple(rest.get(at) for at in range(width))))
        elif found := of_list[source].at(where[0]):
            parts.append((position, found))
    return boxed(ItemGradients(parts))


def _leaves_of(op: str, inputs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Yield the tensors of a new item that have gradients, each after its index in the item."""
    first = _FIRST_LEAF.get(op, len(inputs))
    for at, like in enumerate(inputs[first:]):
        if like.dtype.kind in "fcV":
            yield at, like


def _moves_infer(
    gradients: TensorSpec,
    *inputs: TensorSpec,
    forward: Forward,
    settings: Attrs,
    lists: AreLists,
) -> tuple[TensorSpec, ...]:
    return (*[VARIANT] * sum(lists), *(like.unnamed() for _, like in _leaves_of(forward, inputs)))


def _moves_grad(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> Any:
    back = apply(ADJOINT, (*inputs[1:], *dys), **attrs)
    return back, *[None] * (len(inputs) - 1)


def _adjoint_grad(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> Any:
    count = len(attrs["lists"])
    return *[None] * count, *apply(MOVES, (dys[0], *inputs[:count]), **attrs)


MOVES: Op = define(
    "move_item_gradients", _moves_kernel, _moves_infer, kinds="V", n_outputs=None, grad=_moves_grad
)
ADJOINT: Op = define(
    "move_item_gradients_back",
    _adjoint_kernel,
    lambda *inputs, **attrs: VARIANT,
    kinds="V",
    grad=_adjoint_grad,
)


def moved(op: str) -> Any:
    """Return the gradient of an op that makes one list from the items of others."""

    assert op in _MOVERS, op

    def grad(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        is_list = tuple(
            each.dtype.is_variant and not has_leaf(op, at) for at, each in enumerate(inputs)
        )
        frozen = tuple(attrs.items())
        found = list(apply(MOVES, (dys[0], *inputs), forward=op, settings=frozen, lists=is_list))
        lists = [found.pop(0) if each else None for each in is_list]
        return tuple(
            found.pop(0) if has_leaf(op, at) and has_gradient(each) else lists[at]
            for at, each in enumerate(inputs)
        )

    return grad
