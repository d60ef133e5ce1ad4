"""The order of the layers of a model made of inputs and outputs, which is that of its weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.nn.layers.symbolic import Later, Step
from runtime.ops.op import Op


def layers_by_depth(inputs: Sequence[Later], outputs: Sequence[Later]) -> list[Any]:
    """Return the layers on the ways from inputs to outputs in the order that Keras has.

    Those farthest from the outputs come first, and of one distance those that are met first on the
    way back from the outputs. An input that leads nowhere counts as near, and comes first there.

    >>> from runtime.nn.layers import Add, Dense, Input
    >>> x = Input((2,), name="x")
    >>> first, other = Dense(2, name="first")(x), Dense(2, name="other")(x)
    >>> last = Add(name="last")([Dense(2, name="second")(first), other])
    >>> [layer.name for layer in layers_by_depth([x], [last])]
    ['x', 'first', 'second', 'other', 'last']
    """
    met, finished = _walked_back(inputs, outputs)
    depths, of_steps = dict[int, int](), dict[int, int]()
    for step in reversed(finished):
        own = id(_caller(step))
        depths[own] = depth = max(of_steps.get(id(step), 0), depths.get(own, 0))
        for leaf in step.inputs:
            before = id(leaf.step)
            of_steps[before] = max(depth + 1, of_steps.get(before, 0))
    callees = {id(each): each for each in map(_caller, finished)}
    for leaf in inputs:
        if leaf.step is not None and id(leaf.step.callee) not in callees:
            callees[id(leaf.step.callee)] = leaf.step.callee
            met[id(leaf.step.callee)] = -1
    order = sorted(callees, key=lambda each: (-depths.get(each, 0), met[each]))
    return [callees[each] for each in order if not isinstance(callees[each], Step)]


def _caller(step: Step) -> Any:
    """Return the layer that a step calls; an op is called by its step alone."""
    return step if isinstance(step.callee, Op) else step.callee


def _walked_back(
    inputs: Sequence[Later], outputs: Sequence[Later]
) -> tuple[dict[int, int], list[Step]]:
    """Return when each caller is met on the way from outputs to inputs, and steps as they end."""
    given = {id(leaf) for leaf in inputs}
    met, begun, finished = dict[int, int](), set[int](), list[Step]()
    going: list[tuple[Step | None, Iterator[Later]]] = [(None, iter(outputs))]
    while going:
        step, before = going[-1]
        leaf = next(before, None)
        if leaf is None:
            going.pop()
            finished += [] if step is None else [step]
        elif leaf.step is not None and id(leaf.step) not in begun:
            begun.add(id(leaf.step))
            met.setdefault(id(_caller(leaf.step)), len(met))
            going.append((leaf.step, iter(() if id(leaf) in given else leaf.step.inputs)))
    return met, finished
