"""Loops that walk over objects which lead to each other: rings, linked lists, trees."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.control import linked_structures
from autograph.backends.graph.values import join
from autograph.errors import LoopMismatch


class Node:
    def __init__(self, value, next=None):
        self.value, self.next, self.prev = value, next, None


@dataclass
class Link:
    value: int
    next: Link | None = None
    prev: Link | None = None


class SlottedNode:
    __slots__ = ("next", "prev", "value")

    def __init__(self, value):
        self.value, self.next, self.prev = value, None, None


KINDS = pytest.mark.parametrize("kind", [Node, Link, SlottedNode])


def ring(kind, count):
    nodes = [kind(value) for value in range(count)]
    for at, node in enumerate(nodes):
        node.next, node.prev = nodes[(at + 1) % count], nodes[at - 1]
    return nodes


def chain(kind, *values):
    head = None
    for value in reversed(values):
        node = kind(value)
        node.next, head = head, node
    return head


def agrees(make, *cases):
    """Compare results and the nodes that are left, staged and in Python, from new nodes each."""
    for case in cases:
        (function, nodes), (other, same_nodes) = make(), make()
        values = [rt.constant(value) for value in case]
        staged = ag.function(function)(*values)
        assert shown(other(*values)) == shown(staged)
        assert places(same_nodes) == places(nodes)


def shown(result):
    return [shown(each) for each in result] if isinstance(result, (list, tuple)) else int(result)


def places(nodes):
    """Return each node's value, and the positions of its neighbours."""
    at = {id(node): place for place, node in enumerate(nodes)}
    return [(int(n.value), at.get(id(n.next)), at.get(id(n.prev))) for n in nodes]


@KINDS
@pytest.mark.parametrize("count", [1, 3, 20])
def test_a_ring_is_walked_around_and_changed(kind, count):
    def make():
        nodes = ring(kind, count)

        def f(steps):
            node, total = nodes[0], 0
            while steps > 0:
                total += node.value
                node.value += steps
                node = node.next
                steps -= 1
            return total, node.value

        return f, nodes

    agrees(make, (0,), (1,), (7,))


@KINDS
def test_a_node_is_removed_and_put_in_front(kind):
    def make():
        nodes = ring(kind, 4)
        head = nodes[0]

        def f(value):
            node = head.next
            while node is not head and node.value != value:
                node = node.next
            if node is not head:
                node.prev.next = node.next
                node.next.prev = node.prev
                node.next, node.prev = head.next, head
                head.next.prev = node
                head.next = node
            return head.next.value, head.prev.value

        return f, nodes

    agrees(make, (1,), (3,), (9,))


@KINDS
def test_a_new_node_is_put_between_two_that_a_loop_finds(kind):
    def f(value):
        head = chain(kind, 1, 3, 5)
        node = head
        while node.next is not None and node.next.value < value:
            node = node.next
        new = kind(value)
        new.next = node.next
        node.next = new
        values, node = [], head
        while node is not None:
            values.append(node.value)
            node = node.next
        return values

    for value in (0, 2, 9):
        x = rt.constant(value)
        assert shown(f(x)) == shown(ag.function(f)(x))


@KINDS
def test_a_list_is_turned_round(kind):
    def make():
        head = chain(kind, 1, 2, 3, 4)
        nodes = [head, head.next, head.next.next, head.next.next.next]

        def f(steps):
            turned, node = None, head
            while node is not None and steps > 0:
                following = node.next
                node.next = turned
                turned, node = node, following
                steps -= 1
            return -1 if turned is None else turned.value

        return f, nodes

    agrees(make, (0,), (1,), (3,), (9,))


def test_a_long_list_is_walked_to_its_end():
    def make():
        head = chain(Node, *range(60))

        def f(steps):
            node, total = head, 0
            while node is not None and steps > 0:
                total += node.value
                node = node.next
                steps -= 1
            return total

        return f, [head]

    agrees(make, (0,), (59,), (70,))


def test_a_method_changes_the_attribute_that_another_attribute_leads_through():
    class Ring:
        def __init__(self):
            self.nodes = ring(Node, 3)
            self.at = self.nodes[0]

        def advance(self):
            self.at = self.at.next

        def rotate(self, steps):
            while steps > 0:
                self.advance()
                self.at.value += 10
                steps -= 1
            return self.at.value

    def make():
        whole = Ring()
        return whole.rotate, whole.nodes

    agrees(make, (0,), (1,), (5,))


def test_a_ring_that_an_iteration_makes_is_walked_in_it():
    def f(counts):
        values = []
        for count in counts:
            nodes = ring(Node, 3)
            node = nodes[0]
            while count > 0:
                node.value += count
                node = node.next
                count -= 1
            values.append(node.value)
        return values

    counts = rt.constant([0, 1, 5])
    assert shown(f(counts)) == shown(ag.function(f)(counts))


def test_a_ring_that_holds_itself_as_a_result_is_refused_by_name():
    node = ring(Link, 2)[0]
    with pytest.raises(ag.errors.SignatureError, match=r"the result of f holds itself \(a Link\)"):

        @ag.function
        def f(x):
            return node if x is not None else None

        f(rt.constant(1))


def test_attributes_of_several_objects_are_looked_up_without_conditionals():
    nodes = ring(Node, 5)

    @ag.function
    def f(steps):
        node = nodes[0]
        while steps > 0:
            node = node.next
            steps -= 1
        return node.value

    text = f.get_concrete_function(rt.TensorSpec((), rt.int32)).graph.as_text()
    assert "gather" in text
    assert "cond" not in text


def test_a_walk_over_too_many_objects_raises_an_error_with_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (join, linked_structures):
        monkeypatch.setattr(module, "MOST_OBJECTS", 10)
    head = ring(Node, 15)[0]

    @ag.function
    def walked(steps):
        cur = head
        while steps > 0:
            cur, steps = cur.next, steps - 1
        return cur.value

    with pytest.raises(LoopMismatch, match=r"'cur' is one of 10 .* no more: keep what they"):
        walked(rt.constant(3))
