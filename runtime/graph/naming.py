"""Names of the nodes that sessions run, which programs look up: those TensorFlow gives them.

A node is called after what its caller wrote: `tf.add(x, y, name="total")` makes `total`, `x * 2`
makes `mul` and `mul/y`, `tf.matmul(a, b)` makes `MatMul`. Of a call that takes several nodes the
last one has the name, and the others stand behind it: `loss/sub`.
"""

from __future__ import annotations

import re
import sys
from types import CodeType, FrameType
from typing import TYPE_CHECKING

from runtime.context import is_internal_frame
from runtime.errors import ArgumentValueError
from runtime.ops.op import REGISTRY, Op
from runtime.scopes import scoped

if TYPE_CHECKING:
    from runtime.graph.node import Node

# What operators of Python's are called, where that is not the name of the node they make.
_OPERATORS = {
    "abs": "Abs",
    "div": "truediv",
    "eq": "Equal",
    "ge": "GreaterEqual",
    "getitem": "strided_slice",
    "gt": "Greater",
    "invert": "LogicalNot",
    "le": "LessEqual",
    "lt": "Less",
    "ne": "NotEqual",
    "neg": "Neg",
}
_PLAIN = frozenset("add sub mul truediv floordiv mod pow matmul and or xor".split())
# Functions whose calls are called otherwise than their op.
_FUNCTIONS = {
    "add": "Add",
    "bias_add": "BiasAdd",
    "constant": "Const",
    "convert_to_tensor": "Const",
    "divide": "truediv",
    "expand_dims": "ExpandDims",
    "matmul": "MatMul",
    "minimum": "Minimum",
    "placeholder": "Placeholder",
    "print_": "PrintV2",
    "reduce_logsumexp": "ReduceLogSumExp",
    "get_item": "strided_slice",
    "l2_loss": "L2Loss",
    "leaky_relu": "LeakyRelu",
    "normal": "random_normal",
    "pad": "Pad",
    "selu": "Selu",
    "size": "Size",
    "top_k": "TopKV2",
    "uniform": "random_uniform",
    "where": "SelectV2",
}
# Functions whose calls have the function's own name.
_OWN = frozenset(
    """
    clip_by_value concat cond einsum eye floordiv linspace norm one_hot ones ones_like range split
    stack tensordot transpose truediv unstack while_loop zeros zeros_like
    """.split()
)
# Functions that may record nothing but a constant.
_CONSTANTS = frozenset("constant convert_to_tensor rank shape size zeros ones fill eye".split())
_VALID = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")


class CallNames:
    """Finds names for the nodes of one graph, by the calls of the user's that record them."""

    def __init__(self) -> None:
        # By names in small letters, as what differs in these alone is one name, too.
        self._numbers: dict[str, int] = {}
        self._reserved: set[str] = set()
        # The innermost function that the user called last; held, so that no other can be taken for
        # it, until the graph is written to no more.
        self._call: FrameType | None = None
        self._base = self._name = ""
        self._holder: Node | None = None

    def forget(self) -> None:
        """Let go of the last call: nothing more belongs to it."""
        self._call = self._holder = None

    def reserved(self, base: str) -> str:
        """Return a fresh name that `fresh` gives as it is when it is next asked for it."""
        name = self.fresh(base)
        self._reserved.add(name)
        return name

    def fresh(self, base: str) -> str:
        """Return a name that no node has, numbered where there is one."""
        if base in self._reserved:
            self._reserved.remove(base)
            return base
        number = self._numbers.get(base.lower(), 0)
        self._numbers[base.lower()] = number + 1
        if not number:
            return base
        while (name := f"{base}_{number}").lower() in self._numbers:
            number += 1
        self._numbers[base.lower()] = number + 1
        self._numbers[name.lower()] = 1
        return name

    def name_for(self, op: Op) -> str:
        """Return what the node is called that is recorded now, to be made fresh.

        Raises:
            ArgumentValueError: the name that is given is none.
        """
        call = _call_of_the_user()
        if call is None or call is not self._call:
            self.forget()
            base = None if call is None else _base_of(call)
            if base is None:
                return scoped(_type_of(op))
            self._call, self._base = call, scoped(base)
            self._name = self.fresh(self._base)
        code = self._call.f_code  # type: ignore[union-attr]
        if op.name == "constant" and not _makes_constants(code):
            return f"{self._name}/{_operand_of(code)}"
        if self._holder is not None:
            self._holder.name = self.fresh(f"{self._name}/{_type_of(self._holder.op)}")
        self._reserved.add(self._name)
        return self._name

    def name_for_group(self, base: str) -> str:
        """Return what a group of nodes is called: the call that makes it may have the name."""
        if self._holder is None or self._base != base or _call_of_the_user() is not self._call:
            return self.fresh(base)
        self._holder.name = self.fresh(f"{self._name}/{_type_of(self._holder.op)}")
        self.forget()
        return self._name

    def named(self, node: Node) -> None:
        """Note which node has the name of the call."""
        if node.name == self._name:
            self._holder = node


def _call_of_the_user() -> FrameType | None:
    """Return the frame of the function of ours that the user's code called."""
    frame: FrameType | None = sys._getframe(2)
    found = None
    while frame is not None and is_internal_frame(frame):
        found, frame = frame, frame.f_back
    return None if frame is None else found


def _base_of(call: FrameType) -> str | None:
    """Return the name that a call asks for, or the usual one; None where nodes have none of it."""
    code = call.f_code
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = call.f_locals.get("name") if "name" in arguments else None
    if isinstance(given, str) and given:
        return checked_name(given)
    function = code.co_name
    if function.startswith("__"):
        operator = function.strip("_")
        return _operator(operator) or (_operator(operator[1:]) if operator[:1] in "ri" else None)
    if function.startswith(("_", "<")):
        return None
    if function in _OWN:
        return function
    op = REGISTRY.get(function)
    return _FUNCTIONS.get(function) or (function if op is None else _type_of(op))


def _operator(name: str) -> str | None:
    return name if name in _PLAIN else _OPERATORS.get(name)


def checked_name(name: str) -> str:
    """Return a name that a node may have.

    Raises:
        ArgumentValueError: it is none.

    >>> checked_name("layer/weights")
    'layer/weights'
    """
    if not _VALID.match(name):
        raise ArgumentValueError(
            f"{name!r} is no name of a node: write letters, digits and any of `_.\\/>-`, and begin "
            "with a letter, a digit or a point"
        )
    return name.rstrip("/")


def _type_of(op: Op) -> str:
    return op.lower.get("graphdef") or op.name


def _makes_constants(code: CodeType) -> bool:
    return code.co_name in _CONSTANTS


def _operand_of(code: CodeType) -> str:
    """Return what a Python value is called that became an operand: most stand on the right."""
    operator = code.co_name.strip("_")
    if operator in _PLAIN or operator in _OPERATORS or code.co_name in _PAIRS:
        return "y"
    return "x" if operator[:1] == "r" and operator[1:] in _PLAIN else "Const"


_PAIRS = frozenset(
    """
    subtract multiply divide maximum minimum equal not_equal greater greater_equal less less_equal
    """.split()
)
