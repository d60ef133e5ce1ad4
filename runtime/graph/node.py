"""A node: one recorded use of an op, with its operands, attributes, regions and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.context import Origin
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.ops.op import Op, output_specs

if TYPE_CHECKING:
    from runtime.graph.graph import Graph


# TensorFlow's types of ops that have one name without effects and another one with effects.
_TYPES = {
    "placeholder": ("Placeholder", "Placeholder"),
    "cond": ("StatelessIf", "If"),
    "switch_case": ("StatelessCase", "Case"),
    "while_loop": ("StatelessWhile", "While"),
    "function_call": ("PartitionedCall", "StatefulPartitionedCall"),
}


class Node:
    """One use of an op in a graph.

    Attributes:
        id: the position in recording order, unique in its graph (inputs have negative ids).
        name: unique in its graph; the user's `name=`, else the op's name, numbered from the second
            use on.
        label: the user's `name=`, or the name scope (which ends with `/`), else empty.
        op: the op.
        inputs: the operands, all values of the same graph.
        attrs: the attributes of the op, which are constants.
        regions: the regions, such as branches, or a loop's test and body.
        outputs: the results.
        graph: the graph of the node.
        origin: the user's line that recorded it, if known.
        control: nodes with effects that must run before this one.
        requires: nodes that run whenever this one does, in a graph that a session runs.
        effect: the strongest effect of the op, of its regions, and of the graph that it calls.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + 1
        >>> y.node.name, [each.node.name for each in y.node.inputs]
        ('add', ['x', 'constant'])
    """

    __slots__ = (
        "__weakref__",
        "attrs",
        "control",
        "effect",
        "graph",
        "id",
        "inputs",
        "label",
        "name",
        "op",
        "origin",
        "outputs",
        "regions",
        "requires",
    )

    def __init__(
        self,
        id: int,
        name: str,
        op: Op,
        inputs: tuple[SymbolicTensor, ...],
        attrs: Mapping[str, object],
        regions: tuple[Graph, ...] = (),
        origin: Origin | None = None,
        effect: str = "none",
        control: tuple[Node, ...] = (),
    ) -> None:
        self.id = id
        self.name = name
        self.op = op
        self.inputs = inputs
        self.attrs = attrs
        self.regions = regions
        self.origin = origin
        self.effect = effect
        self.control = control
        self.requires: tuple[Node, ...] = ()
        self.label = ""
        self.graph: Graph | None = None
        self.outputs: tuple[SymbolicTensor, ...] = ()

    @property
    def type(self) -> str:
        """The name of the op's type, as in TensorFlow if it has the op."""
        known = _TYPES.get(self.op.name)
        if known is None:
            return self.op.tensorflow_name or self.op.name
        without_effects, with_effects = known
        return without_effects if self.effect == "none" else with_effects

    if TYPE_CHECKING:

        def run(
            self, feed_dict: Mapping[Any, object] | None = None, session: object = None
        ) -> None: ...
    else:
        run = lazy_import("runtime.session.evaluation:run")

    def __repr__(self) -> str:
        operands = ", ".join(tensor.name for tensor in self.inputs)
        return f"<Node {self.name!r}: {self.op.name}({operands})>"


def infer_specs(
    op: Op,
    inputs: Sequence[SymbolicTensor],
    attrs: Mapping[str, object],
    regions: Sequence[Graph] = (),
) -> tuple[TensorSpec, ...]:
    """Return the specs of the results of a node of `op`, as inference finds them."""
    specs = [tensor.spec for tensor in inputs]
    if regions:
        attrs = {**attrs, "regions": tuple(regions)}
    return output_specs(op, specs, attrs)
