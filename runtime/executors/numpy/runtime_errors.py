"""Reports the exceptions of printed functions with the op and the user's line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from runtime.executors.error_locations import locate
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import run_kernel, user_error_of
from runtime.passes.node_traits import kernel_op


class LineTable(NamedTuple):
    """The nodes of a printed function's lines, and the nodes around those in regions.

    A node without a line in the user's program has that of the node around it.
    """

    nodes: Mapping[int, PrintedNode]
    owners: Mapping[Node, Node]


# A node of a printed function, its frame, and the nodes around those in regions.
ActiveNode: TypeAlias = "tuple[PrintedNode, FrameType, Mapping[Node, Node]]"

# The line tables of printed functions, by file name.
LINE_TABLES: dict[str, LineTable] = {}


def owners_in(graph: Graph) -> dict[Node, Node]:
    """Return, for the nodes in regions that have no line of their own, the nodes around them."""
    owners: dict[Node, Node] = {}
    for node in graph.walk():
        for region in node.regions:
            owners.update((inner, node) for inner in region.nodes if inner.origin is None)
    return owners


def translate_error(error: BaseException, within: Node | None = None) -> BaseException:
    """Return the error to raise for one that a printed function raised.

    It may be the same error, with the user's line added: a kernel's own error with a full message,
    a KeyboardInterrupt, an error that has a line already.

    Args:
        error: the error, which is being handled.
        within: the node whose region handles it, None if it leaves the graph.
    """
    places = _places(error.__traceback__)
    error = _translate(error, places)
    for at, (place, _, owners) in reversed(list(enumerate(places))):
        node: Node | None = place.node
        while node is not None and (at or node is not within):
            locate(error, node)
            node = owners.get(node)
    return error


def translated(error: BaseException) -> BaseException:
    """Return the error to raise for one that a printed function raised, without adding lines."""
    return _translate(error, _places(error.__traceback__))


def raise_unchanged(error: BaseException) -> NoReturn:
    """Raise an error with its `__context__` unchanged."""
    context, is_suppressed = error.__context__, error.__suppress_context__
    try:
        raise error
    finally:
        error.__context__, error.__suppress_context__ = context, is_suppressed


def _places(traceback: TracebackType | None) -> list[ActiveNode]:
    """Return the nodes that printed functions were executing, outermost first."""
    found = []
    while traceback is not None:
        frame = traceback.tb_frame
        table = LINE_TABLES.get(frame.f_code.co_filename)
        place = None if table is None else table.nodes.get(traceback.tb_lineno)
        if table is not None and place is not None:
            found.append((place, frame, table.owners))
        traceback = traceback.tb_next
    return found


def _translate(error: BaseException, places: Sequence[ActiveNode]) -> BaseException:
    if not places or not isinstance(error, Exception) or getattr(error, "_located", False):
        return error
    place, frame, _ = places[-1]
    return _translate_at(error, place, frame)


def _translate_at(error: Exception, place: PrintedNode, frame: FrameType) -> BaseException:
    node = place.node
    if node.op.kernel is None or len(place.operands) != len(node.inputs):
        return error
    values = _values_in(frame, place.operands)
    arrays = [_as_operand(value, node, at) for at, value in enumerate(values)]
    if not place.by_kernel:
        found = _raised_by_kernel(node, arrays)
        if found is not None:
            _remove_from_contexts(error, found)
        return found or error
    translation = user_error_of(error, kernel_op(node), arrays, node.attrs)
    if translation is None or translation is error:
        return error
    translation.__context__, translation.__suppress_context__ = error, True
    return translation


def _values_in(frame: FrameType, texts: Sequence[str]) -> list[Any]:
    around, own = frame.f_globals, frame.f_locals
    try:
        return [eval(_code_of(text), around, own) for text in texts]
    finally:
        if type(own) is dict:
            # Before 3.13 this dict is a copy, which the frame would keep alive with its values.
            own.clear()


@lru_cache(maxsize=1024)
def _code_of(text: str) -> CodeType:
    return compile(text, "<operand>", "eval")


def _raised_by_kernel(node: Node, arrays: Sequence[Any]) -> BaseException | None:
    try:
        run_kernel(kernel_op(node), arrays, node.attrs)
    except BaseException as error:
        return error
    return None


def _remove_from_contexts(handled: BaseException, error: BaseException) -> None:
    """Remove a handled error from the chain of contexts of another error."""
    each: BaseException | None = error
    while each is not None:
        if each.__context__ is handled:
            each.__context__ = None
        each = each.__context__


def _as_operand(value: Any, node: Node, at: int) -> Any:
    """Return an operand as a kernel takes it: a number is converted to an array."""
    if not isinstance(value, (bool, int, float, range, np.generic)):
        return value
    dtype = node.inputs[at].spec.dtype.np_dtype
    if type(value) is int and dtype.kind in "iu":
        # An unwrapped number is reduced to its low bits.
        low = value & ((1 << 8 * dtype.itemsize) - 1)
        return np.array(low, f"u{dtype.itemsize}").view(dtype)
    return np.array(value, dtype)
