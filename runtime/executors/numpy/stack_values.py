"""Stacks as texts: what is written for the ops on lists that are Python's own.

kept = []
while ...:
    kept.append((tanh, x))
while len(kept) > 0:
    t, x = kept.pop()
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.executors.numpy.moves import Moved
from runtime.executors.numpy.names import Names
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.numbers.expression import CALL
from runtime.executors.numpy.stacks import (
    NOTHING,
    NUMBER,
    STACK,
    Leaves,
    Stack,
    Stacks,
    is_change,
    put_by,
    taken_by,
)
from runtime.executors.numpy.values import Pending, Values
from runtime.executors.numpy.writing import Place
from runtime.executors.plan import Run, Slot
from runtime.item_list import Item, ItemList
from runtime.ops.list_kernels import checked, held_list
from runtime.tensor import Array, SymbolicTensor
from runtime.variant import boxed

# Ops that are told which item they mean.
_AT_A_PLACE = {"list_get": "{}[{}]", "list_set": "{}[{}]", "list_pop": "{}.pop({})"}


class StackValues(Values):
    """Values of a plan as texts, stacks among them.

    Args:
        numbers: what is known of the numbers.
        held: the slots that hold numbers.
        stacks: the slots that hold stacks.
        names: the names of the function; new ones by default.
    """

    def __init__(
        self, numbers: Numbers, held: set[Slot], stacks: Stacks, names: Names | None = None
    ) -> None:
        super().__init__(numbers, held, names)
        self.stacks = stacks

    def array_text(self, slot: Slot, tensor: SymbolicTensor) -> str:
        stack = self.stacks.of(slot)
        if stack is None:
            return super().array_text(slot, tensor)
        make: Any = _as_value
        if NUMBER in stack.parts:
            dtypes = [None if each is None else each.np_dtype for each in stack.dtypes]
            make = partial(_with_arrays, dtypes)
        return f"{self.names.of_object(make, 'as_list')}({self.name_of(slot)})"

    def moved(self, slot: Slot, source: Slot) -> Moved:
        if self.stacks.of(slot) is None:
            return super().moved(slot, source)
        if source in self.stacks.empty:
            return Moved(slot, frozenset(), "[]")
        return Moved(slot, frozenset([source]), self.name_of(source))

    def stack_of_value(self, name: str) -> str:
        """Return what makes a stack of a list that is a value."""
        return f"{self.names.of_object(_as_stack, 'items_of')}({name})"

    def change_stack(self, run: Run, stack: Stack, is_read_once: bool) -> None:
        """Write what a node does to a stack.

        Args:
            run: the node.
            stack: what is known of the stack.
            is_read_once: whether one statement of the same block reads the result, and only that.
        """
        name = run.node.op.name
        own = self.name_of(run.writes[0] if name == "list_of" else run.reads[0])
        if name == "list_length":
            self._length(run, own, is_read_once)
            return
        taken = taken_by(run)
        items = [self._item(leaves, stack) for leaves in put_by(run)]
        index = self._index(run) if name in _AT_A_PLACE else ""
        for slot in run.reads:
            self.pending.pop(slot, None)
        for slot in (*run.reads[:1], *run.writes):
            self.settle_readers_of(slot)
        if taken is not None:
            self._take(run, stack, taken, _AT_A_PLACE[name].format(own, index))
        elif name in _AT_A_PLACE:
            self._line(run, f"{_AT_A_PLACE[name].format(own, index)} = {items[0]}")
        elif name == "list_append":
            self._line(run, f"{own}.append({items[0]})")
        else:
            self._line(run, f"{own} = [{', '.join(items)}]")
        if (
            is_change(run)
            and run.writes[0] is not run.reads[0]
            and run.writes[0] in self.stacks.read
        ):
            self._line(run, f"{self.name_of(run.writes[0])} = {own}")

    def _index(self, run: Run) -> str:
        """Return the place of an item; none is asked for where it is the last one that goes."""
        if len(run.reads) == 1:
            return ""
        slot, tensor = run.reads[1], run.node.inputs[1]
        if run.node.op.name == "list_pop" and slot.value is not None and slot.value == -1:
            return ""
        if self.numbers.holds(tensor):
            return self.numbers.wrapped(tensor, self.number(slot, tensor).text)
        return f"int({self.array_text(slot, tensor)})"

    def _length(self, run: Run, own: str, is_read_once: bool) -> None:
        (slot,), (tensor,) = run.writes, run.node.outputs
        length = f"len({own})"
        self.settle_readers_of(slot)
        if slot not in self.held:
            self._line(run, f"{self.name_of(slot)} = {self.numbers.to_array(tensor, length)}")
        elif is_read_once:
            self.pending[slot] = Pending(Expression(length, CALL), frozenset(run.reads))
        else:
            self._line(run, f"{self.name_of(slot)} = {length}")

    def _item(self, leaves: Leaves, stack: Stack) -> str:
        pairs = zip(leaves, stack.parts)
        texts = [self._part(*leaf, kind) for leaf, kind in pairs if kind != NOTHING]
        return f"({', '.join(texts)}{',' * (len(texts) == 1)})"  # Also `()`.

    def _part(self, slot: Slot, tensor: SymbolicTensor, kind: str) -> str:
        if kind == STACK:
            return self.name_of(slot)
        if kind == NUMBER:
            return self.numbers.wrapped(tensor, self.number(slot, tensor).text)
        return self.array_text(slot, tensor)

    def _take(self, run: Run, stack: Stack, leaves: Leaves, call: str) -> None:
        if stack.is_given:
            # Nobody here has put them there.
            specs: Any = run.node.attrs["specs"]
            call = f"{self.names.of_object(checked, 'checked')}({call}, "
            call += f"{self.names.of_object(specs, 'specs')})"
        parts = [(leaf, kind) for leaf, kind in zip(leaves, stack.parts) if kind != NOTHING]
        names = [self._name_of_part(*leaf, kind) for leaf, kind in parts]
        targets = f"{', '.join(names)}{',' * (len(names) == 1)} = " if names else ""
        self._line(run, f"{targets}{call}")
        for name, ((slot, tensor), kind) in zip(names, parts):
            if name != self.name_of(slot):
                make = self.numbers.to_array if kind == NUMBER else self.numbers.from_array
                self._line(run, f"{self.name_of(slot)} = {make(tensor, name)}")

    def _name_of_part(self, slot: Slot, tensor: SymbolicTensor, kind: str) -> str:
        """Return what takes a part of an item: a name of its own if it is to be converted."""
        is_as_kept = kind == STACK or (slot in self.held) == (kind == NUMBER)
        return self.name_of(slot) if is_as_kept else self.names.fresh(slot.name)

    def _line(self, run: Run, text: str) -> None:
        # What these raise is what the kernels raise.
        self.lines.add(text, Place(run.node, ()))


def _as_value(items: Iterable[Item]) -> Array:
    return boxed(ItemList(items))


def _with_arrays(dtypes: Sequence[Any], items: Iterable[Sequence[Any]]) -> Array:
    """Return a list whose numbers have become arrays of their dtypes, None for what is none."""
    return _as_value(
        tuple([leaf if to is None else np.array(leaf, to) for leaf, to in zip(item, dtypes)])
        for item in items
    )


def _as_stack(value: Array) -> list[Item]:
    return held_list(value).items()
